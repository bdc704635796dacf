"""Cutting a section down to the lines that answer, within a budget of tokens."""

from __future__ import annotations

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from hippocampus_cli.index.budget import tokens
from hippocampus_cli.light import NamedTuple
from hippocampus_cli.search.lexical import UnitHit
from hippocampus_cli.search.tokens import forms
from hippocampus_cli.workspace.note import Note, Section

_ELLIPSIS = "…"
_WORD = re.compile(r"\w+")


class Excerpt(NamedTuple):
    """Lines of a note, 1-based and inclusive. ``cut``: the section has more, or a line was shortened."""

    start: int
    end: int
    text: str
    cut: bool


def excerpt(
    note: Note,
    section: Section,
    units: Sequence[UnitHit],
    budget: int,
    also: Sequence[Section] = (),
    stems: AbstractSet[str] = frozenset(),
) -> Excerpt:
    """The part of ``section`` around its best unit that fits ``budget`` tokens.

    A heading without text of its own stands for what is below it. Where not even one line fits, the line
    is shortened around the first word with one of the ``stems``. Sections in ``also`` touch this one and are
    shown too where everything fits.
    """
    if also:
        first = min(section.start, *(one.start for one in also))
        last = max(section.end, *(one.end for one in also))
        both = note.text_of(first, last)
        if tokens(both) <= budget:
            return Excerpt(first, last, both, cut=False)
    start = section.start
    end = section.end if has_text(note, section) else section.tree_end
    whole = note.text_of(start, end)
    if tokens(whole) <= budget:
        return Excerpt(start, end, whole, cut=False)
    first, last = (units[0].start, units[0].end) if units else (start, start)
    first, last = _widen(note, first, min(last, end), start, end, budget)
    text = note.text_of(first, last)
    room = max(0, budget * 4)
    if len(text) <= room:
        return Excerpt(first, last, text, cut=True)
    for line in range(first, last + 1):
        shortened = _around(note.text_of(line, line), stems, room)
        if shortened is not None:
            return Excerpt(line, line, shortened, cut=True)
    return Excerpt(
        first,
        first,
        note.text_of(first, first)[: max(0, room - 1)] + _ELLIPSIS if room else "",
        cut=True,
    )


def _around(line: str, stems: AbstractSet[str], room: int) -> str | None:
    """The part of a long line around the first word with one of ``stems``; ``None`` where it has none."""
    starts = {stem[0] for stem in stems}
    for found in _WORD.finditer(line):
        word = found.group()
        if word[0].lower() in starts and not stems.isdisjoint(forms(word)):
            start = max(0, found.start() - max(0, room - len(word)) // 2)
            part = line[start : start + max(0, room - 2)].strip()
            lead = _ELLIPSIS if start else ""
            return f"{lead}{part}{_ELLIPSIS}"[:room]
    return None


def has_text(note: Note, section: Section) -> bool:
    """Whether there is anything under the heading before the next one."""
    return section.level == 0 or section.end > section.start + section.heading_lines - 1


def _widen(note: Note, first: int, last: int, start: int, end: int, budget: int) -> tuple[int, int]:
    """Add lines below and above in turn, blank ones for nothing, until the budget is full."""
    size = len(note.text_of(first, last))
    below = above = True
    while below or above:
        if below:
            below = last < end and size + len(note.lines[last]) <= budget * 4
            if below:
                size += len(note.lines[last])
                last += 1
        if above:
            above = first > start and size + len(note.lines[first - 2]) <= budget * 4
            if above:
                size += len(note.lines[first - 2])
                first -= 1
    return first, last
