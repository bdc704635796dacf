"""A summary as an agent reads it: hippo's own lines are the heads of pieces, what was said stands below them.

In the lists every line is one message, with its label and its id, for a text is written there on one line. In the
active context a text stands as it is, so each has a head of its own that says whose words they are and of which day.
An earlier summary that an agent hands back is read without the marks.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from hippocampus_cli.context.compaction.score import Entry
from hippocampus_cli.context.compaction.summary_lines import read_id
from hippocampus_cli.workspace.fence import OPENING, Piece
from hippocampus_cli.workspace.origin import Origin, of_role

ROOM = 260
"""Characters that a fence adds at most to what every summary has: its ends, title, comments, days and headings."""
HEAD_ROOM = 32
"""Those that it adds to the head of a message in the active context."""
_OWN = re.compile(r"#{1,3} |<!-- ")
_CODE = re.compile("`{3,}")
_OPENING = re.compile(rf"\[(?P<word>[0-9a-f]+) {re.escape(OPENING)}\]")
_LINE = re.compile(r"(?:[a-z]+ )?(?:\d{4}-\d\d-\d\d )?(?P<line>(?:#{1,3} |<!-- ).*)\]")
_SECTIONS: tuple[tuple[str, Origin], ...] = (
    ("## Goal", "user"),
    ("## Prior", "unknown"),
    ("## Key Data", "unknown"),
)


def pieces_of(summary: str, entries: Sequence[Entry], shown: str | None = None) -> list[Piece]:
    """The summary of these entries; ``shown`` is what to show of it, line by line, where that is another text."""
    said = {one.id: _said(one) for one in entries}
    found: list[tuple[str, list[str]]] = []
    code = ""
    lines = zip(summary.split("\n"), (summary if shown is None else shown).split("\n"), strict=True)
    for line, seen in lines:
        if not code and _OWN.match(line):
            found.append((f"{_of(line, said)}{seen}", []))
            continue
        found[-1][1].append(seen)
        if code:
            code = "" if line == code else code
        elif _CODE.fullmatch(line):
            code = line
    if days := sorted({one.day for one in entries if one.day}):
        found.insert(1, (f"said {' to '.join(dict.fromkeys((days[0], days[-1])))}", []))
    return [Piece(head, "\n".join(text).strip("\n")) for head, text in found]


def unfenced(summary: str) -> str:
    """A summary without the marks of its fence; any other text as it is."""
    lines = summary.lstrip().split("\n")
    opening = _OPENING.fullmatch(lines[0])
    if opening is None:
        return summary
    mark = f"[{opening['word']} "
    kept = []
    for line in lines:
        own = _LINE.fullmatch(line, len(mark)) if line.startswith(mark) else None
        if own or not line.startswith(mark):
            kept.append(own["line"] if own else line)
    return "\n".join(kept)


def _of(line: str, said: dict[str, str]) -> str:
    """Whose words stand below a line of hippo's own, where it is for one to say."""
    if line.startswith("### "):
        return said.get(read_id(line)[1], "unknown ")
    return next((f"{origin} " for lead, origin in _SECTIONS if line.startswith(lead)), "")


def _said(entry: Entry) -> str:
    return f"{of_role(entry.role)} {entry.day} " if entry.day else f"{of_role(entry.role)} "
