"""Stable entries marked; weak ones into the Decay Queue and back; silent ones to the archive (INDEX §8.2, D11)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import date, datetime, timedelta

from hippocampus_cli.entries.sections import place_of
from hippocampus_cli.index import metadata
from hippocampus_cli.index.archive import QUEUE, Why, bring_back, is_queued, queued, retired
from hippocampus_cli.index.document import Located
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.maintenance.actions import Action, Kind, Planned, applied, edited, with_values
from hippocampus_cli.maintenance.snapshot import Snapshot

_ASKED, _WEEKS = 4, 8  # in so many different weeks of the last ones is what is stable asked for


def consolidate(index: Hierarchy, snapshot: Snapshot) -> Planned:
    """Entries that are stable get the key ``consolidated`` (decision D29): strong without having been used for
    ``bands.consolidate_after_days``, or asked for in at least four different weeks of the last eight."""
    clock, bands, today = snapshot.clock(index), snapshot.config.bands, snapshot.now.date()
    since = today - timedelta(days=bands.consolidate_after_days)
    weeks: dict[str, set[int]] = defaultdict(set)
    for event in snapshot.events:
        week = (today - event.at.astimezone(snapshot.now.tzinfo).date()).days // 7
        for key in event.used if 0 <= week < _WEEKS else ():
            weeks[key].add(week)
    edits = []
    for located in index.entries:
        entry = located.entry
        created, last = _day(entry.created), _day(entry.accessed or entry.created)
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


def _day(moment: date | datetime | None) -> date | None:
    return moment.date() if isinstance(moment, datetime) else moment


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
        return queued(index, [part.key for part in parts], snapshot.now.date())

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
        places = {part.key: place_of(index.master, index.by_key[part.key].entry) for part in parts}
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
    since = _day(located.entry.queued)
    return None if since is None else (now.date() - since).days


def prune(index: Hierarchy, snapshot: Snapshot) -> Planned:
    """Entries of the queue that are weaker than ``bands.prune``."""
    clock, bound = snapshot.clock(index), snapshot.config.bands.prune
    actions = [
        Action(
            Kind.PRUNE, located.key, f"strength {strength:.3f} is below {bound:g}", after="archive"
        )
        for located in index.entries
        if is_queued(located) and (strength := clock.strength(located.entry)) < bound
        if may_fade(Kind.PRUNE, located, snapshot)
    ]
    return _to_archive(index, snapshot, actions, Why.PRUNED)


def archive_silent(index: Hierarchy, snapshot: Snapshot) -> Planned:
    """Entries that were silent in the queue for ``bands.archive_after_days``."""
    clock, bands = snapshot.clock(index), snapshot.config.bands
    actions = [
        Action(Kind.ARCHIVE, located.key, f"silent in the queue for {days:,} days", after="archive")
        for located in index.entries
        if is_queued(located) and clock.strength(located.entry) < bands.silent
        if (days := queued_days(located, snapshot.now)) is not None
        if days >= bands.archive_after_days and may_fade(Kind.ARCHIVE, located, snapshot)
    ]
    return _to_archive(index, snapshot, actions, Why.SILENT)


def _to_archive(index: Hierarchy, snapshot: Snapshot, actions: list[Action], why: Why) -> Planned:
    def apply(index: Hierarchy, parts: Sequence[Action]) -> Hierarchy:
        leaving: dict[str, dict[str, str]] = {part.key: {} for part in parts}
        return retired(index, leaving, why, snapshot.now.date())

    index, done = applied(index, actions, apply)
    return Planned(index, tuple(done))
