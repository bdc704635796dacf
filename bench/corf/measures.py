"""The figures of CORF from what was asked and what was returned. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bench.corf.dataset import Query
from bench.corf.report import Row
from bench.intervals import intervals, quantile
from hippocampus_cli.benchmark.corpus import Span


class Answer(NamedTuple):
    """What one question got, best first, and how long that took."""

    query: Query
    shown: Sequence[Span]
    ms: float

    def found(self, most: int) -> bool:
        """Whether one of the first ``most`` chunks holds or overlaps a right place."""
        return any(
            gold.meets(one.path, one.start, one.end)
            for one in self.shown[:most]
            for gold in self.query.gold
        )


def row(method: str, name: str, answers: Sequence[Answer], at: Sequence[int]) -> Row:
    """The figures of one method at each K of ``at``, ascending."""
    asked = [one for one in answers if one.query.gold]
    absent = [one for one in answers if not one.query.gold]
    most = at[-1]
    recall = intervals([[float(one.found(k)) for one in asked] for k in at])
    times = sorted(one.ms for one in answers)
    later = [one for one in asked if one.query.updated_after_build]
    return Row(
        method=method,
        name=name,
        recall=dict(zip(at, recall, strict=True)),
        by_kind=_by_kind(asked, at),
        recall_updated=_mean([float(one.found(most)) for one in later]) if later else None,
        iir=_irrelevant(asked, most),
        iir_absent=_mean([float(bool(one.shown)) for one in absent]) if absent else None,
        scr=_mean([_covered(one, most) for one in asked]),
        returned=_mean([float(len(one.shown[:most])) for one in answers]),
        p50_ms=quantile(times, 0.5),
        p95_ms=quantile(times, 0.95),
    )


def _by_kind(asked: Sequence[Answer], at: Sequence[int]) -> dict[str, dict[int, float]]:
    kinds = dict.fromkeys(one.query.kind for one in asked)
    found = {}
    for kind in kinds:
        own = [one for one in asked if one.query.kind == kind]
        found[kind] = {k: _mean([float(one.found(k)) for one in own]) for k in at}
    return found


def _irrelevant(asked: Sequence[Answer], most: int) -> float:
    """The share of all chunks returned that are of a file without a right place."""
    wrong = whole = 0
    for one in asked:
        right = {gold.path for gold in one.query.gold}
        wrong += sum(span.path not in right for span in one.shown[:most])
        whole += len(one.shown[:most])
    return wrong / whole if whole else 0.0


def _covered(one: Answer, most: int) -> float:
    """The share of the files with a right place that are among those returned."""
    right = {gold.path for gold in one.query.gold}
    return len(right & {span.path for span in one.shown[:most]}) / len(right)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
