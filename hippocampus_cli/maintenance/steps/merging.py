"""Entries that point at the same sections become one; the others go to the archive, their ids lead to it (INDEX §8.2,
D15). Whether two that lead to different places say the same is for a reader to judge.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import date
from functools import partial
from typing import NamedTuple

from hippocampus_cli.index import metadata
from hippocampus_cli.index.archive import Why, is_queued, retired
from hippocampus_cli.index.decay import DecayClock, written
from hippocampus_cli.index.document import Located
from hippocampus_cli.index.entry import Entry
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.metadata import Priority
from hippocampus_cli.index.pointers import Pointer
from hippocampus_cli.maintenance.actions import DRAFTED, Action, Kind, Planned, applied
from hippocampus_cli.maintenance.relocate import target
from hippocampus_cli.maintenance.snapshot import Snapshot

MOST_TAGS = 12
"""An entry gets no more tags than this by itself; those that it has stay."""


class Merge(NamedTuple):
    """One entry, and those that become part of it."""

    kept: Located
    absorbed: list[Located]


def merge_duplicates(index: Hierarchy, snapshot: Snapshot) -> Planned:
    """``MERGE`` actions are those of the absorbed entries; ``after`` is the id of the one that takes it in.

    Only what hippo drafted becomes part of another entry.
    """
    clock, today = snapshot.clock(index), snapshot.today
    merges = [merge for merge in _merges(index, snapshot) if merge.absorbed]
    index, done = applied(index, merges, partial(merged, clock=clock, today=today))
    actions = (
        Action(
            Kind.MERGE,
            located.key,
            f"points at the same place as “{kept.entry.topic}”",
            located.entry.topic,
            kept.entry.id,
        )
        for kept, absorbed in done
        for located in absorbed
    )
    return Planned(index, tuple(actions))


def _merges(index: Hierarchy, snapshot: Snapshot) -> Iterator[Merge]:
    """What points at each place: of a whole note only what says the same, for others may be about parts of it. What
    is awake, a person's own, used and old is kept."""
    by_place: dict[tuple[frozenset[Pointer], str], list[Located]] = defaultdict(list)
    for located in index.entries:
        entry = located.entry
        if entry.pointers and snapshot.allows(Kind.MERGE, located):
            parts = all(pointer.section for pointer in entry.pointers)
            told = "" if parts else entry.summary or located.key
            by_place[frozenset(map(target, entry.pointers)), told].append(located)
    for there in by_place.values():
        drafted = (located for located in there if located.entry.src in DRAFTED)
        absorbable = [located for located in drafted if snapshot.may(Kind.MERGE, located)]
        kept = [located for located in there if located not in absorbable] or absorbable
        first = min(kept, key=_rank)
        yield Merge(first, sorted((one for one in absorbable if one != first), key=_rank))


def _rank(located: Located) -> tuple[object, ...]:
    entry = located.entry
    created = metadata.write_date(entry.created) if entry.created else "~"
    return is_queued(located), -entry.hits, created, located.key


def merged(index: Hierarchy, merges: Sequence[Merge], clock: DecayClock, today: date) -> Hierarchy:
    """The index with these merges made: entries united, the absorbed ones archived. Relations to those are led on by
    :func:`relate`."""
    kept = {
        kept.key: partial(_united, absorbed=[located.entry for located in absorbed], clock=clock)
        for kept, absorbed in merges
    }
    leaving = {
        located.key: {"into": kept.entry.id} for kept, absorbed in merges for located in absorbed
    }
    return retired(index.change_all(kept), leaving, Why.MERGED, today)


def _united(kept: Entry, absorbed: Sequence[Entry], clock: DecayClock) -> Entry:
    """``kept`` with what the others add: hits add up; of base, access, creation and priority the better; tags,
    relations and aliases of all."""
    everyone = (kept, *absorbed)
    own = dict.fromkeys(alias for one in everyone for alias in (one.id, *one.aka))
    relations = dict.fromkeys(other for one in everyone for other in one.rel if other not in own)
    tags = {tag.casefold(): tag for one in reversed(everyone) for tag in reversed(one.tags)}
    most = max(MOST_TAGS, len(kept.tags))
    priority = max((one.pri for one in everyone), key=metadata.RISING_PRIORITIES.index)
    values = {
        "created": min((one.values["created"] for one in everyone if one.created), default=""),
        "accessed": max((one.values["accessed"] for one in everyone if one.accessed), default=""),
        "hits": str(sum(one.hits for one in everyone)),
        "base": metadata.write_strength(max(map(clock.base, everyone)), 4),
        "tags": metadata.write_list([*reversed(tags.values())][:most]),
        "rel": metadata.write_list(tuple(relations)),
        "ver": str(kept.ver + 1),
        "aka": metadata.write_list(tuple(one for one in own if one != kept.id)),
    }
    if priority is not kept.pri:
        values["pri"] = "" if priority is Priority.NORMAL else priority.value
    entry = kept.with_values(values)
    return entry.with_values(written(clock.strength(entry), clock.base(entry), kept))
