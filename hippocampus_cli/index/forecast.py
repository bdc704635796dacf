"""Forecast: when an entry falls below which bound if nobody asks for it (INDEX §7, decisions D7 to D11).

The power law solved for time, and what upkeep does with an entry that has fallen silent.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from typing import NamedTuple

from hippocampus_cli.config.settings import Bands
from hippocampus_cli.index.decay import Band, Curve, band, hours_until
from hippocampus_cli.index.entry import Entry, Form
from hippocampus_cli.index.metadata import Priority

ARCHIVE = "archive"
"""Where an entry goes below the last band."""


class Crossing(NamedTuple):
    """At ``at`` an entry goes from band ``before`` to ``after``, which is a band or ``ARCHIVE``.

    ``bound`` is the strength it falls below, the lowest where it falls below several at once; None where it
    is archived for the time it was silent.
    """

    at: datetime
    before: str
    after: str
    bound: float | None


def falls_below(curve: Curve, bound: float, now: datetime, until: datetime) -> datetime | None:
    """The first moment after ``now`` and not after ``until`` at which the strength is below ``bound``.

    A day's start where the access is a date, the second where it is a date-time (D9). None where the strength
    is below ``bound`` already, or stays above it.
    """
    last = curve.last
    if last is None or curve.strength(now) < bound or curve.strength(until) >= bound:
        return None
    step, start = timedelta(days=1), last
    if isinstance(last, datetime):
        step, start = timedelta(seconds=1), last if last.tzinfo else last.replace(tzinfo=now.tzinfo)
    hours = hours_until(bound / curve.base, curve.rates, curve.factor) - curve.head_start
    number = math.floor(timedelta(hours=hours) / step)
    # After exactly ``hours`` the strength is the bound, and rounding may put that a step off to either side.
    nearest = (_moment(start + step * more, now) for more in range(max(0, number - 1), number + 2))
    return next((at for at in nearest if curve.strength(at) < bound), None)


def crossings(curve: Curve, bands: Bands, now: datetime, until: datetime) -> Iterator[Crossing]:
    """Every fall into a lower band after ``now`` and not after ``until``, in order."""
    falls: dict[datetime, float] = {}
    for bound in (bands.strong, bands.moderate, bands.weak, bands.silent):
        at = falls_below(curve, bound, now, until)
        if at is not None:
            falls[at] = bound
    before = band(curve.strength(now), bands)
    for at, bound in falls.items():
        after = band(curve.strength(at), bands)
        yield Crossing(at, before.value, after.value, bound)
        before = after


def archiving(
    entry: Entry, curve: Curve, bands: Bands, now: datetime, until: datetime
) -> Crossing | None:
    """From when on upkeep moves an entry to the archive (D11): pruned, or silent in the queue for too long.

    An entry that is due already is so at ``now``. None: not until then, or never: upkeep leaves pinned
    and consolidated entries and bullets where they are.
    """
    kept = entry.pri is Priority.AMYGDALA or bool(entry.values.get("consolidated"))
    if kept or entry.form is Form.BULLET or not entry.closed:
        return None
    silent = _below_from(curve, bands.silent, now, until)
    if silent is None:
        return None
    queued = entry.queued if silent == now and entry.queued else silent
    aged = _days_later(queued, bands.archive_after_days, silent, until)
    pruned = _below_from(curve, bands.prune, now, until)
    if pruned is not None and (aged is None or pruned <= aged):
        return Crossing(pruned, Band.SILENT.value, ARCHIVE, bands.prune)
    return Crossing(aged, Band.SILENT.value, ARCHIVE, None) if aged else None


def _below_from(curve: Curve, bound: float, now: datetime, until: datetime) -> datetime | None:
    return now if curve.strength(now) < bound else falls_below(curve, bound, now, until)


def _days_later(
    queued: date | datetime, days: int, earliest: datetime, until: datetime
) -> datetime | None:
    """The start of the day so many days after ``queued``, or ``earliest``; None after ``until``."""
    day = queued.date() if isinstance(queued, datetime) else queued
    if (until.date() - day).days < days:
        return None
    return max(earliest, _moment(day + timedelta(days=days), until))


def _moment(day: date | datetime, now: datetime) -> datetime:
    """A date as its start, a date-time as the same moment, both where ``now`` is."""
    if isinstance(day, datetime):
        return day.astimezone(now.tzinfo)
    return datetime.combine(day, time.min, now.tzinfo)
