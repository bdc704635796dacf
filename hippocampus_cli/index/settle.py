"""Strengths written down as of a moment, so that the header's time may move on (decision D8, INDEX §8.2)."""

from __future__ import annotations

from hippocampus_cli.index import fields
from hippocampus_cli.index.decay import DecayClock
from hippocampus_cli.index.document import Located
from hippocampus_cli.index.hierarchy import Hierarchy

_FINE = 6
"""Decimals of a strength that later ones are reckoned from: a year's daily losses show in them."""


def settled(index: Hierarchy, clock: DecayClock) -> Hierarchy:
    """The index with ``str`` of every entry as of now, and ``base`` where another tool wrote none.

    Strength is a function of state: writing it down changes nothing about it, now or later. Entries
    without metadata, or without a date to reckon from, stay as they are.
    """
    return index.set_values(
        {located.key: strengths(located, clock) for located in index.entries if ages(located)}
    )


def strengths(located: Located, clock: DecayClock) -> dict[str, str]:
    """The raw values that say how strong an entry is now."""
    entry, curve = located.entry, clock.curve(located.entry)
    strength = curve.strength(clock.now)
    if curve.head_start:  # no base says this; what is left is written finely enough to go on from
        return {"str": fields.write_strength(strength, _FINE)}
    values = {"str": fields.write_strength(strength)}
    if entry.base is None:
        values["base"] = fields.write_strength(curve.base, 4)
    return values


def ages(located: Located) -> bool:
    """Whether an entry has metadata that can be edited, and a date to reckon from."""
    entry = located.entry
    dated = (entry.accessed or entry.created) is not None
    return dated and entry.hx_span is not None and entry.closed
