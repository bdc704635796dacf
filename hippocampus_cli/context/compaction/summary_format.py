"""The format of a summary: the line of a decayed entry, and the pieces that a fence shows to an agent.

``[TOOL:bash] 1200tok `df -h` → "Filesystem\\nSize" #9987634b``. Line breaks and quotes in a text are escaped as
in JSON, so that a text is never read as a line of its own. In the active context a text is not escaped, so each
entry has a heading there; in a fence the heading says whose words follow, and of which day.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import NamedTuple

from hippocampus_cli.context.compaction.score import Entry
from hippocampus_cli.workspace.fence import OPENING, Piece
from hippocampus_cli.workspace.origin import Origin, of_role

_LABEL = re.compile(r"[^\w.:-]+")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_LABELS = {"user_intent": "USER", "decision": "DECISION", "ephemeral": "EPHEMERAL"}
_TYPES = {label: kind for kind, label in _LABELS.items()}
CALL = 120
"""Characters of what a tool was called with: a command or a path is of use only as a whole."""
PRIOR = "PRIOR"
"""The label of what a summary in other words told."""
_HEAD = re.compile(
    r"(?:• \(r=(?P<retention>\d+(?:\.\d+)?)\) )?\[(?P<label>[^\]\s]{1,60})\](?: (?P<tokens>\d{1,9})tok)?"
)
_ID = re.compile(r" #([\w.:-]{1,64})$")
_TICKS = re.compile("`+")


class Line(NamedTuple):
    """A line or a block of an earlier summary, ``full`` where nothing of it was cut.

    ``retention`` is None in a sparse index, which does not state it.
    """

    role: str
    type: str
    tool: str
    tokens: int
    text: str
    call: str = ""
    id: str = ""
    retention: float | None = None
    full: bool = False


def label_of(entry: Entry) -> str:
    """The label of an entry: ``TOOL:bash``, ``USER``, ``DECISION``, or its role."""
    if entry.role == "prior":
        return PRIOR
    if entry.type == "tool_result":
        return f"TOOL:{_word(entry.tool) or 'unknown'}"
    return _LABELS.get(entry.type) or _word(entry.role).upper() or "UNKNOWN"


def line_of(entry: Entry, text: str, call: str, size: int) -> str:
    """The line of an entry: what its tool was called with, and ``text`` cut after ``size`` characters."""
    tokens = f" {entry.tokens}tok" if entry.type == "tool_result" else ""
    called = f" {code(cut(call, CALL))}" if call else ""
    shown = f" → {quoted(text, size)}" if tokens else f" {quoted(text, size)}"
    return f"[{label_of(entry)}]{tokens}{called}{shown}{mark(entry)}"


def mark(entry: Entry) -> str:
    """The id that fetches the original; summaries of others give none."""
    return f" #{entry.id}" if entry.id else ""


def quoted(text: str, size: int) -> str:
    """A text as one line in quotes."""
    return escaped(json.dumps(cut(text.strip(), size), ensure_ascii=False))


def cut(text: str, size: int) -> str:
    """A text cut after ``size`` characters, and a sign that it goes on."""
    return text if len(text) <= size else f"{text[: size - 1].rstrip()}…"


def escaped(text: str) -> str:
    """A text on one line: a line break is written ``\\n``, other control characters as in JSON."""
    return text if text.isprintable() else _CONTROL.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    char = match.group()
    return {"\n": "\\n", "\t": "\\t", "\r": "\\r"}.get(char) or f"\\u{ord(char):04x}"


def code(text: str) -> str:
    """A text as a code span on one line."""
    line = escaped(text)
    longest = max(map(len, re.findall("`+", line)), default=0)
    if not longest:
        return f"`{line}`"
    fence = "`" * (longest + 1)
    return f"{fence} {line} {fence}"


def read_line(line: str) -> Line | None:
    """An entry's line, of ours or of the reference; None for any other."""
    line = line.rstrip()
    head = _HEAD.match(line)
    if head is None:
        return None
    label, tool = head["label"], ""
    if label.startswith("TOOL:"):
        label, tool = "tool", label[5:]
    kind = "tool_result" if tool else _TYPES.get(label, "context")
    if label == PRIOR:
        kind = "decision"
    rest, identity = read_id(line[head.end() :])
    call, rest = read_call(rest) if tool else ("", rest)
    text = rest.removeprefix(" →").removeprefix(" ")
    retention = None if head["retention"] is None else float(head["retention"])
    return Line(
        _role(label),
        kind,
        tool,
        int(head["tokens"] or 0),
        unquoted(text),
        call,
        identity,
        retention,
    )


def read_call(rest: str) -> tuple[str, str]:
    """What a tool was called with, where it follows a label, and what follows that."""
    if rest.startswith(" `") and (span := read_code(rest, 1)):
        return span[0], rest[span[1] :]
    return "", rest


def read_id(rest: str) -> tuple[str, str]:
    """A text without the id at its end, and the id; it can be empty."""
    match = _ID.search(rest)
    return (rest[: match.start()], match.group(1)) if match else (rest, "")


def read_code(text: str, start: int) -> tuple[str, int] | None:
    """The code span that begins at ``at``, and where it ends; None where it is never closed."""
    opening = _TICKS.match(text, start)
    if opening is None:
        return None
    for run in _TICKS.finditer(text, opening.end()):
        if run.group() == opening.group():
            inner = text[opening.end() : run.start()]
            if len(run.group()) > 1:
                inner = inner.removeprefix(" ").removesuffix(" ")
            return inner, run.end()
    return None


def _role(label: str) -> str:
    return {"USER": "user", "DECISION": "assistant", "EPHEMERAL": "assistant"}.get(
        label, label.lower()
    )


def unquoted(text: str) -> str:
    """What stands in the quotes of a line; the reference escapes nothing."""
    if text.startswith('"') and text.endswith('"') and len(text) > 1:
        try:
            value = json.loads(text)
        except ValueError:
            return text[1:-1]
        return value if isinstance(value, str) else text
    return text


def _word(text: str) -> str:
    return _LABEL.sub("_", text)[:40].strip("_")


ROOM = 150
"""Tokens that a fence adds at most to what every summary has: its ends, title, comments, days and headings."""
HEAD_ROOM = 20
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
    said = {entry.id: _said(entry) for entry in entries}
    pieces: list[tuple[str, list[str]]] = []
    code = ""
    lines = zip(summary.split("\n"), (summary if shown is None else shown).split("\n"), strict=True)
    for line, seen in lines:
        if not code and _OWN.match(line):
            pieces.append((f"{_of(line, said)}{seen}", []))
            continue
        pieces[-1][1].append(seen)
        if code:
            code = "" if line == code else code
        elif _CODE.fullmatch(line):
            code = line
    if days := sorted({entry.day for entry in entries if entry.day}):
        pieces.insert(1, (f"said {' to '.join(dict.fromkeys((days[0], days[-1])))}", []))
    return [Piece(head, "\n".join(text).strip("\n")) for head, text in pieces]


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
