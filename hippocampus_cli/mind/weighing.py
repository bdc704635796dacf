"""What a belief weighs: decay, significance, novelty, and the weight that a new one starts with. Pure.

A fourth curve beside the index's, the context's and the compaction's (decision D13): of the age of the last evidence,
not of how often it is computed.
"""

from __future__ import annotations

import math
from collections.abc import Set as AbstractSet

ARCHIVE_BELOW = 0.05
RATES = (0.25, 4.0)
"""The slowest and the fastest rate that a user may set."""
_TEMPERATURE = 0.5


def decay(weight: float, hours: float, significance: float, rate: float = 1.0) -> float:
    """The weight of a belief ``hours`` after its last evidence.

    ``significance`` (0 to 1) slows it, ``rate`` (:data:`RATES`, one for all beliefs) is the user's. Monotone in
    ``hours``, within 0 to ``weight``; it is worked out from what is stored and never stored itself.
    """
    rate = min(max(rate, RATES[0]), RATES[1])
    exponent = -0.3 * (1 - 0.7 * min(max(significance, 0.0), 1.0))
    return weight * (1 + 0.1 * max(hours, 0.0) * rate) ** exponent  # type: ignore[no-any-return]


def strengthened(weight: float) -> float:
    """The weight after one more piece of evidence: halfway to 1. Retrieval changes nothing."""
    return round(weight + (1 - weight) / 2, 4)


def significance(*, overturns: bool, told: bool) -> float:
    """How much it matters, whatever its frequency: what overturns a belief most, then what the user told to keep."""
    return round(0.3 + 0.4 * overturns + 0.2 * told, 2)


def novelty(words: AbstractSet[str], known: AbstractSet[str]) -> float:
    """How far a statement is from everything that is held: the share of its words that nothing held has."""
    return round(len(words - known) / len(words), 3) if words else 0.0


def first_weight(novelty: float, contradiction: float) -> float:
    """The weight that a new belief starts with, from .5 to 1: more for what is new, and for what contradicts.

    Both signals are from 0 to 1, and weighed (softmax) against one that is always 0.
    """
    signals = (max(novelty, 0.2), contradiction, 0.0)
    *powers, none = (math.exp(signal / _TEMPERATURE) for signal in signals)
    return round(0.5 + 0.5 * sum(powers) / (sum(powers) + none), 4)
