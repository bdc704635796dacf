"""Search of the notes' text: the best sections for a query, and the best units in each.

FTS5 chooses the sections worth a closer look; those are ranked here unit by unit (see ``scoring``).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from operator import or_
from types import MappingProxyType
from typing import TYPE_CHECKING

from hippocampus_cli.light import NamedTuple
from hippocampus_cli.search import weights
from hippocampus_cli.search.cache import TextCache
from hippocampus_cli.search.candidates import candidates, mentions
from hippocampus_cli.search.filters import Filter, allowed
from hippocampus_cli.search.lookup import Lookup, look_up
from hippocampus_cli.search.parse import Query
from hippocampus_cli.search.rows import PLACE_COLUMNS, Spans, restored, section_of, unit_spans
from hippocampus_cli.search.scoring import (
    Averages,
    Passage,
    Row,
    Tally,
    Wishes,
    features,
    pooled,
    score,
    tallied,
    units_with,
    with_likeness,
)
from hippocampus_cli.search.spans import Days
from hippocampus_cli.workspace.note import Section

if TYPE_CHECKING:
    from hippocampus_cli.search.meaning import Asked, Meaning

_MOST_UNITS = 20
_AS_GOOD = 0.05  # what scores differ by that are as good as each other


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
    days asked for.
    """

    path: str
    section: Section
    score: float
    units: tuple[UnitHit, ...]
    matched: frozenset[str]
    coverage: float
    fits: bool = False
    best: Row = ()


class Found(NamedTuple):
    """The hits, best first, and what unknown words of the query were taken for (stems to stems).

    ``unknown`` is the share of the query, rare words counting more, that stands nowhere in the workspace;
    ``ranking`` names the weights that ranked them.
    """

    hits: tuple[SectionHit, ...] = ()
    corrections: Mapping[str, list[str]] = MappingProxyType({})
    unknown: float = 0.0
    ranking: str = weights.VERSION


def search(
    cache: TextCache,
    query: Query,
    limit: int = 10,
    where: Filter | None = None,
    related: float = weights.RELATED,
    meaning: Meaning | None = None,
) -> Found:
    """The best ``limit`` sections for ``query`` among the files that meet ``where``.

    ``related`` is the weight of what the thesaurus offers for a word, 0 to do without. With ``meaning`` what texts
    mean counts beside their words.
    """
    where = where or Filter()
    return cache.healing(lambda db: _search(db, query, limit, where, related, meaning))


class _Candidate(NamedTuple):
    id: int
    path: str
    ordinal: int
    day: int  # the file's last day as an ordinal, 0 for none
    bonus: float  # for a file of the days asked for
    units: bytes
    digests: bytes
    spans: Spans
    passage: Passage


class _Ranked(NamedTuple):
    candidate: _Candidate
    rows: Sequence[Row]
    found: frozenset[str]
    units: list[float]
    score: float
    alike: float = 0.0  # the share of the query that likeness makes up for


def _search(
    db: sqlite3.Connection,
    query: Query,
    limit: int,
    where: Filter,
    related: float,
    meaning: Meaning | None,
) -> Found:
    sections, units, stems = db.execute("SELECT sections, units, stems FROM totals").fetchone()
    if not sections or limit < 1:
        return Found()
    lookup = look_up(db, query, sections, units, related)
    asked = meaning.asked(query.text) if meaning is not None and query.text else None
    ids = candidates(db, query, lookup, allowed(db, where), asked)
    version = weights.VERSION if asked is None else weights.SEMANTIC_VERSION
    averages = Averages(max(stems / max(units, 1), 1.0), max(stems / sections, 1.0))
    ranked = sorted(
        _ranked(_load(db, ids, query.days), query, lookup.wishes, averages, asked), key=_order
    )
    return Found(
        tuple(_hits(db, ranked[:limit], lookup)), lookup.corrections, lookup.unknown, version
    )


def _load(db: sqlite3.Connection, ids: Sequence[int], days: Sequence[Days]) -> Iterator[_Candidate]:
    rows = db.execute(
        "SELECT s.id, path, ordinal, first_day, last_day, s.units, digests, p.title, place, body"
        " FROM passages p JOIN sections s ON s.id = p.rowid JOIN files f ON f.id = s.file"
        f" WHERE p.rowid IN ({','.join(map(str, ids))})"
    )
    for key, path, ordinal, first, last, units, digests, title, place, body in rows:
        spans = unit_spans(units)
        bonus = _bonus(first, last, days) if days and first is not None else 0.0
        passage = Passage(title, place, body, spans.offsets, spans.lengths, spans.traits)
        place = restored(path), ordinal, last or 0
        yield _Candidate(key, *place, bonus, units, digests, spans, passage)


def _bonus(first: int, last: int, days: Sequence[Days]) -> float:
    """What a file of these ordinals gains; less if of other days too, as a month's file is."""
    bonus = 0.0
    for since, until in days:
        if since.toordinal() <= first and last <= until.toordinal():
            return weights.DAYS
        if first <= until.toordinal() and since.toordinal() <= last:
            bonus = weights.NAMED_DAYS
        elif first <= until.toordinal() + weights.NOTED_WITHIN and since.toordinal() <= last:
            bonus = max(bonus, weights.NOTED_AFTER)
    return bonus


def _ranked(
    sections: Iterable[_Candidate],
    query: Query,
    wishes: Wishes,
    averages: Averages,
    asked: Asked | None,
) -> Iterator[_Ranked]:
    """The candidates that have anything of what is asked for, with their scores."""
    tallies = [(one, tallied(one.passage, wishes.groups, averages)) for one in sections]
    names = reduce(or_, (tally.names for _, tally in tallies), 0)
    likeness = _likeness(tallies, asked)
    weighing = weights.SEMANTIC_WEIGHTS if likeness else weights.WEIGHTS
    for candidate, tally in tallies:
        fitting = _fitting(candidate, query)
        like = likeness.get(candidate.id, ())
        if tally.found or any(fitting.values()) or (like and not query.only_phrases):
            rows = features(tally, wishes, fitting, names)
            if like:
                rows = with_likeness(rows, like)
            units = [score(row, weighing) for row in rows]
            if query.phrases:
                for at in units_with(candidate.passage, map(" ".join, query.phrases)):
                    units[at] += weights.PHRASE
            best = min(weights.ALIKE_MOST, max(like, default=0.0) * weights.ALIKE_COVERS)
            yield _Ranked(candidate, rows, frozenset(tally.found), units, pooled(units), best)


def _likeness(
    tallies: Sequence[tuple[_Candidate, Tally]], asked: Asked | None
) -> Mapping[int, Sequence[float]]:
    """How like the question each unit is, by the section's id; empty where nothing is known of that."""
    if asked is None:
        return {}
    from hippocampus_cli.search.meaning import Piece

    pieces = [Piece(one.id, one.path, one.units, one.digests) for one, _ in tallies]
    return asked.likeness(pieces)


def _fitting(candidate: _Candidate, query: Query) -> dict[int, float]:
    """How well units fit the days asked for, by the day of their file or by one that they name."""
    if not query.days:
        return {}
    naming = units_with(candidate.passage, (s for days in query.days for s in mentions(days)))
    count = max(1, len(candidate.passage.offsets))
    return {
        at: max(candidate.bonus, weights.NAMED_DAYS if at in naming else 0.0) for at in range(count)
    }


def _order(one: _Ranked) -> tuple[float, int, str, int]:
    """Best first; of those that are as good as each other the newest, then by place."""
    candidate = one.candidate
    return -round(one.score / _AS_GOOD), -candidate.day, candidate.path, candidate.ordinal


def _hits(
    db: sqlite3.Connection, ranked: Sequence[_Ranked], lookup: Lookup
) -> Iterator[SectionHit]:
    ids = ",".join(str(one.candidate.id) for one in ranked)
    rows = db.execute(f"SELECT {PLACE_COLUMNS}, id FROM sections WHERE id IN ({ids})")
    sections = {row[-1]: section_of(row) for row in rows}
    for one in ranked:
        matched, coverage = lookup.judged(one.found)
        yield SectionHit(
            one.candidate.path,
            sections[one.candidate.id],
            one.score,
            _unit_hits(one),
            matched,
            max(coverage, one.alike),
            one.candidate.bonus > 0,
            one.rows[one.units.index(max(one.units))],
        )


def _unit_hits(one: _Ranked) -> tuple[UnitHit, ...]:
    spans = one.candidate.spans
    hits = map(UnitHit, spans.starts, spans.ends, one.units)
    return tuple(sorted(hits, key=lambda hit: (-hit.score, hit.start))[:_MOST_UNITS])
