"""The fixed parts of a summary: its head, its foot, and an entry in full."""

from __future__ import annotations

import re
import shlex
from collections import Counter

from hippocampus_cli.context.compaction.entries import Entry
from hippocampus_cli.context.compaction.judging import Action
from hippocampus_cli.context.compaction.lines import CALL, code, cut, escaped, mark
from hippocampus_cli.context.compaction.prior import TITLE
from hippocampus_cli.index.budget import tokens

_STRUCTURE = re.compile(r"^(?:#{1,6} |<!--|•|`{3,}|~{3,})", re.MULTILINE)
_LONGEST_NAME = 400  # characters
_NAMES: dict[Action, str] = {
    "sparse": "sparse",
    "compress": "compressed",
    "keep": "kept",
    "fold": "folded",
    "drop": "dropped",
}


def head(entries: int, counts: Counter[Action], session: str = "") -> str:
    """Title, figures, and how to get an original; ``session`` names to `hippo fetch` where it is."""
    figures = " | ".join(f"{name}: {counts[action]}" for action, name in _NAMES.items())
    return (
        f"{TITLE}\n<!-- entries: {entries} | {figures} -->\n"
        f"<!-- the original of a #id: hippo fetch ID{_named(session)} -->\n"
    )


def _named(session: str) -> str:
    """The option that names a session; none that would not fit into a comment on one line."""
    fits = 0 < len(session) <= _LONGEST_NAME and session.isprintable() and "-->" not in session
    return f" --session {shlex.quote(session)}" if fits else ""


def foot(before: int, body: str) -> str:
    """The last line: tokens of all that was compacted, and of the summary with this line in it."""
    after = tokens(body)
    while True:
        line = f"\n<!-- hippocampus stats: {before}tok → {after}tok ({ratio(before, after)}× compression) -->"
        if (exact := tokens(body + line)) <= after:
            return line
        after = exact


def ratio(before: int, after: int) -> str:
    """How many times smaller, with one decimal."""
    return f"{before / after:.1f}" if after else "∞"


def active_block(entry: Entry, text: str, call: str) -> str:
    """An entry in full. What could be taken for a line of the summary's own stands in a fence."""
    called = f" {code(cut(call, CALL))}" if call else ""
    longest = max(map(len, re.findall(r"^`{3,}", text, re.MULTILINE)), default=2)
    fence = "`" * (longest + 1)
    body = f"{fence}\n{text}\n{fence}" if _STRUCTURE.search(text) else text
    return f"### [{entry.type}] (r={entry.retention:.2f}){called}{mark(entry)}\n{body}"


def goal_line(entry: Entry, text: str, size: int) -> str:
    """A wish on one line."""
    return f"- {cut(escaped(' '.join(text.split())), size)}{mark(entry)}"


def said_in_goal(text: str, size: int) -> bool:
    """Whether a goal's line holds the whole text."""
    bare = text.strip()
    return len(bare) <= size and bare == " ".join(bare.split())
