"""What search finds for a question in all its wordings: passages as places of an answer, best first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from math import exp
from types import MappingProxyType

from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.query.places import Place, Pointers
from hippocampus_cli.search import candidates
from hippocampus_cli.search.confidence import Confidence
from hippocampus_cli.search.engine import Request, answer
from hippocampus_cli.search.filters import Filter
from hippocampus_cli.search.hits import Hit, Pointed
from hippocampus_cli.search.library import Library
from hippocampus_cli.search.query_parser import Query
from hippocampus_cli.workspace.note import Section

MOST = 20
"""Places that are looked at, at least."""
_TEMPER = 2.0  # what a score has to fall by to be worth a third


class Passages(NamedTuple):
    """The places, best first, the likelihood that they answer, the names and numbers that no note has, what unknown
    words were taken for, the terms that were looked for, and what a person should know."""

    places: list[Place]
    confidence: Confidence = Confidence()
    missing: tuple[str, ...] = ()
    corrections: Mapping[str, str] = MappingProxyType({})
    terms: frozenset[str] = frozenset()
    notices: tuple[str, ...] = ()


def find_passages(
    library: Library,
    pointers: Pointers,
    queries: Sequence[Query],
    limit: int,
    where: Filter,
    pointed: Mapping[str, Sequence[Pointed]],
) -> Passages:
    """The best passages for a question, of which ``queries`` are the wordings; ``pointers`` know the sections."""
    first, *others = queries
    request = Request(
        first.text,
        [other.text for other in others],
        [days for query in queries for days in query.days],
        where or None,
        pointed,
        frozenset(word.lower() for reading in first.readings for word in reading.words.split()),
        max(MOST, limit * 3),
    )
    found = library.store.healing(partial(answer, request=request, meaning=library.meaning))
    places = list(_places(pointers, found.hits))
    return Passages(
        places,
        found.confidence,
        found.missing,
        found.corrections,
        found.terms,
        found.notices,
    )


def _places(pointers: Pointers, hits: Sequence[Hit]) -> Iterator[Place]:
    """The hits as places, with scores from 0 to 1."""
    for hit in hits:
        sections = pointers.sections_of(hit.place.path) or ()
        score = exp((hit.score - hits[0].score) / _TEMPER)
        copies = tuple(_place(copy, ()) for copy in hit.copies)
        place = _place(hit.place, sections)._replace(score=score, copies=copies)
        search = 0.0 if hit.pointed and not hit.coverage else score
        yield place._replace(search=search, coverage=hit.coverage)


def _place(found: candidates.Place, sections: Sequence[Section]) -> Place:
    """A passage as a place; ``sections`` are those of its note."""
    section = next((each for each in sections if each.ordinal == found.section), None)
    section = section or Section(found.section, 0, "", (), found.start, found.end, found.end, 0)
    return Place(found.path, section, found.start, found.end)
