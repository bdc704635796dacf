"""Strengths as of now (INDEX §8.2 daily 1, decisions D8 and D9)."""

from __future__ import annotations

from hippocampus_cli.index.decay import DecayClock, hours_between
from hippocampus_cli.index.document import Located
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.settle import ages, strengths
from hippocampus_cli.maintenance.actions import Action, Kind, Planned
from hippocampus_cli.maintenance.snapshot import Snapshot


def recalculate(index: Hierarchy, snapshot: Snapshot) -> Planned:
    """``str`` of every entry; ``base`` where another tool wrote none, so that nothing jumps (D8)."""
    clock = snapshot.clock(index)
    values: dict[str, dict[str, str]] = {}
    actions = []
    for located in index.entries:
        if not ages(located):
            continue
        wanted, held = strengths(located, clock), located.entry.values
        if any(held.get(name) != raw for name, raw in wanted.items()):
            values[located.key] = wanted
            before = held.get("str", "")
            actions.append(
                Action(Kind.STRENGTH, located.key, _age(located, clock), before, wanted["str"])
            )
    return Planned(index.set_values(values), tuple(actions))


def _age(located: Located, clock: DecayClock) -> str:
    last = located.entry.accessed or located.entry.created
    days = int(hours_between(last, clock.now) // 24) if last else 0
    return f"{days:,} {'day' if days == 1 else 'days'} since it was last used"
