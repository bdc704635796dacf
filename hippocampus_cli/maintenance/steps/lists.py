"""The generated lists of the master, drawn again (decision D4, INDEX §8.2)."""

from __future__ import annotations

from hippocampus_cli.index.files import MASTER
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.views import SECTIONS, refreshed
from hippocampus_cli.maintenance.actions import Action, Kind, Planned
from hippocampus_cli.maintenance.bootstrap import view_limits
from hippocampus_cli.maintenance.snapshot import Snapshot


def redraw(index: Hierarchy, snapshot: Snapshot) -> Planned:
    """The lists that the master has; a hand-made index without them gets none."""
    beyond = len(index.entries) - len(index.master.entries)
    limits = view_limits(snapshot.config)
    drawn = refreshed(index.master, snapshot.clock(index), limits, beyond=beyond)
    old, new = index.master.views, drawn.views
    changed = [name for name in SECTIONS if name in new and new[name] != old.get(name)]
    actions = tuple(Action(Kind.LIST, name, f"{SECTIONS[name]} drawn again") for name in changed)
    return Planned(index.with_file(MASTER, drawn) if changed else index, actions)
