"""The decay clock of an index, and the moment that a strength in the file is as of (D8, D21, INDEX §7, §8.2)."""

from __future__ import annotations

from datetime import datetime

from hippocampus_cli.config.settings import Decay
from hippocampus_cli.index import metadata
from hippocampus_cli.index.decay import DecayClock, written
from hippocampus_cli.index.document import Document, Located
from hippocampus_cli.index.entry import Entry
from hippocampus_cli.index.hierarchy import Hierarchy


def clock_for(index: Document | Hierarchy | None, now: datetime, rates: Decay) -> DecayClock:
    """The clock: the entries' ids, and the header's time, when strengths were last computed (decision D8)."""
    if index is None:
        return DecayClock(now, rates)
    header = index.header
    stamp = metadata.read_date(header.reindexed) if header and header.reindexed else None
    if stamp is not None and not isinstance(stamp, datetime):
        stamp = datetime(stamp.year, stamp.month, stamp.day)
    if stamp is not None and stamp.tzinfo is None:
        stamp = stamp.replace(tzinfo=now.tzinfo)
    return DecayClock(now, rates, index.ids, stamp)


_FINE = 6
"""Decimals of a strength that later ones are reckoned from: a year's daily losses show in them."""
_NEARLY = 1.0 - 10.0**-_FINE


def reindexed(index: Hierarchy, clock: DecayClock) -> Hierarchy:
    """The index with its header's figures as of now.

    Strengths that are reckoned from the header's time are written down as of now first, with their ``base``: strength
    is a function of state, and what another tool wrote must not jump because the header moves.
    """
    if index.header is not None:
        leaning = (one for one in index.entries if ages(one) and _leans_on_header(one.entry))
        index = index.set_values({one.key: strengths(one, clock) for one in leaning})
    return index.counted(clock.now.isoformat("T", "seconds"))


def strengths(located: Located, clock: DecayClock) -> dict[str, str]:
    """The raw values that say how strong an entry is now."""
    entry, curve = located.entry, clock.curve(located.entry)
    strength = curve.strength(clock.now)
    if curve.head_start:  # no base says this; what is left is written finely enough to go on from
        return {"str": metadata.write_strength(min(strength, _NEARLY), _FINE)}
    values = written(strength, curve.base, entry)
    return values if entry.base is None else {"str": values["str"]}


def ages(located: Located) -> bool:
    """Whether an entry has metadata that can be edited, and a date to reckon from."""
    entry = located.entry
    dated = (entry.accessed or entry.created) is not None
    return dated and entry.hx_span is not None and entry.closed


def _leans_on_header(entry: Entry) -> bool:
    return entry.base is None and entry.strength not in (None, 1.0)
