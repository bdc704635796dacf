"""The generated lists of the master, drawn again (decision D4, INDEX §8.2)."""

from __future__ import annotations

from hippocampus_cli.index.decay import DecayClock
from hippocampus_cli.index.document import Document
from hippocampus_cli.index.files import MASTER
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.views import SECTIONS, refreshed
from hippocampus_cli.maintenance.actions import Action, Kind, Planned
from hippocampus_cli.maintenance.bootstrap import view_limits
from hippocampus_cli.maintenance.snapshot import Snapshot


def is_behind(index: Hierarchy, snapshot: Snapshot) -> bool:
    """Whether the lists are other than they should be as of the header's time (D21), or a header counts wrongly."""
    drawn = _drawn(index, snapshot, snapshot.clock(index).as_of_header())
    return drawn != index.master or index.counted() != index


def redraw(index: Hierarchy, snapshot: Snapshot) -> Planned:
    """The lists that the master has; a hand-made index without them gets none."""
    drawn = _drawn(index, snapshot, snapshot.clock(index))
    old, new = index.master.views, drawn.views
    changed = [name for name in SECTIONS if name in new and new[name] != old.get(name)]
    actions = tuple(Action(Kind.LIST, name, f"{SECTIONS[name]} drawn again") for name in changed)
    return Planned(index.with_file(MASTER, drawn) if changed else index, actions)


def _drawn(index: Hierarchy, snapshot: Snapshot, clock: DecayClock) -> Document:
    beyond = len(index.entries) - len(index.master.entries)
    return refreshed(index.master, clock, view_limits(snapshot.config), beyond=beyond)
