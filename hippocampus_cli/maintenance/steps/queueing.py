"""Into the Decay Queue and back (INDEX §8.2 daily 4, decision D11)."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime

from hippocampus_cli.index import fields
from hippocampus_cli.index.document import Located
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.home import home_of, home_value
from hippocampus_cli.maintenance.actions import Action, Kind, Planned
from hippocampus_cli.maintenance.snapshot import QUEUE, Snapshot


def queue_silent(index: Hierarchy, snapshot: Snapshot) -> Planned:
    """Silent entries move into the queue; ``queued`` is the day, ``home`` the section they came from."""
    clock, silent = snapshot.clock(index), snapshot.config.bands.silent
    today = fields.write_date(snapshot.now.date())
    values: dict[str, dict[str, str]] = {}
    moving: list[str] = []
    actions = []
    for located in index.entries:
        strength = clock.strength(located.entry)
        if strength >= silent or not may_fade(Kind.QUEUE, located, snapshot):
            continue
        waiting = in_queue(located)
        if waiting and located.entry.values.get("queued"):
            continue
        values[located.key] = {"queued": today}
        if not waiting:
            values[located.key]["home"] = home_value(located.section)
            moving.append(located.key)
        reason = f"silent: strength {strength:.2f} is below {silent:g}"
        before = "" if waiting else " > ".join(located.section)
        actions.append(Action(Kind.QUEUE, located.key, reason, before, QUEUE[0]))
    return Planned(index.set_values(values).moved(moving, QUEUE), tuple(actions))


def revive(index: Hierarchy, snapshot: Snapshot) -> Planned:
    """What was used again returns to its section; what a person put into the queue stays there."""
    clock, silent = snapshot.clock(index), snapshot.config.bands.silent
    homes: dict[tuple[str, ...], list[str]] = defaultdict(list)
    actions = []
    for located in index.entries:
        strength = clock.strength(located.entry)
        stamped = located.entry.values.get("queued")
        if not stamped or not in_queue(located) or strength < silent:
            continue
        if not snapshot.may(Kind.REVIVE, located):
            continue
        home = home_of(located.entry, index)
        homes[home].append(located.key)
        reason = f"used again: strength {strength:.2f}"
        actions.append(Action(Kind.REVIVE, located.key, reason, QUEUE[0], " > ".join(home)))
    for home, keys in homes.items():
        for key in keys:
            index = index.change(key, lambda entry: entry.without("queued").without("home"))
        index = index.moved(keys, home)
    return Planned(index, tuple(actions))


def may_fade(kind: Kind, located: Located, snapshot: Snapshot) -> bool:
    """Whether an entry may be put away for its weakness: a pinned one never, however weak it was pinned."""
    pinned = located.entry.pri is fields.Priority.AMYGDALA
    return not pinned and snapshot.may(kind, located)


def in_queue(located: Located) -> bool:
    """Whether an entry stands in the Decay Queue."""
    return any(title.casefold() == QUEUE[0].casefold() for title in located.section)


def queued_days(located: Located, now: datetime) -> int | None:
    """For how many days an entry has been silent in the queue; ``None`` where it is not known."""
    since = located.entry.queued
    if since is None:
        return None
    day = since.date() if isinstance(since, datetime) else since
    return (now.date() - day).days
