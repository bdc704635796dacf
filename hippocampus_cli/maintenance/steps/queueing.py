"""Into the Decay Queue and back (INDEX §8.2 daily 4, decision D11)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from hippocampus_cli.drafting.shelves import place_of
from hippocampus_cli.index import fields
from hippocampus_cli.index.archive import QUEUE, all_revived, is_queued, queued
from hippocampus_cli.index.document import Located
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.maintenance.actions import Action, Kind, Planned
from hippocampus_cli.maintenance.snapshot import Snapshot
from hippocampus_cli.maintenance.steps.applying import applied


def queue_silent(index: Hierarchy, snapshot: Snapshot) -> Planned:
    """Silent entries move into the queue; ``queued`` is the day, ``home`` the section they came from."""
    clock, silent = snapshot.clock(index), snapshot.config.bands.silent
    parts = []
    for located in index.entries:
        strength = clock.strength(located.entry)
        if strength >= silent or not may_fade(Kind.QUEUE, located, snapshot):
            continue
        waiting = is_queued(located)
        if waiting and located.entry.values.get("queued"):
            continue
        reason = f"silent: strength {strength:.2f} is below {silent:g}"
        before = "" if waiting else " > ".join(located.section)
        parts.append(Action(Kind.QUEUE, located.key, reason, before, QUEUE[0]))

    def apply(index: Hierarchy, parts: Sequence[Action]) -> Hierarchy:
        return queued(index, [one.key for one in parts], snapshot.now.date())

    index, done = applied(index, parts, apply)
    return Planned(index, tuple(done))


def revive(index: Hierarchy, snapshot: Snapshot) -> Planned:
    """What was used again returns to its section; what a person put into the queue stays there."""
    clock, silent = snapshot.clock(index), snapshot.config.bands.silent
    parts = [
        Action(Kind.REVIVE, located.key, f"used again: strength {strength:.2f}", QUEUE[0])
        for located in index.entries
        if is_queued(located) and located.entry.values.get("queued")
        if (strength := clock.strength(located.entry)) >= silent
        if snapshot.may(Kind.REVIVE, located)
    ]

    def apply(index: Hierarchy, parts: Sequence[Action]) -> Hierarchy:
        places = {one.key: place_of(index.master, index.by_key[one.key].entry) for one in parts}
        return all_revived(index, places)

    index, done = applied(index, parts, apply)
    named = (one._replace(after=" > ".join(index.by_key[one.key].section)) for one in done)
    return Planned(index, tuple(named))


def may_fade(kind: Kind, located: Located, snapshot: Snapshot) -> bool:
    """Whether an entry may be put away for its weakness: a pinned one never, however weak it was pinned."""
    pinned = located.entry.pri is fields.Priority.AMYGDALA
    return not pinned and snapshot.may(kind, located)


def queued_days(located: Located, now: datetime) -> int | None:
    """For how many days an entry has been silent in the queue; ``None`` where it is not known."""
    since = located.entry.queued
    if since is None:
        return None
    day = since.date() if isinstance(since, datetime) else since
    return (now.date() - day).days
