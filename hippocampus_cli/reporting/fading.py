"""How the entries stand, now and later: bands, average, forecast (INDEX §7, decisions D7 to D11)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta
from typing import NamedTuple

from hippocampus_cli.config.settings import Bands, Decay
from hippocampus_cli.index.decay import (
    Band,
    DecayClock,
    band,
    forgetting_factor,
    hours_between,
    retention,
)
from hippocampus_cli.index.entry import Entry
from hippocampus_cli.reporting.health import Step

STEPS = (*range(0, 90, 7), 90)
"""Days from now at which a forecast looks."""


class Curve(NamedTuple):
    """One entry's strength as a function of time alone: what :meth:`DecayClock.strength` computes, read once."""

    base: float
    last: date | datetime | None
    factor: float

    def strength(self, moment: datetime, rates: Decay) -> float:
        """Strength at ``moment`` if the entry is not retrieved until then."""
        if self.last is None:
            return self.base
        return self.base * retention(hours_between(self.last, moment), rates, self.factor)


def curve(entry: Entry, clock: DecayClock) -> Curve:
    """The curve on which the entry's strength falls."""
    factor = forgetting_factor(entry, clock.rates, clock.ids)
    return Curve(clock.base(entry), entry.accessed or entry.created, factor)


def forecast(curves: Sequence[Curve], clock: DecayClock, bands: Bands) -> tuple[Step, ...]:
    """The entries by band at each of ``STEPS``, if nothing is retrieved, added or archived until then."""
    found = []
    for days in STEPS:
        moment = clock.now + timedelta(days=days)
        strengths = [one.strength(moment, clock.rates) for one in curves]
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
