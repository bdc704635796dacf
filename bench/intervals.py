"""Means with 95 % bootstrap confidence intervals (the questions are drawn again, with replacement); quantiles."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import NamedTuple

RESAMPLES = 1000
SEED = 1


class Interval(NamedTuple):
    """A mean, and the bounds between which 95 % of the means of resampled questions lie."""

    value: float
    low: float
    high: float


def intervals(
    columns: Sequence[Sequence[float]], resamples: int = RESAMPLES, seed: int = SEED
) -> tuple[Interval, ...]:
    """One for each column of equally many values, one a question; the same for the same seed.

    All columns are resampled alike, so methods that are compared meet the same draws.
    """
    count = len(columns[0]) if columns else 0
    if not count:
        return tuple(Interval(0.0, 0.0, 0.0) for _ in columns)
    dice = random.Random(seed)
    means: list[list[float]] = [[] for _ in columns]
    for _ in range(resamples):
        drawn = dice.choices(range(count), k=count)
        for column, found in zip(columns, means, strict=True):
            found.append(sum(map(column.__getitem__, drawn)) / count)
    return tuple(
        _interval(sum(column) / count, sorted(found))
        for column, found in zip(columns, means, strict=True)
    )


def _interval(value: float, means: list[float]) -> Interval:
    tail = int(len(means) * 0.025)
    return Interval(value, means[tail], means[-1 - tail])


def quantile(ordered: Sequence[float], share: float) -> float:
    """The value below which ``share`` of the ordered values lie; 0 where there are none."""
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else 0.0
