"""How sure an answer is: whether what was asked for is in the workspace at all.

A ranking always has a first place. What tells an answer from the nearest thing to one is how good the best place is
by itself, what it has not of the question, how much of the question stands nowhere in the workspace, and how much
there is to search: of very many places some are good by chance, and nearly every word stands somewhere. The
weights are those of a logistic regression on questions that have an answer and on questions about another workspace
(``bench/fit/confidence.py``). They belong to one ranking: :data:`CALIBRATED` says to which.
"""

from __future__ import annotations

from math import exp, log
from operator import mul

from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.search.hits import SearchHits

SURE, UNSURE, NOTHING = "sure", "unsure", "none"
WORDS = (SURE, UNSURE, NOTHING)
"""What a confidence is called: ``none`` where nothing is shown."""

SURE_FROM = 0.75
SHOWN_FROM = 0.003
PROMPT_FROM = 0.75
"""The least confidence from which something is brought unasked, at a prompt."""
UNSURE_TO = 0.74
"""The most that an answer may have that is not sure, whatever else speaks for it."""
WHOLE, A_PART = 0.99, 0.25  # shares of a question
SMALL = (
    30_000  # stems, a few months of notes: in as many and in fewer all calibration holds as it is
)


class Calibration(NamedTuple):
    """The logistic regression of one ranking; ``ranking`` is :data:`ranking_weights.VERSION`."""

    ranking: str
    intercept: float
    score: float
    missing: float
    unknown: float
    undated: float
    size: float


CALIBRATED = {
    one.ranking: one
    for one in (
        Calibration("words-2", -1.502, 0.389, -0.089, -2.768, -2.128, -0.635),
        Calibration("meaning-4", -2.774, 0.466, -0.109, -2.608, -1.788, -0.725),
    )
}


class ConfidenceFeatures(NamedTuple):
    """What confidence is read from: the score of the best place's text, what the words are worth that the place has
    not (as a sum of idf: one rare word says more than a common one), the share of the question that stands nowhere,
    whether nothing is of the days asked for (1 or 0), and the logarithm of how many times :data:`SMALL` was searched
    (0 for less)."""

    score: float
    missing: float
    unknown: float
    undated: float
    size: float


def features_of(found: SearchHits) -> ConfidenceFeatures:
    """The signs of an answer that has at least one hit."""
    best = found.hits[0]
    missing = found.worth * (1.0 - best.coverage)
    size = log(max(1.0, found.among / SMALL))
    return ConfidenceFeatures(best.said, missing, found.unknown, float(found.undated), size)


def confidence_of(found: SearchHits) -> float:
    """How likely it is that ``found`` answers, 0 to 1."""
    if not found.hits:
        return 0.0
    by = CALIBRATED[found.ranking]
    signs = features_of(found)
    odds = by.intercept + sum(map(mul, by[2:], signs))
    likely = max(_at_least(found, by.size * signs.size), _chance(odds))
    # about the thing, and of no such day
    return min(likely, UNSURE_TO) if found.undated else likely


def _at_least(found: SearchHits, size: float) -> float:
    """What holds in a handful of notes too, where scores say little: all of a question is an answer, and a good part
    of it is worth showing. ``size`` is what the size of the workspace adds to the odds, less than 0 where there is
    so much that all of a question may stand together by chance."""
    coverage = found.hits[0].coverage
    whole = coverage >= WHOLE and not found.unknown
    return max(SURE_FROM * exp(size) if whole else 0.0, SHOWN_FROM if coverage >= A_PART else 0.0)


def _chance(odds: float) -> float:
    return 1.0 / (1.0 + exp(-max(-50.0, min(50.0, odds))))


def is_likely(confidence: float) -> bool:
    """Whether an answer is good enough to be brought unasked."""
    return confidence >= PROMPT_FROM


def word_for(confidence: float) -> str:
    """One of :data:`WORDS`."""
    if confidence < SHOWN_FROM:
        return NOTHING
    return SURE if confidence >= SURE_FROM else UNSURE
