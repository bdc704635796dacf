"""Strengths as of now (INDEX §8.2 daily 1, decisions D8 and D9)."""

from __future__ import annotations

from hippocampus_cli.index.decay import DecayClock, band, hours_between
from hippocampus_cli.index.document import Located
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.settle import ages, reindexed, strengths
from hippocampus_cli.maintenance.actions import Action, Kind, Planned
from hippocampus_cli.maintenance.snapshot import Snapshot


def recalculate(index: Hierarchy, snapshot: Snapshot) -> Planned:
    """``str`` where the entry's band is another than it says (D21); readers compute what it is in between."""
    clock, bands = snapshot.clock(index), snapshot.config.bands
    values: dict[str, dict[str, str]] = {}
    actions = []
    for located in index.entries:
        stored = located.entry.strength
        strength = clock.strength(located.entry)
        if not ages(located) or (
            stored is not None and band(stored, bands) is band(strength, bands)
        ):
            continue
        wanted, held = strengths(located, clock), located.entry.values
        if any(held.get(name, "") != raw for name, raw in wanted.items()):
            values[located.key] = wanted
            before = held.get("str", "")
            actions.append(
                Action(Kind.STRENGTH, located.key, _age(located, clock), before, wanted["str"])
            )
    if values:  # what is reckoned from the header's time moves with it
        index = reindexed(index, clock).set_values(values)
    return Planned(index, tuple(actions))


def _age(located: Located, clock: DecayClock) -> str:
    last = located.entry.accessed or located.entry.created
    days = int(hours_between(last, clock.now) // 24) if last else 0
    return f"{days:,} {'day' if days == 1 else 'days'} since it was last used"
