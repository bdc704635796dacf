"""Stable entries marked; weak ones into the Decay Queue and back; silent and lost ones archived (INDEX §8.2, D11)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from datetime import timedelta

from hippocampus_cli.entries.sections import place_of
from hippocampus_cli.index import metadata
from hippocampus_cli.index.archive import QUEUE, Why, bring_back, is_queued, queued, retired
from hippocampus_cli.index.document import Located
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.metadata import day_of
from hippocampus_cli.maintenance.actions import (
    Action,
    Kind,
    Planned,
    carried_out,
    edited,
    with_values,
)
from hippocampus_cli.maintenance.snapshot import Snapshot
from hippocampus_cli.maintenance.steps.pointers import parted, stale_days

_ASKED, _WEEKS = 4, 8  # in so many different weeks of the last ones is what is stable asked for


def consolidate(index: Hierarchy, snapshot: Snapshot) -> Planned:
    """Entries that are stable get the key ``consolidated`` (decision D29): strong without having been used for
    ``bands.consolidate_after_days``, or asked for in at least four different weeks of the last eight."""
    clock, bands, today = snapshot.clock(index), snapshot.config.bands, snapshot.today
    since = today - timedelta(days=bands.consolidate_after_days)
    weeks: dict[str, set[int]] = defaultdict(set)
    for event in snapshot.events:
        week = (today - event.at.astimezone(snapshot.now.tzinfo).date()).days // 7
        for key in event.used if 0 <= week < _WEEKS else ():
            weeks[key].add(week)
    edits = []
    for located in index.entries:
        entry = located.entry
        created, last = day_of(entry.created), day_of(entry.accessed or entry.created)
        if not snapshot.may(Kind.CONSOLIDATE, located) or entry.hx_span is None:
            continue
        asked, strong = len(weeks[located.key]), clock.strength(entry) >= bands.strong
        if created is None or created > since or not last:
            continue
        if asked < _ASKED and not (strong and last <= since):
            continue
        reason = f"strength at least {bands.strong:g} for {bands.consolidate_after_days} days"
        if asked >= _ASKED:
            reason = f"asked for in {asked} of the last {_WEEKS} weeks"
        values = {"consolidated": metadata.write_date(today)}
        edits.append(with_values(values, Action(Kind.CONSOLIDATE, located.key, reason)))
    return edited(index, edits)


def queue_silent(index: Hierarchy, snapshot: Snapshot) -> Planned:
    """Silent entries move into the queue; ``queued`` is the day, ``home`` the section they came from."""
    clock, silent = snapshot.clock(index), snapshot.config.bands.silent
    actions = []
    for located in index.entries:
        strength, waiting = clock.strength(located.entry), is_queued(located)
        stays = waiting and located.entry.values.get("queued")
        if strength < silent and not stays and snapshot.may(Kind.QUEUE, located):
            reason = f"silent: strength {strength:.2f} is below {silent:g}"
            before = "" if waiting else " > ".join(located.section)
            actions.append(Action(Kind.QUEUE, located.key, reason, before, QUEUE[0]))

    def apply(index: Hierarchy, actions: Sequence[Action]) -> Hierarchy:
        return queued(index, [action.key for action in actions], snapshot.today)

    return carried_out(index, actions, apply)


def revive(index: Hierarchy, snapshot: Snapshot) -> Planned:
    """What was used again returns to its section; what a person put into the queue stays there."""
    clock, silent = snapshot.clock(index), snapshot.config.bands.silent
    actions = []
    for located in index.entries:
        strength = clock.strength(located.entry)
        waiting = is_queued(located) and located.entry.values.get("queued")
        if waiting and strength >= silent and snapshot.may(Kind.REVIVE, located):
            home = " > ".join(place_of(index.master, located.entry))
            reason = f"used again: strength {strength:.2f}"
            actions.append(Action(Kind.REVIVE, located.key, reason, QUEUE[0], home))

    def apply(index: Hierarchy, actions: Sequence[Action]) -> Hierarchy:
        entries = {action.key: index.by_key[action.key].entry for action in actions}
        homes = {key: place_of(index.master, entry) for key, entry in entries.items()}
        return bring_back(index, homes)

    return carried_out(index, actions, apply)


def prune(index: Hierarchy, snapshot: Snapshot) -> Planned:
    """Entries of the queue that are weaker than ``bands.prune``."""
    bound = snapshot.config.bands.prune

    def reason(located: Located, strength: float) -> str:
        weak = is_queued(located) and strength < bound
        return f"strength {strength:.3f} is below {bound:g}" if weak else ""

    return _to_archive(index, snapshot, Kind.PRUNE, Why.PRUNED, reason)


def archive_silent(index: Hierarchy, snapshot: Snapshot) -> Planned:
    """Entries that were silent in the queue for ``bands.archive_after_days``."""

    def reason(located: Located, strength: float) -> str:
        since = day_of(located.entry.queued) if is_queued(located) else None
        days = (snapshot.today - since).days if since else 0
        long = days >= snapshot.config.bands.archive_after_days
        silent = long and strength < snapshot.config.bands.silent
        return f"silent in the queue for {days:,} days" if silent else ""

    return _to_archive(index, snapshot, Kind.ARCHIVE, Why.SILENT, reason)


def archive_lost(index: Hierarchy, snapshot: Snapshot) -> Planned:
    """Entries that have led nowhere for ``bands.archive_after_days``."""

    def reason(located: Located, strength: float) -> str:
        days = stale_days(located, snapshot)
        lost = days and not parted(located.entry, snapshot)[0]
        return f"it has led nowhere for {days:,} days" if lost else ""

    return _to_archive(index, snapshot, Kind.ARCHIVE, Why.GONE, reason)


def _to_archive(
    index: Hierarchy,
    snapshot: Snapshot,
    kind: Kind,
    why: Why,
    reason_of: Callable[[Located, float], str],
) -> Planned:
    """Entries for which there is a reason leave for the archive, the weakest first: a slice a day, so that many of
    one age do not run into the loss limit for ever."""
    clock = snapshot.clock(index)
    strengths = {located.key: clock.strength(located.entry) for located in index.entries}
    actions = [
        Action(kind, located.key, reason, after="archive")
        for located in index.entries
        if snapshot.may(kind, located)
        if (reason := reason_of(located, strengths[located.key]))
    ]
    actions.sort(key=lambda action: (strengths[action.key], action.key))

    def apply(index: Hierarchy, actions: Sequence[Action]) -> Hierarchy:
        leaving: dict[str, dict[str, str]] = {action.key: {} for action in actions}
        return retired(index, leaving, why, snapshot.today)

    return carried_out(index, actions[: _slice(index, snapshot)], apply)


def _slice(index: Hierarchy, snapshot: Snapshot) -> int:
    """How many more entries may leave today: half of what the loss limit allows, or one; all without a limit."""
    today = metadata.write_date(snapshot.today)
    gone = sum(one.entry.values.get("archived") == today for one in index.archived)
    limit = snapshot.config.upkeep.loss_limit
    if limit >= 1:
        return len(index.entries)
    most = int(limit * (len(index.entries) + gone) / 2)
    return max(0, max(most, 1 if limit else 0) - gone)
