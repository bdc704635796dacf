"""Accesses that could not be written down when they happened (INDEX §8.2 daily 3)."""

from __future__ import annotations

from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.maintenance.actions import Action, Kind, Planned
from hippocampus_cli.maintenance.snapshot import Snapshot


def fold_accesses(index: Hierarchy, snapshot: Snapshot) -> Planned:
    """Each as the retrieval it was, at its own moment; those up to ``snapshot.folded`` are in already.

    Those after ``snapshot.now`` wait, be they of a clock that was ahead or written after the journal was read.
    """
    clock = snapshot.clock(index)
    actions = []
    for event in snapshot.events:
        if event.at > snapshot.now or (snapshot.folded and event.at <= snapshot.folded):
            continue
        for key in event.missed:
            located = index.find(key)
            if located is None or located.entry.hx_span is None or not located.entry.closed:
                continue
            then = clock._replace(now=event.at.astimezone(snapshot.now.tzinfo))
            values = then.retrieved(located.entry)
            index = index.set_values({located.key: values})
            reason = f"used on {then.now:%Y-%m-%d at %H:%M}, while the index could not be written"
            hits = str(located.entry.hits)
            actions.append(Action(Kind.ACCESS, located.key, reason, hits, values["hits"]))
    return Planned(index, tuple(actions))
