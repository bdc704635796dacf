"""To the archive: what is weak beyond use, and what was silent for long (INDEX §8.2, decision D11)."""

from __future__ import annotations

from hippocampus_cli.index.archive import retired
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.maintenance.actions import Action, Kind, Planned
from hippocampus_cli.maintenance.snapshot import Snapshot
from hippocampus_cli.maintenance.steps.queueing import in_queue, may_fade, queued_days


def prune(index: Hierarchy, snapshot: Snapshot) -> Planned:
    """Entries of the queue that are weaker than ``bands.prune``."""
    clock, bound = snapshot.clock(index), snapshot.config.bands.prune
    actions = [
        Action(Kind.PRUNE, one.key, f"strength {strength:.3f} is below {bound:g}", after="archive")
        for one in index.entries
        if in_queue(one) and (strength := clock.strength(one.entry)) < bound
        if may_fade(Kind.PRUNE, one, snapshot)
    ]
    return _to_archive(index, snapshot, actions, "pruned")


def archive_silent(index: Hierarchy, snapshot: Snapshot) -> Planned:
    """Entries that were silent in the queue for ``bands.archive_after_days``."""
    clock, bands = snapshot.clock(index), snapshot.config.bands
    actions = [
        Action(Kind.ARCHIVE, one.key, f"silent in the queue for {days:,} days", after="archive")
        for one in index.entries
        if in_queue(one) and clock.strength(one.entry) < bands.silent
        if (days := queued_days(one, snapshot.now)) is not None
        if days >= bands.archive_after_days and may_fade(Kind.ARCHIVE, one, snapshot)
    ]
    return _to_archive(index, snapshot, actions, "archived")


def _to_archive(index: Hierarchy, snapshot: Snapshot, actions: list[Action], why: str) -> Planned:
    keys = [action.key for action in actions]
    after = retired(index, keys, why, snapshot.now.date()) if keys else index
    return Planned(after, tuple(actions))
