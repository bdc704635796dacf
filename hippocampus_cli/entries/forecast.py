"""How the entries will stand if nobody asks for them, for ``hippo report`` (INDEX §7, decisions D7 to D11).

The power law solved for time, and what upkeep does with an entry that has fallen silent.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import NamedTuple

from hippocampus_cli.config.settings import Bands
from hippocampus_cli.errors import UsageError
from hippocampus_cli.index.decay import Band, Curve, DecayClock, band
from hippocampus_cli.index.document import Located
from hippocampus_cli.index.entry import Entry, Form
from hippocampus_cli.index.metadata import Priority

ARCHIVE = "archive"
"""Where an entry goes below the last band."""
_LONGEST = 36_500  # days


@dataclass(frozen=True, slots=True)
class Event:
    """An entry leaves a band. Public, as all here: the field names are the keys of ``--json``.

    ``before`` and ``after`` are bands; ``after`` is ``archive`` where upkeep may take the entry out of the
    index from ``at`` on. ``bound`` is the strength it falls below, None for the time it was silent; ``days``
    counts from today; ``strength`` is that of now.
    """

    at: datetime
    days: int
    id: str
    topic: str
    before: str
    after: str
    bound: float | None
    strength: float


@dataclass(frozen=True, slots=True)
class Step:
    """How the entries stand ``days`` from now: ``average`` strength (None: no entry is left) and counts.

    ``bands`` counts those in the index by band, the strongest first; ``archived`` those that upkeep took out.
    """

    day: date
    days: int
    average: float | None
    bands: dict[str, int]
    archived: int


@dataclass(frozen=True, slots=True)
class Forecast:
    """The next ``days`` days from the moment ``at``.

    ``bounds`` are the strengths at which a band ends; ``events`` are in order of time, ``steps`` evenly
    spaced from now to the last day.
    """

    at: datetime
    days: int
    entries: int
    bounds: dict[str, float]
    events: tuple[Event, ...]
    steps: tuple[Step, ...]


class Crossing(NamedTuple):
    """At ``at`` an entry goes from band ``before`` to ``after``, which is a band or ``ARCHIVE``.

    ``bound`` is the strength it falls below, the lowest where it falls below several at once; None where it
    is archived for the time it was silent.
    """

    at: datetime
    before: str
    after: str
    bound: float | None


@dataclass(frozen=True, slots=True)
class _Fate:
    """What is to come for one entry: its moves, and its strength and band at each step."""

    located: Located
    moves: tuple[Crossing, ...]
    gone: datetime | None
    values: tuple[float, ...]
    bands: tuple[Band, ...]


def forecast(
    entries: Iterable[Located],
    clock: DecayClock,
    bands: Bands,
    *,
    days: int,
    steps: int,
) -> Forecast:
    """The forecast for ``entries``, at most ``steps`` steps from now on.

    Raises :class:`UsageError` for days that no calendar has.
    """
    moments = _moments(clock.now, days, steps)
    fates = [_fate(one, clock.curve(one.entry), bands, moments) for one in entries]
    events = (_event(fate, move, clock.now) for fate in fates for move in fate.moves)
    return Forecast(
        at=clock.now,
        days=days,
        entries=len(fates),
        bounds={name: getattr(bands, name) for name in ("strong", "moderate", "weak", "silent")},
        events=tuple(sorted(events, key=lambda one: one.at)),
        steps=tuple(_step(fates, at, moment, clock.now) for at, moment in enumerate(moments)),
    )


def _moments(now: datetime, days: int, steps: int) -> list[datetime]:
    """Now and whole days later, evenly spaced, the last one ``days`` days from now."""
    if not 1 <= days <= _LONGEST:
        raise UsageError(
            reason=f"a forecast of {days:,} days", advice=f"ask for 1 to {_LONGEST:,} days"
        )
    count = max(1, min(days, steps))
    try:
        return [now + timedelta(days=round(at * days / count)) for at in range(count + 1)]
    except OverflowError:
        raise UsageError(
            reason=f"the calendar ends before {days:,} days are over", advice="ask for fewer days"
        ) from None


def _fate(located: Located, curve: Curve, bands: Bands, moments: Sequence[datetime]) -> _Fate:
    now, until = moments[0], moments[-1]
    left = archiving(located.entry, curve, bands, now, until)
    values = tuple(curve.strength(moment) for moment in moments)
    return _Fate(
        located,
        (*crossings(curve, bands, now, until), *([left] if left else [])),
        left.at if left else None,
        values,
        tuple(band(value, bands) for value in values),
    )


def _event(fate: _Fate, move: Crossing, now: datetime) -> Event:
    return Event(
        at=move.at,
        days=(move.at.date() - now.date()).days,
        id=fate.located.key,
        topic=fate.located.entry.topic,
        before=move.before,
        after=move.after,
        bound=move.bound,
        strength=round(fate.values[0], 4),
    )


def _step(fates: Sequence[_Fate], at: int, moment: datetime, now: datetime) -> Step:
    there = [
        fate for fate in fates if moment == now or fate.gone is None or fate.gone > moment
    ]  # what is due now has not been taken out yet
    counts = Counter(fate.bands[at] for fate in there)
    total = sum(fate.values[at] for fate in there)
    return Step(
        day=moment.date(),
        days=(moment.date() - now.date()).days,
        average=round(total / len(there), 4) if there else None,
        bands={one.value: counts[one] for one in Band},
        archived=len(fates) - len(there),
    )


def falls_below(curve: Curve, bound: float, now: datetime, until: datetime) -> datetime | None:
    """The first moment after ``now`` and not after ``until`` at which the strength is below ``bound``.

    A day's start where the access is a date, the second where it is a date-time (D9). None where the strength
    is below ``bound`` already, or stays above it.
    """
    last, hours = curve.last, curve.hours_until(bound)
    if last is None or hours is None:
        return None
    if curve.strength(now) < bound or curve.strength(until) >= bound:
        return None
    step, start = timedelta(days=1), last
    if isinstance(last, datetime):
        step, start = timedelta(seconds=1), last if last.tzinfo else last.replace(tzinfo=now.tzinfo)
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
