"""Search of the notes' text: the best sections for a query, and the best units in each.

FTS5 chooses the sections worth a closer look; those are ranked here unit by unit (see ``scoring``).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING

from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.search import ranking_weights
from hippocampus_cli.search.candidates import candidates
from hippocampus_cli.search.date_match import bonus, fitting, says_so
from hippocampus_cli.search.filters import Filter, allowed
from hippocampus_cli.search.hits import Boosts, SearchHits, SectionHit, UnitHit, shares
from hippocampus_cli.search.query_parser import Query
from hippocampus_cli.search.query_terms import Lookup, look_up
from hippocampus_cli.search.schema import PLACE_COLUMNS, Spans, restored, section_of, unit_spans
from hippocampus_cli.search.scoring import (
    Row,
    counts_for,
    features,
    pooled,
    score,
    spread_of,
    with_likeness,
)
from hippocampus_cli.search.term_statistics import (
    Averages,
    Passage,
    QueryTerms,
    Tally,
    tallied,
    units_with,
)
from hippocampus_cli.text.dates import DayRange

if TYPE_CHECKING:
    from hippocampus_cli.search.semantic import Asked, Meaning

_MOST_UNITS = 20
_AS_GOOD = 0.05  # what scores differ by that are as good as each other


class _Candidate(NamedTuple):
    id: int
    path: str
    ordinal: int
    day: int  # the file's last day as an ordinal, 0 for none
    bonus: float  # for a file of the days asked for
    units: bytes
    digests: bytes
    heading: str
    spans: Spans
    passage: Passage


class _Ranked(NamedTuple):
    candidate: _Candidate
    rows: Sequence[Row]
    found: frozenset[str]
    units: list[float]
    score: float
    said: float  # its score without what leads there
    boost: float  # how surely anything leads there
    alike: float = 0.0  # the share of the query that likeness makes up for


def rank(
    db: sqlite3.Connection,
    query: Query,
    limit: int,
    where: Filter,
    related: float,
    meaning: Meaning | None,
    boosts: Boosts | None,
) -> SearchHits:
    """The best ``limit`` sections of the cache ``db``; see :meth:`TextCache.search`."""
    sections, units, stems = db.execute("SELECT sections, units, stems FROM totals").fetchone()
    if not sections or limit < 1:
        return SearchHits()
    lookup = look_up(db, query, sections, units, related)
    asked = meaning.asked(query.text) if meaning is not None and query.text else None
    ids = candidates(db, query, lookup, allowed(db, where), asked, boosts)
    version = ranking_weights.VERSION if asked is None else ranking_weights.SEMANTIC_VERSION
    averages = Averages(max(stems / max(units, 1), 1.0), max(stems / sections, 1.0))
    ranked = sorted(
        _ranked(_load(db, ids, query.days), query, lookup.wishes, averages, asked, boosts),
        key=_order,
    )
    hits = tuple(_hits(db, ranked[:limit], lookup, query))
    undated = bool(query.days and hits) and not hits[0].dated
    worth = lookup.wishes.total
    return SearchHits(hits, lookup.corrections, lookup.unknown, version, undated, worth, stems)


def _load(
    db: sqlite3.Connection, ids: Sequence[int], days: Sequence[DayRange]
) -> Iterator[_Candidate]:
    rows = db.execute(
        "SELECT s.id, path, ordinal, first_day, last_day, s.units, digests, s.title, c0, c1, c2"
        " FROM passages_content p JOIN sections s ON s.id = p.id JOIN files f ON f.id = s.file"
        f" WHERE p.id IN ({','.join(map(str, ids))})"
    )
    for key, path, ordinal, first, last, units, digests, heading, title, place, body in rows:
        spans = unit_spans(units)
        gained = bonus(first, last, days) if days and first is not None else 0.0
        passage = Passage(title, place, body, spans.offsets, spans.lengths, spans.traits)
        day = last or 0
        place = restored(path), ordinal, day
        yield _Candidate(key, *place, gained, units, digests, restored(heading), spans, passage)


def _ranked(
    sections: Iterable[_Candidate],
    query: Query,
    wishes: QueryTerms,
    averages: Averages,
    asked: Asked | None,
    boosts: Boosts | None = None,
) -> Iterator[_Ranked]:
    """The candidates that have anything of what is asked for, with their scores."""
    tallies = [(one, tallied(one.passage, wishes.groups, averages)) for one in sections]
    names = reduce(or_, (tally.names for _, tally in tallies), 0)
    likeness = _likeness(tallies, asked)
    weighing = ranking_weights.SEMANTIC_WEIGHTS if likeness else ranking_weights.WEIGHTS
    spread = spread_of(likeness.values()) / counts_for(len(query.terms))
    for candidate, tally in tallies:
        days = fitting(candidate.passage, candidate.bonus, query.days)
        like = likeness.get(candidate.id, ())
        if tally.found or any(days.values()) or (like and not query.only_phrases):
            rows = features(tally, wishes, days, names)
            if like:
                rows = with_likeness(rows, like, spread, wishes.total)
            units = [score(row, weighing) for row in rows]
            if query.phrases:
                for at in units_with(candidate.passage, map(" ".join, query.phrases)):
                    units[at] += ranking_weights.PHRASE
            best = min(
                ranking_weights.ALIKE_MOST, max(like, default=0.0) * ranking_weights.ALIKE_COVERS
            )
            said = pooled(units)
            boosted = _boosts_of(candidate, boosts)
            lifts = [ranking_weights.BOOST * one for one in boosted]
            if lifts:
                units = [one + lift for one, lift in zip(units, lifts, strict=True)]
            whole = pooled(units) if lifts else said
            yield _Ranked(
                candidate,
                rows,
                frozenset(tally.found),
                units,
                whole,
                said,
                max(boosted, default=0.0),
                best,
            )


def _boosts_of(candidate: _Candidate, boosts: Boosts | None) -> list[float]:
    """How surely something leads to each unit; empty where nothing leads to the note."""
    if not boosts or candidate.path not in boosts:
        return []
    return shares(boosts[candidate.path], candidate.spans.starts, candidate.spans.ends)


def _likeness(
    tallies: Sequence[tuple[_Candidate, Tally]], asked: Asked | None
) -> Mapping[int, Sequence[float]]:
    """How like the question each unit is, by the section's id; empty where nothing is known of that."""
    if asked is None:
        return {}
    from hippocampus_cli.search.semantic import Piece

    pieces = [Piece(one.id, one.path, one.heading, one.units, one.digests) for one, _ in tallies]
    return asked.likeness(pieces)


def _dated(best: Row, of: _Candidate, query: Query) -> bool:
    """Whether a section, of which ``best`` is the best unit, is of a day asked for, names one, or has the words."""
    return bool(query.days) and (
        bool(best[ranking_weights.DAYS_FIT]) or says_so(of.passage, query.readings)
    )


def _order(one: _Ranked) -> tuple[float, int, str, int]:
    """Best first; of those that are as good as each other the newest, then by place."""
    candidate = one.candidate
    return -round(one.score / _AS_GOOD), -candidate.day, candidate.path, candidate.ordinal


def _hits(
    db: sqlite3.Connection, ranked: Sequence[_Ranked], lookup: Lookup, query: Query
) -> Iterator[SectionHit]:
    ids = ",".join(str(one.candidate.id) for one in ranked)
    rows = db.execute(f"SELECT {PLACE_COLUMNS}, id FROM sections WHERE id IN ({ids})")
    sections = {row[-1]: section_of(row) for row in rows}
    for one in ranked:
        matched, coverage = lookup.judged(one.found)
        best = one.rows[one.units.index(max(one.units))]
        yield SectionHit(
            one.candidate.path,
            sections[one.candidate.id],
            one.score,
            _unit_hits(one),
            matched,
            max(coverage, one.alike),
            one.candidate.bonus > 0,
            best,
            one.said,
            one.boost,
            _dated(best, one.candidate, query),
        )


def _unit_hits(one: _Ranked) -> tuple[UnitHit, ...]:
    spans = one.candidate.spans
    hits = map(UnitHit, spans.starts, spans.ends, one.units)
    return tuple(sorted(hits, key=lambda hit: (-hit.score, hit.start))[:_MOST_UNITS])
