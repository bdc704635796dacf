"""Entries that point at the same place become one; the others go to the archive, their ids lead to it (INDEX §8.2,
D15). Whether two that lead to different places say the same is for a reader to judge.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, timedelta
from functools import partial
from typing import NamedTuple

from hippocampus_cli.index import metadata
from hippocampus_cli.index.archive import Why, is_queued, retired
from hippocampus_cli.index.decay import DecayClock, forgetting_factor, written
from hippocampus_cli.index.document import Located
from hippocampus_cli.index.entry import Entry, Form
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.metadata import Priority, Source
from hippocampus_cli.index.pointers import Pointer
from hippocampus_cli.maintenance.actions import Action, Kind, Planned, applied
from hippocampus_cli.maintenance.relocate import target
from hippocampus_cli.maintenance.snapshot import Snapshot
from hippocampus_cli.text.words import bare, keys, tellers

MOST_TAGS = 12
"""An entry gets no more tags than this by itself; those that it has stay."""


class Merge(NamedTuple):
    """One entry, and those that become part of it."""

    kept: Located
    absorbed: list[Located]


def merge_duplicates(index: Hierarchy, snapshot: Snapshot) -> Planned:
    """``MERGE`` actions are those of the absorbed entries; ``after`` is the id of the one that takes it in."""
    merges = _merges(index, snapshot)
    index, done = applied(index, merges, partial(_merged, snapshot=snapshot))
    return Planned(index, tuple(_actions(done)))


def _merges(index: Hierarchy, snapshot: Snapshot) -> list[Merge]:
    """Groups of entries that point at the same place."""
    clock = snapshot.clock(index)
    sound = (located for located in index.entries if located.alone and _is_sound(located, snapshot))
    by_place: dict[frozenset[Pointer], list[Merge]] = defaultdict(list)
    for located in sorted(sound, key=lambda one: _rank(one, snapshot, clock)):
        merges = by_place[frozenset(map(target, located.entry.pointers))]
        kept = (merge for merge in merges if _joins(located.entry, merge.kept.entry))
        if _is_absorbable(located, snapshot) and (merge := next(kept, None)):
            merge.absorbed.append(located)
        else:
            merges.append(Merge(located, []))
    return [merge for merges in by_place.values() for merge in merges if merge.absorbed]


def _rank(one: Located, snapshot: Snapshot, clock: DecayClock) -> tuple[object, ...]:
    """What is to be kept comes first: awake, written by hand, left alone by upkeep, used, strong, old."""
    entry = one.entry
    created = metadata.write_date(entry.created) if entry.created else "~"
    who = (is_queued(one), not _is_by_hand(entry), _is_absorbable(one, snapshot))
    return (*who, -entry.hits, -round(clock.strength(entry), 6), created, one.key)


def _joins(entry: Entry, kept: Entry) -> bool:
    """Whether an entry may become part of another for one place: of two hands, where they gave it one topic; what a
    person wrote never becomes part of a draft."""
    same_topic = entry.topic.casefold() == kept.topic.casefold()
    return not _is_by_hand(entry) or (_is_by_hand(kept) and same_topic)


def _is_precise(entry: Entry, snapshot: Snapshot) -> bool:
    """Whether each pointer leads to one place: a section, or a note that has but one."""
    notes = (snapshot.note(pointer.path) for pointer in entry.pointers if not pointer.section)
    return all(note is not None and len(note.sections) == 1 for note in notes)


def _is_by_hand(entry: Entry) -> bool:
    return entry.src in (Source.MANUAL, None)


def _is_sound(located: Located, snapshot: Snapshot) -> bool:
    """Whether an entry may be part of a merge at all; what a person took apart once stays apart."""
    entry = located.entry
    fine = entry.form is Form.HEADING and entry.closed and entry.pointers
    undone = (Kind.MERGE, entry.id) in snapshot.undone
    return bool(fine) and not undone and _is_precise(entry, snapshot)


def _is_absorbable(located: Located, snapshot: Snapshot) -> bool:
    return snapshot.may(Kind.MERGE, located) and located.entry.pri is not Priority.AMYGDALA


def _merged(index: Hierarchy, merges: Sequence[Merge], snapshot: Snapshot) -> Hierarchy:
    return merged(index, merges, snapshot.clock(index), snapshot.now.date())


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
    """``kept`` with what the others add.

    Hits add up; of base, access, creation and priority the better; tags, relations and aliases of
    all. At the clock's moment it is as strong as the strongest of them.
    """
    everyone = (kept, *absorbed)
    own = dict.fromkeys(alias for one in everyone for alias in (one.id, *one.aka))
    relations = dict.fromkeys(other for one in everyone for other in one.rel if other not in own)
    priority = max((one.pri for one in everyone), key=metadata.RISING_PRIORITIES.index)
    values = {
        "created": min((one.values["created"] for one in everyone if one.created), default=""),
        "accessed": max((one.values["accessed"] for one in everyone if one.accessed), default=""),
        "hits": str(sum(one.hits for one in everyone)),
        "base": metadata.write_strength(_up(max(map(clock.base, everyone))), 4),
        "tags": metadata.write_list(_tags(kept, absorbed)),
        "rel": metadata.write_list(tuple(relations)),
        "ver": str(kept.ver + 1),
        "aka": metadata.write_list(tuple(one for one in own if one != kept.id)),
    }
    if priority is not kept.pri:
        values["pri"] = "" if priority is Priority.NORMAL else priority.value
    entry = kept.with_values(values)
    summary = max(everyone, key=lambda one: (one.src is Source.MANUAL, len(one.summary))).summary
    if summary != kept.summary:
        entry = entry.with_summary(summary)
    entry = _as_strong_as(entry, max(map(clock.strength, everyone)), clock)
    return entry.with_values(written(clock.strength(entry), clock.base(entry), kept))


def _tags(kept: Entry, absorbed: Sequence[Entry]) -> tuple[str, ...]:
    """The kept one's tags, the words of the other topics that it lacks, their tags; as many as there is room for."""
    tags = {tag.casefold(): tag for tag in kept.tags}
    known = set(keys(" ".join((kept.topic, *kept.tags))))
    words = [
        bare(word)
        for located in absorbed
        for word, key in tellers(located.topic)
        if key not in known
    ]
    for tag in (*words, *(tag for located in absorbed for tag in located.tags)):
        if len(tags) < MOST_TAGS:
            tags.setdefault(tag.casefold(), tag)
    return tuple(tags.values())


def _as_strong_as(entry: Entry, wanted: float, clock: DecayClock) -> Entry:
    """The entry, used as recently as it must have been to be that strong now.

    Needed where the relation between two merged entries was one of the three that slow forgetting.
    """
    base, rates, last = clock.base(entry), clock.rates, entry.accessed
    if clock.strength(entry) >= wanted or not base:
        return entry
    exponent = rates.forgetting * forgetting_factor(entry, rates, clock.ids)
    hours = max(0.0, (math.pow(min(1.0, wanted / base), -1 / exponent) - 1) / rates.rate)
    accessed: date = clock.now.date() - timedelta(days=hours // 24)
    if isinstance(last, datetime):  # in the form that the entry uses, to the second
        now = clock.now if last.tzinfo else clock.now.replace(tzinfo=None)
        accessed = now.replace(microsecond=0) + timedelta(seconds=2) - timedelta(hours=hours)
    return entry.with_value("accessed", metadata.write_date(accessed))


def _up(base: float) -> float:
    """A base rounded up to the four digits in which it is written."""
    return min(1.0, math.ceil(base * 10_000 - 1e-6) / 10_000)


def _actions(merges: Iterable[Merge]) -> Iterator[Action]:
    for kept, absorbed in merges:
        reason = f"points at the same place as “{kept.entry.topic}”"
        for located in absorbed:
            yield Action(Kind.MERGE, located.key, reason, located.entry.topic, kept.entry.id)
