"""Cutting a section down to the lines that answer, within a budget of tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from hippocampus_cli.index.budget import tokens
from hippocampus_cli.search.lexical import UnitHit
from hippocampus_cli.workspace.note import Note, Section

_ELLIPSIS = "…"


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
) -> Excerpt:
    """The part of ``section`` around its best unit that fits ``budget`` tokens.

    A heading without text of its own stands for what is below it. Where not even one line fits, the line
    is shortened. Sections in ``also`` touch this one and are shown too where everything fits.
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
    if len(text) > room:
        text = text[: max(0, room - 1)].rstrip() + _ELLIPSIS if room else ""
        last = first + max(0, len(text.splitlines()) - 1)
    return Excerpt(first, last, text, cut=True)


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
