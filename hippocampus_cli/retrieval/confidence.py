"""How sure an answer is: whether what was asked for is in the workspace at all.

A ranking always has a first place. What tells an answer from the nearest thing to one is how good the best place is
by itself, how much of the question it covers, and how much of the question stands nowhere in the workspace. The
weights are those of a logistic regression on questions that have an answer and on questions about another workspace
(``tools/fit_confidence.py``). They belong to one ranking: :data:`CALIBRATED` says to which.
"""

from __future__ import annotations

from math import exp
from operator import mul

from hippocampus_cli.light import NamedTuple
from hippocampus_cli.search.hits import Found
from hippocampus_cli.search.weights import WINDOW

SURE, UNSURE, NOTHING = "sure", "unsure", "none"
WORDS = (SURE, UNSURE, NOTHING)
"""What a confidence is called: ``none`` where nothing is shown."""

SURE_FROM = 0.75
SHOWN_FROM = 0.03
LIKELY_FROM = 0.12  # below it an answer takes a part of the tokens: 2 % of those that are there, 75 % of others
DOUBTFUL_PART = 0.25
UNSURE_TO = 0.74
"""The most that an answer may have that is not sure, whatever else speaks for it."""
WHOLE, A_PART = 0.99, 0.25  # shares of a question
MATCH_COUNTS = 0.8  # of an entry's match: what the index knows, it knows on purpose


class Calibration(NamedTuple):
    """The logistic regression of one ranking; ``ranking`` is :data:`hippocampus_cli.search.weights.VERSION`."""

    ranking: str
    intercept: float
    score: float
    coverage: float
    window: float
    unknown: float
    undated: float


CALIBRATED = {
    one.ranking: one
    for one in (
        Calibration("words-2", -4.484, 0.467, 2.399, 0.519, -3.705, -3.779),
        Calibration("meaning-3", -5.17, 0.482, 1.757, 1.432, -4.101, -3.283),
    )
}


class Signs(NamedTuple):
    """What confidence is read from: the score of the best place's text, the share of the question that the place has
    and that its best unit has with its neighbours, the share that stands nowhere, and whether nothing is of the days
    asked for (1 or 0)."""

    score: float
    coverage: float
    window: float
    unknown: float
    undated: float


def features_of(found: Found) -> Signs:
    """The signs of an answer that has at least one hit."""
    best = found.hits[0]
    window = best.best[WINDOW] if best.best else 0.0
    return Signs(best.said, best.coverage, window, found.unknown, float(found.undated))


def confidence_of(found: Found, match: float = 0.0) -> float:
    """How likely it is that ``found`` answers, 0 to 1; ``match`` is the best matching entry's."""
    known = min(1.0, match) * MATCH_COUNTS
    if not found.hits:
        return known
    by = CALIBRATED[found.ranking]
    odds = by.intercept + sum(map(mul, by[2:], features_of(found)))
    likely = max(
        known,
        _at_least(found),
        1.0 / (1.0 + exp(-max(-50.0, min(50.0, odds)))),
    )
    # about the thing, and of no such day
    return min(likely, UNSURE_TO) if found.undated else likely


def _at_least(found: Found) -> float:
    """What holds in a handful of notes too, where scores say little: all of a question is an answer, and a good part
    of it is worth showing."""
    coverage = found.hits[0].coverage
    if coverage >= WHOLE and not found.unknown:
        return SURE_FROM
    return SHOWN_FROM if coverage >= A_PART else 0.0


def tokens_for(confidence: float, tokens: int) -> int:
    """How many of ``tokens`` an answer of this confidence may take: what is hardly one is kept short."""
    return tokens if confidence >= LIKELY_FROM else int(tokens * DOUBTFUL_PART)


def word_for(confidence: float) -> str:
    """One of :data:`WORDS`."""
    if confidence < SHOWN_FROM:
        return NOTHING
    return SURE if confidence >= SURE_FROM else UNSURE
