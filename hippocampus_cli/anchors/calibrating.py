"""The least score that says something, worked out from the notes themselves. Pure.

Scores of words and of any two embedders lie on different scales, so ANCHOR's 0.80 fits one model only. Here
chunks that do not name an anchor set the mark: pairs of the two are drawn at random, and the threshold is the
score that all but a few of them stay below. A chunk in a list therefore names its anchor, or is as like it as
hardly any other.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import NamedTuple

from hippocampus_cli.anchors.anchor import Anchor
from hippocampus_cli.anchors.likeness import Likeness
from hippocampus_cli.anchors.wording import Worded

EXPANSIONS = 5
"""The anchors by meaning that a message has on average."""
MESSAGES = 100
"""Beginnings of chunks that stand for messages, to see how like anchors messages are."""
_ANCHORS, _CHUNKS = 200, 100  # the size of the draw: 20,000 pairs at most
_SEED = 20_260_415
_FLOOR = 0.02  # where such pairs share nothing at all, some score above 0 is still asked for


class Calibration(NamedTuple):
    """``theta`` is the least score in a list; ``pairs`` were drawn, ``mean`` is their average score."""

    theta: float
    pairs: int
    mean: float


def calibrated(
    likeness: Likeness, anchors: Sequence[Anchor], words: Sequence[Worded]
) -> Calibration:
    """The threshold of a build over chunks with these stems; the same for the same notes."""
    pairs = _pairs(anchors, [one.stems for one in words])
    if not pairs:
        return Calibration(_FLOOR, 0, 0.0)
    scores = likeness.sample(anchors, pairs)
    theta = max(_FLOOR, quantile(scores, 1.0 - likeness.above))
    return Calibration(round(theta, 4), len(pairs), round(sum(scores) / len(scores), 4))


def quantile(values: Sequence[float], share: float) -> float:
    """The value that ``share`` of ``values`` do not exceed; 0 without any."""
    ordered = sorted(values)
    if not ordered:
        return 0.0
    return ordered[min(len(ordered) - 1, max(0, round(share * (len(ordered) - 1))))]


def _pairs(anchors: Sequence[Anchor], stems: Sequence[frozenset[str]]) -> list[tuple[int, int]]:
    """Anchors with chunks that do not hold all of their stems, by their numbers."""
    if not stems:
        return []
    dice = random.Random(_SEED)
    some = sorted(dice.sample(range(len(anchors)), min(_ANCHORS, len(anchors))))
    drawn = ((one, dice.randrange(len(stems))) for one in some for _ in range(_CHUNKS))
    return [(one, chunk) for one, chunk in drawn if not stems[chunk].issuperset(anchors[one].own)]
