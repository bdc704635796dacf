"""How sure an answer is: whether what was asked for is in the workspace at all.

A ranking always has a first place. What tells an answer from the nearest thing to one is how good the best place is
by itself, how much of the question it covers, and how much of the question stands nowhere in the workspace. The
weights are those of a logistic regression on questions that have an answer and on questions about another workspace
(``tools/fit_confidence.py``). They belong to one ranking: :data:`CALIBRATED` says to which.
"""

from __future__ import annotations

from math import exp

from hippocampus_cli.light import NamedTuple
from hippocampus_cli.search.lexical import Found

SURE, UNSURE, NOTHING = "sure", "unsure", "none"
WORDS = (SURE, UNSURE, NOTHING)
"""What a confidence is called: ``none`` where nothing is shown."""

SURE_FROM = 0.75
SHOWN_FROM = 0.06
MATCH_COUNTS = 0.8  # of an entry's match: what the index knows, it knows on purpose


class Calibration(NamedTuple):
    """The logistic regression of one ranking, ``version`` being its fingerprint."""

    version: int
    intercept: float
    score: float
    coverage: float
    window: float
    unknown: float


CALIBRATED = Calibration(0, -4.515, 0.559, 1.029, 0.741, -3.729)


def confidence_of(found: Found, match: float = 0.0, by: Calibration = CALIBRATED) -> float:
    """How likely it is that ``found`` answers, 0 to 1; ``match`` is the best matching entry's."""
    known = min(1.0, match) * MATCH_COUNTS
    if not found.hits:
        return known
    best = found.hits[0]
    window = best.best[_WINDOW] if best.best else 0.0
    odds = by.intercept + by.score * best.score + by.coverage * best.coverage
    odds += by.window * window + by.unknown * found.unknown
    return max(known, 1.0 / (1.0 + exp(-max(-50.0, min(50.0, odds)))))


def word_for(confidence: float) -> str:
    """One of :data:`WORDS`."""
    if confidence < SHOWN_FROM:
        return NOTHING
    return SURE if confidence >= SURE_FROM else UNSURE


_WINDOW = 9  # in a row of features; a test compares
