"""What ``python -m bench locomo`` finds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from bench.intervals import Interval
from bench.locomo.choosing import Skipped


class Row(NamedTuple):
    """One method. ``figures`` and ``by_category`` have the keys of ``metrics.METRICS``, 0 to 1; ``p50_ms`` and
    ``p95_ms`` are warm questions in one process; ``tokens`` (characters / 4) are those of the first five places."""

    method: str
    name: str
    figures: Mapping[str, Interval]
    by_category: Mapping[str, Mapping[str, float]]
    p50_ms: float
    p95_ms: float
    tokens: float


class Report(NamedTuple):
    """``categories`` are the questions asked by category."""

    conversations: tuple[str, ...]
    files: int
    turns: int
    questions: int
    categories: Mapping[str, int]
    skipped: Skipped
    rows: tuple[Row, ...]
