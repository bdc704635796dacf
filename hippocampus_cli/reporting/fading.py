"""How the entries stand, now and later: bands, average, forecast (INDEX §7, decisions D7 to D11)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import timedelta

from hippocampus_cli.config.settings import Bands
from hippocampus_cli.index.decay import Band, Curve, DecayClock, band
from hippocampus_cli.reporting.health import Step

STEPS = (*range(0, 90, 7), 90)
"""Days from now at which a forecast looks."""


def forecast(curves: Sequence[Curve], clock: DecayClock, bands: Bands) -> tuple[Step, ...]:
    """The entries by band at each of ``STEPS``, if nothing is retrieved, added or archived until then."""
    found = []
    for days in STEPS:
        moment = clock.now + timedelta(days=days)
        strengths = [one.strength(moment) for one in curves]
        counts = counted(band(one, bands) for one in strengths)
        found.append(Step(days, moment.date(), counts, average(strengths)))
    return tuple(found)


def counted(bands: Iterable[Band]) -> dict[str, int]:
    """How many of each band there are, the strongest first."""
    counts = dict.fromkeys(map(str, Band), 0)
    for one in bands:
        counts[one.value] += 1
    return counts


def average(strengths: Sequence[float]) -> float | None:
    """The mean, or ``None`` of nothing."""
    return round(sum(strengths) / len(strengths), 4) if strengths else None
