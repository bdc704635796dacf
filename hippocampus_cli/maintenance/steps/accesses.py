"""Accesses that could not be written down when they happened (INDEX §8.2 daily 3)."""

from __future__ import annotations

from hippocampus_cli.index.entry import Entry
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.maintenance.actions import Action, Kind, Planned
from hippocampus_cli.maintenance.snapshot import Snapshot


def fold_accesses(index: Hierarchy, snapshot: Snapshot) -> Planned:
    """Each as the retrieval it was, at its own moment; those up to ``snapshot.folded`` are in already.

    Those after ``snapshot.now`` wait, be they of a clock that was ahead or written after the journal was read.
    """
    clock = snapshot.clock(index)
    used: dict[str, Entry] = {}
    wanted: dict[str, dict[str, str]] = {}
    actions = []
    for event in snapshot.events:
        if event.at > snapshot.now or (snapshot.folded and event.at <= snapshot.folded):
            continue
        for key in event.missed:
            located = index.find(key)
            if located is None or located.entry.hx_span is None or not located.entry.closed:
                continue
            entry = used.get(located.key, located.entry)
            then = clock._replace(now=event.at.astimezone(snapshot.now.tzinfo))
            values = then.retrieved(entry)
            used[located.key] = entry.with_values(values)
            wanted.setdefault(located.key, {}).update(values)
            reason = f"used on {then.now:%Y-%m-%d at %H:%M}, while the index could not be written"
            actions.append(
                Action(Kind.ACCESS, located.key, reason, str(entry.hits), values["hits"])
            )
    return Planned(index.set_values(wanted), tuple(actions))
