"""Accesses that could not be written down when they happened (INDEX §8.2 daily 3)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import repeat

from hippocampus_cli.index.entry import Entry
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.maintenance.actions import Action, Kind, Planned
from hippocampus_cli.maintenance.snapshot import Snapshot
from hippocampus_cli.workspace.journal_read import Event

_UNWRITTEN = "while the index could not be written"
_OVERWRITTEN = "and overwritten by a program that had read the index before"


def fold_accesses(index: Hierarchy, snapshot: Snapshot) -> Planned:
    """Each as the retrieval it was, at its own moment; those up to ``snapshot.folded`` are in already.

    Those after ``snapshot.now`` wait, be they of a clock that was ahead or written after the journal was read.
    """
    clock = snapshot.clock(index)
    used: dict[str, Entry] = {}
    wanted: dict[str, dict[str, str]] = {}
    actions = []
    events = [
        one
        for one in snapshot.events
        if one.at <= snapshot.now and not (snapshot.folded and one.at <= snapshot.folded)
    ]
    accesses = [(one, key, _UNWRITTEN) for one in events for key in one.missed]
    for event, key, why in (*_overwritten(index, snapshot.since_checkout(events)), *accesses):
        located = index.find(key)
        if located is None or located.entry.hx_span is None or not located.entry.closed:
            continue
        entry = used.get(located.key, located.entry)
        then = clock._replace(now=event.at.astimezone(snapshot.now.tzinfo))
        values = then.retrieved(entry)
        used[located.key] = entry.with_values(values)
        wanted.setdefault(located.key, {}).update(values)
        reason = f"used on {then.now:%Y-%m-%d at %H:%M}, {why}"
        actions.append(Action(Kind.ACCESS, located.key, reason, str(entry.hits), values["hits"]))
    return Planned(index.set_values(wanted), tuple(actions))


def _overwritten(index: Hierarchy, events: Sequence[Event]) -> Iterator[tuple[Event, str, str]]:
    """Accesses that were written down, and lost to somebody who saved what they had read before.

    Each access makes one hit more. So an entry has no fewer than after any of them, unless its file was
    overwritten; and where it was, and the entry was used again, a number of hits comes twice.
    """
    counted: dict[str, list[int]] = defaultdict(list)
    last: dict[str, Event] = {}
    for event in events:
        for key, hits in event.hits.items():
            counted[key].append(hits)
            last[key] = event
    for key, numbers in counted.items():
        located = index.find(key)
        if located is not None:
            twice = len(numbers) - len(set(numbers))
            lost = twice + max(0, max(numbers) - located.entry.hits)
            yield from repeat((last[key], key, _OVERWRITTEN), min(lost, len(numbers)))
