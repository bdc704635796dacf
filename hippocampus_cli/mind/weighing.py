"""What a belief weighs: decay, and the significance that slows it. Pure.

A fourth curve beside the index's, the context's and the compaction's (decision D13): of the age of the last evidence,
not of how often it is computed.
"""

from __future__ import annotations

ARCHIVE_BELOW = 0.05
FIRST = 0.9
"""What a new belief weighs."""


def decay(weight: float, hours: float, significance: float, rate: float = 1.0) -> float:
    """The weight of a belief ``hours`` after its last evidence.

    ``significance`` (0 to 1) slows it, ``rate`` (0.25 to 4, one for all beliefs) is the user's. Monotone in
    ``hours``, within 0 to ``weight``; it is worked out from what is stored and never stored itself.
    """
    exponent = -0.3 * (1 - 0.7 * significance)
    return weight * (1 + 0.1 * hours * rate) ** exponent  # type: ignore[no-any-return]


def strengthened(weight: float) -> float:
    """The weight after one more piece of evidence: halfway to 1. Retrieval changes nothing."""
    return round(weight + (1 - weight) / 2, 4)


def significance(*, overturns: bool, told: bool) -> float:
    """How much it matters, whatever its frequency: what overturns a belief most, then what the user told to keep."""
    return round(0.3 + 0.4 * overturns + 0.2 * told, 2)
