"""How the entries will stand if nobody asks for them: what ``hippo forecast`` tells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from hippocampus_cli.config.settings import Bands
from hippocampus_cli.errors import UsageError
from hippocampus_cli.index.decay import Band, Curve, DecayClock, band
from hippocampus_cli.index.document import Located
from hippocampus_cli.index.forecast import Crossing, archiving, crossings

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
class EntryForecast:
    """The curve of one entry: its strength and its band at each step."""

    id: str
    topic: str
    values: tuple[float, ...]
    bands: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Forecast:
    """The next ``days`` days from the moment ``at``.

    ``bounds`` are the strengths at which a band ends; ``events`` are in order of time, ``steps`` evenly
    spaced from now to the last day, ``curves`` in the order in which the entries were named.
    """

    at: datetime
    days: int
    entries: int
    bounds: dict[str, float]
    events: tuple[Event, ...]
    steps: tuple[Step, ...]
    curves: tuple[EntryForecast, ...]


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
    curves: bool = False,
) -> Forecast:
    """The forecast for ``entries``, at most ``steps`` steps from now on; with ``curves`` that of each.

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
        curves=tuple(map(_of_entry, fates)) if curves else (),
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


def _of_entry(fate: _Fate) -> EntryForecast:
    return EntryForecast(
        id=fate.located.key,
        topic=fate.located.entry.topic,
        values=tuple(round(value, 4) for value in fate.values),
        bands=tuple(one.value for one in fate.bands),
    )
