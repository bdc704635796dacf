"""What a search returns, and the lines of notes that something else than words leads to (ANCHOR).

Search takes the latter as they come: a unit inside such lines is the more likely to answer, and a section that holds
them is worth a closer look.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.search import ranking_weights
from hippocampus_cli.search.schema import storable
from hippocampus_cli.search.scoring import Row
from hippocampus_cli.workspace.note import Section


class Boost(NamedTuple):
    """Lines ``start`` to ``end`` of a note, 1-based and inclusive, and how surely it leads there, 0 to 1."""

    start: int
    end: int
    score: float


Boosts = Mapping[str, Sequence[Boost]]
"""Leads by the path of their note, the surest first."""


def shares(boosts: Sequence[Boost], starts: Sequence[int], ends: Sequence[int]) -> list[float]:
    """For each unit, from its first to its last line, the surest lead to any of its lines; 0 without one."""
    return [
        max((one.score for one in boosts if one.start <= end and start <= one.end), default=0.0)
        for start, end in zip(starts, ends, strict=True)
    ]


def boosted_ids(
    db: sqlite3.Connection, boosts: Boosts, files: frozenset[int] | None
) -> Iterator[int]:
    """The ids of the sections that the surest boosts are of, of the files in ``files`` if that is given."""
    surest = sorted(
        ((lead, path) for path, found in boosts.items() for lead in found),
        key=lambda row: (-row[0].score, row[1], row[0].start),
    )
    for lead, path in surest[: ranking_weights.LED_CANDIDATES]:
        rows = db.execute(
            "SELECT s.id, file FROM files JOIN sections s ON s.file = files.id"
            " WHERE path = ? AND first <= ? AND last >= ?",
            (storable(path), lead.end, lead.start),
        )
        yield from (key for key, file in rows if files is None or file in files)


class UnitHit(NamedTuple):
    """A unit: 1-based inclusive lines, and its score, on one scale with all others of a search."""

    start: int
    end: int
    score: float


class SectionHit(NamedTuple):
    """A section that answers.

    ``score`` compares hits, a higher one by 1 is e times as likely to answer. ``units`` come best first, and
    ``best`` holds the features of the best. ``matched``
    are the stems of the query's terms found in the section, its title, parents, path; ``coverage``
    is their share of the query, 0 to 1, rare words counting more; a section that means the same has some without
    them. ``fits`` says that the file is of the
    days asked for, ``dated`` that the section is, or names one of them. ``said`` is the score that the text has by
    itself, ``boost`` how surely anything else leads there.
    """

    path: str
    section: Section
    score: float
    units: tuple[UnitHit, ...]
    matched: frozenset[str]
    coverage: float
    fits: bool = False
    best: Row = ()
    said: float = 0.0
    boost: float = 0.0
    dated: bool = False


class SearchHits(NamedTuple):
    """The hits, best first, and what unknown words of the query were taken for (stems to stems).

    ``unknown`` is the share of the query, rare words counting more, that stands nowhere in the workspace;
    ``ranking`` names the weights that ranked them. ``undated``: days were asked for, and the best hit is neither of
    one of them nor names one. ``worth`` is what the query is worth, the sum of its terms' idf, and ``among`` how
    many stems the whole workspace has.
    """

    hits: tuple[SectionHit, ...] = ()
    corrections: Mapping[str, list[str]] = MappingProxyType({})
    unknown: float = 0.0
    ranking: str = ranking_weights.VERSION
    undated: bool = False
    worth: float = 0.0
    among: int = 0
