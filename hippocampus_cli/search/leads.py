"""What else leads to places of the notes than their words: lines of a file, and how surely (ANCHOR).

Search takes them as they come: a unit inside such lines is the more likely to answer, and a section that holds them
is worth a closer look.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence

from hippocampus_cli.light import NamedTuple
from hippocampus_cli.search import weights
from hippocampus_cli.search.rows import storable


class Lead(NamedTuple):
    """Lines ``start`` to ``end`` of a note, 1-based and inclusive, and how surely it leads there, 0 to 1."""

    start: int
    end: int
    score: float


Leads = Mapping[str, Sequence[Lead]]
"""Leads by the path of their note, the surest first."""


def shares(leads: Sequence[Lead], starts: Sequence[int], ends: Sequence[int]) -> list[float]:
    """For each unit, from its first to its last line, the surest lead to any of its lines; 0 without one."""
    return [
        max((one.score for one in leads if one.start <= end and start <= one.end), default=0.0)
        for start, end in zip(starts, ends, strict=True)
    ]


def led_to(db: sqlite3.Connection, leads: Leads, files: frozenset[int] | None) -> Iterator[int]:
    """The ids of the sections that the surest leads point into, of the files in ``files`` if that is given."""
    surest = sorted(
        ((lead, path) for path, found in leads.items() for lead in found),
        key=lambda row: (-row[0].score, row[1], row[0].start),
    )
    for lead, path in surest[: weights.LED_CANDIDATES]:
        rows = db.execute(
            "SELECT s.id, file FROM files JOIN sections s ON s.file = files.id"
            " WHERE path = ? AND first <= ? AND last >= ?",
            (storable(path), lead.end, lead.start),
        )
        yield from (key for key, file in rows if files is None or file in files)
