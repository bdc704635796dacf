"""Strengths as of now, with accesses that waited and the boost of a defrag cycle (INDEX §7.2, §8.2, D8 to D10).

Neither specification names the boost's size: a replay does what one retrieval does, once a cycle, without
counting as a hit. *Reviewed* is every entry that leads to a note which the log of the cycle names.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from hippocampus_cli.index.decay import DecayClock, ages, band, hours_between, reindexed, strengths
from hippocampus_cli.index.document import Located
from hippocampus_cli.index.entry import Entry
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.metadata import Priority
from hippocampus_cli.maintenance.actions import Action, Kind, Planned, edited, with_values
from hippocampus_cli.maintenance.snapshot import Snapshot
from hippocampus_cli.workspace.journal import Event


def recalculate(index: Hierarchy, snapshot: Snapshot) -> Planned:
    """``str`` where the entry's band is another than it says (D21); readers compute what it is in between, and
    always where it says none.

    Not of core entries (``pri=high``): they are never listed for decay (D22), and would all cross a bound on one day.
    """
    clock, bands = snapshot.clock(index), snapshot.config.bands
    edits = []
    for located in index.entries:
        stored, held = located.entry.strength, located.entry.values
        core = located.entry.pri is Priority.HIGH
        now = band(clock.strength(located.entry), bands)
        same = stored is None or core or band(stored, bands) is now
        if same or not ages(located):
            continue
        wanted = strengths(located, clock)
        if any(held.get(name, "") != raw for name, raw in wanted.items()):
            said = _age(located, clock), held.get("str", ""), wanted["str"]
            edits.append(with_values(wanted, Action(Kind.STRENGTH, located.key, *said)))
    if not edits:
        return Planned(index)
    # What is reckoned from the header's time moves with it.
    result, dated = as_of_now(index, snapshot)
    result, actions = edited(result, edits)
    changing = {edit.key for edit in edits}
    return Planned(result, (*actions, *(action for action in dated if action.key not in changing)))


def as_of_now(index: Hierarchy, snapshot: Snapshot) -> Planned:
    """The header's time is now, and the strengths that were computed from it are written down."""
    result = reindexed(index, snapshot.clock(index))
    reason = "as of the header's time"
    actions = [
        Action(Kind.STRENGTH, located.key, reason, _strength(located.entry), _strength(after))
        for located in index.entries
        if (after := result.by_key[located.key].entry) != located.entry
    ]
    return Planned(result, tuple(actions))


def _strength(entry: Entry) -> str:
    return "" if entry.strength is None else f"{entry.strength:.2f}"


def _age(located: Located, clock: DecayClock) -> str:
    last = located.entry.accessed or located.entry.created
    days = int(hours_between(last, clock.now) // 24) if last else 0
    return f"{days:,} {'day' if days == 1 else 'days'} since it was last used"


class Access(NamedTuple):
    """One access of an entry: how many ``hits`` it had from then on.

    ``None`` where they could not be written, 0 where they were written into an older copy of the index.
    """

    event: Event
    hits: int | None


def fold_accesses(index: Hierarchy, snapshot: Snapshot) -> Planned:
    """The accesses that the journal tells of and the index lacks, each as the retrieval it was, at its own moment."""
    clock = snapshot.clock(index)
    edits = []
    for key, accesses in _accesses_since(_counted_until(clock, snapshot), index, snapshot).items():
        entry, actions = index.by_key[key].entry, []
        values: dict[str, str] = {}
        for event, _ in _missing(entry.hits, accesses):
            then = clock._replace(now=event.at.astimezone(snapshot.now.tzinfo))
            values |= then.retrieved(entry)
            reason = f"used on {then.now:%Y-%m-%d at %H:%M}, which the index did not have"
            before, entry = str(entry.hits), entry.with_values(values)
            actions.append(Action(Kind.ACCESS, key, reason, before, str(entry.hits)))
        if actions:
            edits.append(with_values(values, *actions))
    return edited(index, edits)


def _counted_until(clock: DecayClock, snapshot: Snapshot) -> datetime | None:
    """The moment up to which accesses are in the index: its last cycle, as its own header tells.

    An old copy of the index has an old header: what was folded in since is missing there. The header knows no
    fractions of a second.
    """
    reindexed, folded = clock.reindexed, snapshot.folded
    if folded is None or (reindexed and reindexed < folded.replace(microsecond=0)):
        return reindexed
    return folded


def _accesses_since(
    since: datetime | None, index: Hierarchy, snapshot: Snapshot
) -> dict[str, list[Access]]:
    """The accesses after a moment, by entry, in the order in which they were written.

    One that was written into the index of that moment is after it, whenever its question began. Those after
    ``snapshot.now`` wait, be they of a clock that was ahead or written after the journal was read. What
    was counted on another branch comes with a merge.
    """
    found: dict[str, list[Access]] = defaultdict(list)
    for event in snapshot.events:
        is_older = since and event.as_of and event.as_of < since.replace(microsecond=0)
        # what began in the header's own second, by an index from before it, is in what it heads
        begun = event.at.replace(microsecond=0) if is_older else event.at
        is_newer = since is None or (event.at if since.microsecond else begun) > since
        if event.at > snapshot.now or not (is_newer or (event.as_of and not is_older)):
            continue
        counts: dict[str, int | None] = dict.fromkeys(event.missed)
        if event.checkout == snapshot.checkout:
            counts |= dict.fromkeys(event.hits, 0) if is_older else event.hits
        for key, hits in counts.items():
            located = index.find(key)
            if located and located.entry.is_editable:
                found[located.key].append(Access(event, hits))
        for key in event.wrong:
            found[key] = found[key][:-1]
    return found


def _missing(stands: int, accesses: Sequence[Access]) -> list[Access]:
    """Those of an entry's accesses that its number of hits lacks: all that could not be written, and the latest.

    Each access makes one hit more. Where the number goes back instead, somebody saved what they had read before.
    """
    numbers = [access.hits for access in accesses if access.hits]
    total = min(stands, numbers[0] - 1) if numbers else stands
    for access in accesses:
        total = max(total + 1, access.hits or 0)
    unwritten = sum(access.hits is None for access in accesses)
    lost = max(min(total - stands, len(accesses)), unwritten)
    latest_last = sorted(accesses, key=lambda one: one.hits is None)
    return sorted(latest_last[len(accesses) - lost :], key=lambda one: one.event.at)


def replay(index: Hierarchy, snapshot: Snapshot) -> Planned:
    """Boost what the latest defrag cycle reviewed, unless it was boosted for that cycle already."""
    cycle = snapshot.defrag
    if cycle is None or (snapshot.replayed and cycle.at <= snapshot.replayed):
        return Planned(index)
    clock = snapshot.clock(index)
    edits = []
    for located in index.entries:
        entry = located.entry
        if not entry.is_editable:
            continue
        if not any(cycle.reviewed(pointer.path) for pointer in entry.pointers):
            continue
        values = clock.replayed(entry)
        reason = f"reviewed by the defrag cycle of {cycle.at:%Y-%m-%d %H:%M}"
        said = f"{clock.strength(entry):.2f}", values["str"]
        edits.append(with_values(values, Action(Kind.REPLAY, located.key, reason, *said)))
    return edited(index, edits)
