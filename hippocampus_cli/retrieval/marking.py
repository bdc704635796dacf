"""Results with what a reader has to know of them: what takes them back, and what says the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import TYPE_CHECKING

from hippocampus_cli.retrieval.fusing import Candidate
from hippocampus_cli.retrieval.results import Result
from hippocampus_cli.retrieval.statements import CLOSE, Said
from hippocampus_cli.search.hits import UnitHit
from hippocampus_cli.search.parse import Query

if TYPE_CHECKING:
    from hippocampus_cli.retrieval.superseding import Superseding


def marked(
    results: Iterable[Result],
    candidates: Sequence[Candidate],
    said: Sequence[Said],
    query: Query,
    today: date,
) -> Iterator[Result]:
    """``results`` of the first ``candidates``, marked; ``said`` is what all places found say, shown or not."""
    results = list(results)
    superseding = _superseding(said, query, today)
    statements = (one for place in said for one in place.statements)
    told = {(one.path, one.line): one for one in statements} if superseding else {}
    for result, candidate in zip(results, candidates, strict=False):
        own = [
            told[key]
            for unit in (_answering(candidate) if superseding else ())
            if (key := (candidate.path, unit.start)) in told
        ]
        later = superseding.by(own) if superseding else None
        also = tuple(f"{twin.path}:{twin.section.start}" for twin in candidate.twins)
        yield result._replace(superseded_by=later, also=also)


def _superseding(said: Sequence[Said], query: Query, today: date) -> Superseding | None:
    """What is said, to ask it what it takes back; ``None`` where that is nothing."""
    if len({one.day for place in said for one in place.statements}) < 2:
        return None  # nothing is later
    from hippocampus_cli.retrieval.superseding import Superseding

    statements = (one for place in said for one in place.statements)
    found = Superseding(statements, query.stems, today)
    return found if found.tells else None


def _answering(candidate: Candidate) -> Iterator[UnitHit]:
    """The units that answer nearly as well as the best one of the place, of all sections that are shown as one.

    What only stands beside the answer, as what was decided before, is taken back by it and by nobody else.
    """
    best = max((unit.score for unit in candidate.units), default=0.0)
    return (unit for unit in candidate.units if unit.score >= best - CLOSE)
