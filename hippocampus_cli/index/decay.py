"""Decay: strength as a function of state and time (INDEX §7, decisions D7 to D11).

``strength = base × (1 + rate × hours) ^ (-forgetting × modifiers)``. Nothing here stores or compounds: the same
entry at the same moment has the same strength, however often it is computed. The formula is normative; the
example table of INDEX §7.1 (0.72 at a day, 0.16 at a year) does not follow from it (0.69 and 0.13). A strength in the
file is as of the header's time, or of the access itself (decisions D8, D21).
"""

from __future__ import annotations

import math
from collections.abc import Set as AbstractSet
from datetime import date, datetime, time, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING

from hippocampus_cli.config.settings import Bands, Decay
from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.index import metadata
from hippocampus_cli.index.entry import Entry

if TYPE_CHECKING:
    from hippocampus_cli.index.document import Document, Located
    from hippocampus_cli.index.hierarchy import Hierarchy


class Band(StrEnum):
    """How an entry is treated, by its strength (decision D11)."""

    STRONG = "strong"
    MODERATE = "moderate"
    WEAK = "weak"
    DECAYING = "decaying"
    SILENT = "silent"


def band(strength: float, bands: Bands) -> Band:
    """The band of a strength; a bound belongs to the band above it."""
    bounds = (bands.strong, bands.moderate, bands.weak, bands.silent)
    above = (name for name, bound in zip(Band, bounds, strict=False) if strength >= bound)
    return next(above, Band.SILENT)


def retention(hours: float, rates: Decay, factor: float = 1.0) -> float:
    """The share of the base that is left after ``hours``; 1 at and before 0 hours. ``factor`` 0: no decay."""
    return math.pow(1.0 + rates.rate * max(0.0, hours), -rates.forgetting * factor)


def hours_until(share: float, rates: Decay, factor: float) -> float:
    """The hours after which ``share`` of the base is left: the inverse of :func:`retention`.

    ``share`` is above 0; rate, forgetting and factor are not 0.
    """
    return (math.pow(share, -1.0 / (rates.forgetting * factor)) - 1.0) / rates.rate


def hours_between(accessed: date | datetime, now: datetime) -> float:
    """Hours since the access, never negative: whole days × 24 for a date, exact for a date-time (D9).

    A date-time without an offset is taken in the time zone of ``now``.
    """
    if isinstance(accessed, datetime):
        moment = accessed if accessed.tzinfo else accessed.replace(tzinfo=now.tzinfo)
        return max(0.0, (now - moment).total_seconds() / 3600)
    return max(0, (now.date() - accessed).days) * 24.0


def forgetting_factor(entry: Entry, rates: Decay, ids: AbstractSet[str]) -> float:
    """What multiplies an entry's forgetting rate (D10, D22); only relations to existing ``ids`` count."""
    by_priority = {
        metadata.Priority.AMYGDALA: 0.0,
        metadata.Priority.HIGH: rates.high_factor,
        metadata.Priority.LOW: rates.low_factor,
    }
    factor = by_priority.get(entry.pri, 1.0)
    if entry.src is metadata.Source.MANUAL:
        factor *= rates.manual_factor
    if len(({*entry.rel} & ids) - {entry.id}) >= rates.association_count:
        factor *= rates.association_factor
    return factor


class Curve(NamedTuple):
    """The strength of one entry as a function of time: what is left of ``base`` since ``last``.

    ``factor`` multiplies the forgetting rate; ``head_start`` are hours that had passed at ``last`` already.
    Without a readable date (``last`` is None) nothing decays.
    """

    base: float
    last: date | datetime | None
    rates: Decay
    factor: float
    head_start: float = 0.0

    def strength(self, now: datetime) -> float:
        """Strength at a moment, within 0 and the base."""
        if self.last is None:
            return self.base
        hours = self.head_start + hours_between(self.last, now)
        return self.base * retention(hours, self.rates, self.factor)

    def day_below(self, bound: float) -> date | None:
        """The day from which on the strength is below ``bound``; ``None`` where it never is, or after all days."""
        last = metadata.day_of(self.last)
        if last is None or not self.base * self.factor * self.rates.forgetting * self.rates.rate:
            return None
        try:
            hours = hours_until(bound / self.base, self.rates, self.factor) - self.head_start
            return last + timedelta(days=math.ceil(hours / 24))
        except OverflowError:
            return None


class DecayClock(NamedTuple):
    """What strength depends on besides the entry: the moment, the rates, the ids that exist.

    ``reindexed`` is the header's time: entries of other tools, which store ``str`` alone, had it then (D8).
    """

    now: datetime
    rates: Decay
    ids: frozenset[str] = frozenset()
    reindexed: datetime | None = None

    def as_of_header(self) -> DecayClock:
        """The clock at the header's time; this one where there is none."""
        if self.reindexed is None:
            return self
        return self._replace(now=self.reindexed.astimezone(self.now.tzinfo))

    def base(self, entry: Entry) -> float:
        """Strength right after the last access, 0 to 1; worked back from ``str`` where it is not stored."""
        return self.curve(entry).base

    def curve(self, entry: Entry) -> Curve:
        """The entry's strength over time if it is never retrieved, with today's relations."""
        last = entry.accessed or entry.created
        rates, factor = self.rates, forgetting_factor(entry, self.rates, self.ids)
        if entry.base is not None:
            return Curve(entry.base, last, rates, factor)
        stored = entry.strength
        # No entry has all of it a day after its access: such a ``str`` is as of the access itself (D21).
        if stored is None or stored == 1.0 or self.reindexed is None or entry.accessed is None:
            return Curve(rates.initial if stored is None else stored, last, rates, factor)
        kept = retention(hours_between(entry.accessed, self.reindexed), rates, factor)
        if stored <= kept:
            return Curve(stored / kept if stored else 0.0, last, rates, factor)
        # More than the curve allows at this age: go on from the time at which the curve has that strength. Otherwise
        # the entry would jump, and with a base above 1 a retrieval would leave it weaker in the long run.
        timed = isinstance(entry.accessed, datetime)
        then = self.reindexed if timed else _day(self.reindexed, self.now)
        return Curve(1.0, then, rates, factor, hours_until(stored, rates, factor))

    def strength(self, entry: Entry) -> float:
        """Strength now, within 0 and the base. An entry without a readable access date does not decay."""
        return self.curve(entry).strength(self.now)

    def retrieved(self, entry: Entry) -> dict[str, str]:
        """The raw values that one retrieval changes: one hit more, the clock reset, the base raised (D10).

        The first retrieval of a day raises the base by ``retrieval_boost``, further ones by ``same_day_boost``.
        """
        return {"hits": str(entry.hits + 1), **self.replayed(entry)}

    def replayed(self, entry: Entry) -> dict[str, str]:
        """The raw values that a defrag replay changes: as :meth:`retrieved`, without counting as a hit."""
        last = entry.accessed or entry.created
        today = self.now.date()
        massed = last is not None and _day(last, self.now) >= today
        boost = self.rates.same_day_boost if massed else self.rates.retrieval_boost
        base = min(1.0, self.base(entry) + boost)
        return {
            "accessed": metadata.write_date(self._moved_clock(last)),
            **written(base, base, entry if self.rates.initial == 1.0 else None),
        }

    def _moved_clock(self, last: date | datetime | None) -> date | datetime:
        """Now, in the form the entry uses. A date in the future stays: otherwise the entry would be weaker later."""
        if isinstance(last, datetime):
            now = self.now if last.tzinfo else self.now.replace(tzinfo=None)
            return max(last, now)
        return self.now.date() if last is None else max(last, self.now.date())


def written(strength: float, base: float, entry: Entry | None = None) -> dict[str, str]:
    """The raw ``str`` and ``base`` of an entry; an empty one is left out.

    A base of 1 is what a ``str`` of 1.00 says (D21): it is left out beside one, unless the entry spells it out. Both
    are left out where the entry has none: it begins at its full strength.
    """
    raw = {"str": metadata.write_strength(strength), "base": metadata.write_strength(base, 4)}
    if raw["str"] == raw["base"] == "1.00":
        if entry is not None and entry.strength is None and entry.base is None:
            return {"str": "", "base": ""}
        raw["base"] = entry.values["base"] if entry is not None and entry.base == 1.0 else ""
    return raw


def _day(moment: date | datetime, now: datetime) -> date:
    """The day of a moment where ``now`` is."""
    if not isinstance(moment, datetime):
        return moment
    try:
        return (moment.astimezone(now.tzinfo) if moment.tzinfo else moment).date()
    except OverflowError:  # in the first or last hours that the calendar has
        return moment.date()


def clock_for(index: Document | Hierarchy, now: datetime, rates: Decay) -> DecayClock:
    """The clock: the entries' ids, and the header's time, when strengths were last computed (decision D8)."""
    stated = index.header and index.header.reindexed
    stamp = metadata.read_date(stated) if stated else None
    if stamp is not None and not isinstance(stamp, datetime):
        stamp = datetime.combine(stamp, time())
    if stamp is not None and stamp.tzinfo is None:
        stamp = stamp.replace(tzinfo=now.tzinfo)
    return DecayClock(now, rates, index.ids, stamp)


_FINE = 6
"""Decimals of a strength from which later ones are computed: enough for a year of daily losses."""
_NEARLY = 1.0 - 10.0**-_FINE


def reindexed(index: Hierarchy, clock: DecayClock) -> Hierarchy:
    """The index with its header's figures as of now.

    Strengths that are computed from the header's time are first written as of now, with their ``base``: strength
    is a function of state, and what another tool wrote must not jump because the header moves.
    """
    if index.header is not None:
        leaning = {
            located.key: strengths(located, clock)
            for located in index.entries
            if ages(located) and located.entry.base is None
            if located.entry.strength not in (None, 1.0)
        }
        index = index.set_values(leaning)
    return index.counted(clock.now.isoformat("T", "seconds"))


def strengths(located: Located, clock: DecayClock) -> dict[str, str]:
    """The raw values that say how strong an entry is now."""
    entry, curve = located.entry, clock.curve(located.entry)
    strength = curve.strength(clock.now)
    if curve.head_start:  # no base gives this strength; write it finely enough to go on from
        return {"str": metadata.write_strength(min(strength, _NEARLY), _FINE)}
    values = written(strength, curve.base, entry)
    return values if entry.base is None else {"str": values["str"]}


def ages(located: Located) -> bool:
    """Whether an entry has metadata that can be edited, and a date to compute from."""
    entry = located.entry
    return entry.is_editable and (entry.accessed or entry.created) is not None
