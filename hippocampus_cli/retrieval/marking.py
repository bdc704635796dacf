"""Results with what a reader has to know of them: what takes them back, and what says the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from hippocampus_cli.retrieval.fusing import Candidate
from hippocampus_cli.retrieval.results import Result
from hippocampus_cli.retrieval.statements import CLOSE, Said
from hippocampus_cli.search.hits import UnitHit
from hippocampus_cli.search.parse import Query


def marked(
    results: Iterable[Result],
    candidates: Sequence[Candidate],
    said: Sequence[Said],
    query: Query,
    today: date,
) -> Iterator[Result]:
    """``results`` of the first ``candidates``, marked; ``said`` is what all places found say, shown or not."""
    results = list(results)
    if len({one.day for place in said for one in place.statements}) > 1:  # or nothing is later
        from hippocampus_cli.retrieval.superseding import Superseding

        superseding = Superseding(
            (one for place in said for one in place.statements), query.stems, today
        )
        told = {(one.path, one.line): one for place in said for one in place.statements}
    else:
        superseding, told = None, {}
    for result, candidate in zip(results, candidates, strict=False):
        own = [
            told[key]
            for unit in _answering(candidate)
            if (key := (candidate.path, unit.start)) in told
        ]
        later = superseding.by(own) if superseding else None
        also = tuple(f"{twin.path}:{twin.section.start}" for twin in candidate.twins)
        yield result._replace(superseded_by=later, also=also)


def _answering(candidate: Candidate) -> Iterator[UnitHit]:
    """The units that answer nearly as well as the best one of the place, of all sections that are shown as one.

    What only stands beside the answer, as what was decided before, is taken back by it and by nobody else.
    """
    best = max((unit.score for unit in candidate.units), default=0.0)
    return (unit for unit in candidate.units if unit.score >= best - CLOSE)
