"""How well each unit of a section answers a query, as features and as one score. Pure.

A unit is judged together with the units next to it and its section, whose title and place count too: a bullet
seldom repeats what its heading or the line before has said. Every feature is a share of what the query is worth
altogether, so that scores of different queries compare; :data:`ranking_weights.WEIGHTS` says what
each counts for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from math import exp, log, sqrt
from operator import mul

from hippocampus_cli.search import ranking_weights
from hippocampus_cli.search.term_statistics import Passage, QueryTerms, Tally, occurrences
from hippocampus_cli.search.unit_features import QUESTION

Row = tuple[float, ...]


def score(row: Row, weighing: Row = ranking_weights.WEIGHTS) -> float:
    """The score of a unit: the sum of its features, each by its weight. May be below 0."""
    return sum(map(mul, weighing, row), 0.0)


def pooled(scores: Iterable[float]) -> float:
    """The score of a section: that of its best unit, and a little more for every other good one."""
    best = sorted(scores, reverse=True)[: ranking_weights.POOLED]
    return best[0] + log(sum(exp(one - best[0]) for one in best))


def features(
    tally: Tally, wishes: QueryTerms, days: Mapping[int, float], names: int = 0
) -> list[Row]:
    """The features of every unit. ``days`` says how well units fit the days asked for; to hold one of the groups
    in ``names``, a bit each, is nothing special."""
    return list(_rows(tally, wishes, days, names))


def _rows(tally: Tally, wishes: QueryTerms, days: Mapping[int, float], names: int) -> Iterator[Row]:
    passage = tally.passage
    total = wishes.total or 1.0
    both = [(one + other) / total for one, other in zip(tally.own, tally.related, strict=True)]
    around = [0.0, 0.0, *both, 0.0, 0.0]
    section, above = tally.section / total, tally.above / total
    covered_by_section = tally.covered_by_section / total
    pairs = _pairs(passage, wishes.pairs)
    traits = passage.traits or [0]
    lengths = passage.lengths or [0]
    for at, own in enumerate(tally.own):
        trait, window = traits[at], tally.window[at] / total
        answers = at and traits[at - 1] & QUESTION
        yield (
            own / total,
            tally.related[at] / total,
            around[at + 1],
            around[at + 3],
            around[at],
            around[at + 4],
            section,
            above,
            tally.covered[at] / total,
            window,
            window * window,
            covered_by_section,
            (tally.terms[at] & ~names).bit_count() * tally.telling[at],
            days.get(at, 0.0),
            1.0 if at in tally.labelled else 0.0,
            1.0 if trait & QUESTION else 0.0,
            log(1.0 + lengths[at]),
            pairs.get(at, 0.0) / total,
            around[at + 1] if answers else 0.0,
        )


def with_likeness(
    rows: Sequence[Row], likeness: Sequence[float], spread: float, total: float
) -> list[Row]:
    """The features of a section's units and four more: what the section has of a query that is worth ``total``, not
    as a share; how like the question each unit is, the better one of those beside it, and the best of the section,
    these in units of ``spread``. :data:`hippocampus_cli.search.ranking_weights.SEMANTIC_WEIGHTS` weighs them."""
    likeness = [one / spread for one in likeness]
    best, around = max(likeness), [float("-inf"), *likeness, float("-inf")]
    beside = [max(around[at], around[at + 2]) for at in range(len(likeness))]
    if len(likeness) == 1:
        beside = likeness
    return [
        (*row, row[ranking_weights.SECTION_COVERS] * total, *more, best)
        for row, *more in zip(rows, likeness, beside, strict=True)
    ]


def counts_for(terms: int) -> float:
    """How much likeness counts for a query of so many words."""
    each = ranking_weights.ALIKE_COUNTS_A_WORD * terms
    return min(ranking_weights.ALIKE_COUNTS_MOST, ranking_weights.ALIKE_COUNTS + each)


def spread_of(likeness: Iterable[Sequence[float]]) -> float:
    """How far apart the units of all candidates are in likeness, as a standard deviation; 1 for a few units.

    Candidates are chosen, and are more or less alike by what was asked: a step between them says the more the closer
    together they are.
    """
    every = list(chain.from_iterable(likeness))
    if len(every) < ranking_weights.FEW_ALIKE:
        return 1.0
    mean = sum(every) / len(every)
    square = sum([(one - mean) ** 2 for one in every]) / len(every)
    return max(ranking_weights.LEAST_SPREAD, sqrt(square))


def _pairs(passage: Passage, pairs: Mapping[str, float]) -> dict[int, float]:
    """What the pairs of neighbouring stems that a unit has are worth."""
    found: dict[int, float] = {}
    for pair, worth in pairs.items():
        if (needle := f" {pair} ") in passage.body:
            for at in occurrences(passage, needle):
                found[at] = found.get(at, 0.0) + worth
    return found
