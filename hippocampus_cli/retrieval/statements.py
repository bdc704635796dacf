"""What the places found say, unit by unit, and when it was said: what answers are compared by."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date
from functools import lru_cache
from typing import NamedTuple

from hippocampus_cli.retrieval.fusing import Candidate
from hippocampus_cli.retrieval.notes_read import Notes
from hippocampus_cli.search.days import days_in
from hippocampus_cli.workspace.note import Note

_UNITS = 5
_CLOSEST = 3
CLOSE = 1.0  # what may be worse than the best unit of its place and still answers
_LONGEST_SECTION = 4_000
_LONGEST = 600  # characters of a unit that are compared


class Statement(NamedTuple):
    """A unit of a note under its ``title``.

    ``day``: of its note or heading; ``None`` for a text that is kept current. ``close``: it answers nearly as well
    as the best unit of its place.
    """

    path: str
    line: int
    title: str
    text: str
    day: date | None = None
    close: bool = True


class Said(NamedTuple):
    """What one place says to the query: unit by unit, best first, and all of it without the heading."""

    statements: tuple[Statement, ...] = ()
    text: str = ""


def what_is_said(candidates: Iterable[Candidate], notes: Notes, today: date) -> list[Said]:
    """For each place what it says; nothing for a note that is gone."""
    found = []
    for one in candidates:
        note = notes.get(one.path)
        found.append(_said(one, note, today) if note else Said())
    return found


def _said(one: Candidate, note: Note, today: date) -> Said:
    section = one.section
    text = note.text_of(section.start + section.heading_lines, section.end)[:_LONGEST_SECTION]
    return Said(tuple(_of(one, note, today)), text)


def _of(one: Candidate, note: Note, today: date) -> Iterator[Statement]:
    title = one.section.title
    base = _day_of_title(title, today) or _day_of_path(one.path)
    best = one.units[0].score if one.units else 0.0
    for rank, unit in enumerate(one.units[:_UNITS]):
        text = note.text_of(unit.start, unit.end)[:_LONGEST]
        close = rank < _CLOSEST and unit.score >= best - CLOSE
        yield Statement(one.path, unit.start, title, text, base, close)


@lru_cache(maxsize=1024)  # a day's headings are met again and again
def _day_of_title(title: str, today: date) -> date | None:
    head = title[:10]
    if not any(map(str.isdigit, head)):
        return None
    readings, _ = days_in(head, today)
    return readings[0].first if readings and readings[0].words == head else None


def _day_of_path(path: str) -> date | None:
    from hippocampus_cli.workspace.dates import period_of

    period = period_of(path)
    return period[1] if period else None
