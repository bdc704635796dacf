"""What search finds for a question in all its wordings: passages, best first, and how likely they answer.

Each wording is searched for by itself. Where there are several, a passage counts by its ranks among them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from math import exp
from types import MappingProxyType

from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.query.confidence import confidence_of
from hippocampus_cli.query.places import Place
from hippocampus_cli.search.filters import Filter
from hippocampus_cli.search.hits import Boosts, SearchHits, SectionHit
from hippocampus_cli.search.library import Library
from hippocampus_cli.search.query_parser import Query

SECTIONS = 20
"""Sections that are looked at for each wording, at least."""
_UNITS = 3  # of each
_REACH = 6.0  # what a unit's score may be below the best of its section
_TEMPER = 4.0  # what a score has to fall by to be worth a third
_COVERED = 0.5  # how much of a score depends on the share of the question that the best hits cover
_LEADING = 3
_NAMED = 0.1  # the least share that a section covers which names a day asked for
_RANKED = 10.0  # added to ranks, so that the first of one wording is not all
_CLOSE = 2  # lines between two passages of a section that are shown as one


class Passages(NamedTuple):
    """The passages, best first, the likelihood that they answer, what unknown words were taken for, and the stems of
    the question that a passage has."""

    places: list[Place]
    confidence: float = 0.0
    corrections: Mapping[str, list[str]] = MappingProxyType({})
    known: frozenset[str] = frozenset()


def find_passages(
    library: Library,
    queries: Sequence[Query],
    limit: int,
    where: Filter,
    boosts: Boosts | None = None,
) -> Passages:
    """The best passages for a question, of which ``queries`` are the wordings."""
    most = max(SECTIONS, limit * 3)
    answers = [
        library.cache.search(query, most, where, meaning=library.meaning, boosts=boosts)
        for query in queries
    ]
    rankings = [_ranked(answer) for answer in answers]
    places = rankings[0] if len(rankings) == 1 else _fused(rankings)
    confidence = max(confidence_of(answer) for answer in answers)
    known = frozenset(stem for answer in answers for hit in answer.hits for stem in hit.matched)
    return Passages(list(_merged(places)), confidence, answers[0].corrections, known)


def _ranked(answer: SearchHits) -> list[Place]:
    """The passages for one wording, with scores from 0 to 1: all of them lower where words are missing."""
    if not answer.hits:
        return []
    top = max(hit.score for hit in answer.hits)
    covers = max(_covered(hit) for hit in answer.hits[:_LEADING])
    places = (place for hit in answer.hits for place in _passages(hit))
    scale = 1 - _COVERED + _COVERED * covers
    found = [place._replace(search=exp((place.search - top) / _TEMPER) * scale) for place in places]
    return sorted(found, key=lambda place: -place.search)


def _passages(hit: SectionHit) -> Iterator[Place]:
    """The best units of a section; a heading alone has none. The first stands for its section."""
    for unit in islice(hit.units, _UNITS):
        behind = hit.units[0].score - unit.score
        if behind <= _REACH:
            yield Place(
                hit.path,
                hit.section,
                unit.start,
                unit.end,
                search=hit.score - behind,
                coverage=_covered(hit),
                boost=hit.boost,
            )


def _covered(hit: SectionHit) -> float:
    """The share of the question that a hit covers; to be of the days asked for is half of it."""
    if hit.fits:
        return 0.5 + 0.5 * hit.coverage
    return max(_NAMED, hit.coverage) if hit.dated else hit.coverage


def _fused(rankings: Sequence[Sequence[Place]]) -> list[Place]:
    """One ranking of several, by the sum of reciprocal ranks."""
    found: dict[tuple[str, int], Place] = {}
    sums: dict[tuple[str, int], float] = {}
    for ranking in rankings:
        for rank, place in enumerate(ranking):
            key = place.path, place.start
            known = found.setdefault(key, place)
            found[key] = max(known, place, key=lambda one: one.coverage)
            sums[key] = sums.get(key, 0.0) + 1.0 / (_RANKED + rank)
    top = max(sums.values(), default=1.0)
    best = max((place.search for place in found.values()), default=0.0)
    scored = [place._replace(search=best * sums[key] / top) for key, place in found.items()]
    return sorted(scored, key=lambda place: (-place.search, place.path, place.start))


def _merged(places: Sequence[Place]) -> Iterator[Place]:
    """The passages, those of a section that nearly touch made one, where the better one stands."""
    taken: set[int] = set()
    for number, place in enumerate(places):
        if number in taken:
            continue
        for other, near in enumerate(places[number + 1 :], number + 1):
            if other not in taken and _touch(place, near):
                taken.add(other)
                ends = min(place.start, near.start), max(place.end, near.end)
                place = place._replace(start=ends[0], end=ends[1])
        yield place._replace(score=place.search)


def _touch(place: Place, other: Place) -> bool:
    if (place.path, place.section.ordinal) != (other.path, other.section.ordinal):
        return False
    return other.start - place.end <= _CLOSE and place.start - other.end <= _CLOSE
