"""Stable entries marked; weak ones into the Decay Queue and back; silent ones to the archive (INDEX §8.2, D11)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime, timedelta

from hippocampus_cli.entries.sections import place_of
from hippocampus_cli.index import metadata
from hippocampus_cli.index.archive import QUEUE, Why, bring_back, is_queued, queued, retired
from hippocampus_cli.index.decay import DecayClock
from hippocampus_cli.index.document import Located
from hippocampus_cli.index.entry import Entry
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.maintenance.actions import Action, Kind, Planned, applied
from hippocampus_cli.maintenance.snapshot import Snapshot


def consolidate(index: Hierarchy, snapshot: Snapshot) -> Planned:
    """Entries that were strong for ``bands.consolidate_after_days`` get the key ``consolidated``."""
    clock, bands = snapshot.clock(index), snapshot.config.bands
    since = snapshot.now - timedelta(days=bands.consolidate_after_days)
    uses: dict[str, list[datetime]] = defaultdict(list)
    for event in snapshot.events:
        for key in event.used:
            uses[key].append(event.at.astimezone(snapshot.now.tzinfo))
    values = {}
    actions = []
    for one in index.entries:
        if not snapshot.may(Kind.CONSOLIDATE, one) or one.entry.hx_span is None:
            continue
        if _strong_since(one.entry, clock, uses[one.key], since, bands.strong):
            values[one.key] = {"consolidated": metadata.write_date(snapshot.now.date())}
            reason = f"strength at least {bands.strong:g} for {bands.consolidate_after_days} days"
            actions.append(Action(Kind.CONSOLIDATE, one.key, reason))
    return Planned(index.set_values(values), tuple(actions))


def _strong_since(
    entry: Entry, clock: DecayClock, uses: list[datetime], since: datetime, strong: float
) -> bool:
    """Whether strength never fell below ``strong`` from ``since`` until now.

    It falls between uses, so it was lowest just before each: reckoned backwards through the journal's uses.
    Without a journal only what was last used before ``since`` can be told.
    """
    created = entry.created
    if created is None or _moment(created, clock.now) > since or clock.strength(entry) < strong:
        return False
    last = _moment(entry.accessed or created, clock.now)
    base = clock.base(entry)
    for use in sorted((one for one in uses if one.date() <= last.date()), reverse=True):
        if last <= since:
            break
        if use.date() < last.date():
            base = base if base == 1.0 else max(0.0, base - clock.rates.retrieval_boost)
            before = entry.with_value("accessed", metadata.write_date(use.date()))
            before = before.with_value("base", metadata.write_strength(base, 4))
            if clock._replace(now=last).strength(before) < strong:
                return False
        last = use
    return last <= since


def _moment(day: object, now: datetime) -> datetime:
    if isinstance(day, datetime):
        return day if day.tzinfo else day.replace(tzinfo=now.tzinfo)
    return datetime.combine(day, datetime.min.time(), now.tzinfo)  # type: ignore[arg-type]


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
        return bring_back(index, places)

    index, done = applied(index, parts, apply)
    named = (one._replace(after=" > ".join(index.by_key[one.key].section)) for one in done)
    return Planned(index, tuple(named))


def may_fade(kind: Kind, located: Located, snapshot: Snapshot) -> bool:
    """Whether an entry may be put away for its weakness: a pinned one never, however weak it was pinned."""
    pinned = located.entry.pri is metadata.Priority.AMYGDALA
    return not pinned and snapshot.may(kind, located)


def queued_days(located: Located, now: datetime) -> int | None:
    """For how many days an entry has been silent in the queue; ``None`` where it is not known."""
    since = located.entry.queued
    if since is None:
        return None
    day = since.date() if isinstance(since, datetime) else since
    return (now.date() - day).days


def prune(index: Hierarchy, snapshot: Snapshot) -> Planned:
    """Entries of the queue that are weaker than ``bands.prune``."""
    clock, bound = snapshot.clock(index), snapshot.config.bands.prune
    actions = [
        Action(Kind.PRUNE, one.key, f"strength {strength:.3f} is below {bound:g}", after="archive")
        for one in index.entries
        if is_queued(one) and (strength := clock.strength(one.entry)) < bound
        if may_fade(Kind.PRUNE, one, snapshot)
    ]
    return _to_archive(index, snapshot, actions, Why.PRUNED)


def archive_silent(index: Hierarchy, snapshot: Snapshot) -> Planned:
    """Entries that were silent in the queue for ``bands.archive_after_days``."""
    clock, bands = snapshot.clock(index), snapshot.config.bands
    actions = [
        Action(Kind.ARCHIVE, one.key, f"silent in the queue for {days:,} days", after="archive")
        for one in index.entries
        if is_queued(one) and clock.strength(one.entry) < bands.silent
        if (days := queued_days(one, snapshot.now)) is not None
        if days >= bands.archive_after_days and may_fade(Kind.ARCHIVE, one, snapshot)
    ]
    return _to_archive(index, snapshot, actions, Why.SILENT)


def _to_archive(index: Hierarchy, snapshot: Snapshot, actions: list[Action], why: Why) -> Planned:
    def apply(index: Hierarchy, parts: Sequence[Action]) -> Hierarchy:
        leaving: dict[str, dict[str, str]] = {one.key: {} for one in parts}
        return retired(index, leaving, why, snapshot.now.date())

    index, done = applied(index, actions, apply)
    return Planned(index, tuple(done))
