"""Duplicates become one entry; the others go to the archive, their ids lead to it (INDEX §8.2, D15).

A wrong yes costs more than a wrong no. Two entries are the same where they point at the same place, or where they say
the same words of the same text.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
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
from hippocampus_cli.workspace.descriptions import text_of
from hippocampus_cli.workspace.resolve import Status

MOST_TAGS = 12
"""An entry gets no more tags than this by itself; those that it has stay."""
_FEWEST = 4
"""Words that two entries must share: "Notes" is like any other "Notes"."""
_WORD = re.compile(r"\w+|[^\w\s]")


class Merge(NamedTuple):
    """One entry, and those that become part of it."""

    kept: Located
    absorbed: list[Located]


def merge_duplicates(index: Hierarchy, snapshot: Snapshot) -> Planned:
    """Entries that are the same as one each; again until nothing is left to merge.

    ``MERGE`` actions are those of the absorbed entries; ``after`` is the id of the one that takes it in.
    """
    actions: list[Action] = []
    while merges := _merges(index, snapshot):
        index, done = applied(index, merges, partial(_merged, snapshot=snapshot))
        if not done:
            break
        actions += _actions(done)
    return Planned(index, tuple(actions))


def _merges(index: Hierarchy, snapshot: Snapshot) -> list[Merge]:
    """Groups in which every entry is the same as the one that is kept."""
    clock = snapshot.clock(index)
    sound = (located for located in index.entries if located.alone and _is_sound(located, snapshot))
    merges: list[Merge] = []
    by_key: dict[Hashable, list[Merge]] = defaultdict(list)
    for located in sorted(sound, key=lambda one: _rank(one, snapshot, clock)):
        near = (merge for key in _keys(located.entry) for merge in by_key[key])
        joined = next((merge for merge in near if _joins(located, merge.kept, snapshot)), None)
        if joined:
            joined.absorbed.append(located)
            continue
        merges.append(Merge(located, []))
        for key in _keys(located.entry):
            by_key[key].append(merges[-1])
    return [merge for merge in merges if merge.absorbed]


def _rank(one: Located, snapshot: Snapshot, clock: DecayClock) -> tuple[object, ...]:
    """What is to be kept comes first: awake, written by hand, left alone by upkeep, used, strong, old."""
    entry = one.entry
    created = metadata.write_date(entry.created) if entry.created else "~"
    who = (is_queued(one), not _is_by_hand(entry), _is_absorbable(one, snapshot))
    return (*who, -entry.hits, -round(clock.strength(entry), 6), created, one.key)


def _keys(entry: Entry) -> Iterator[Hashable]:
    """What two entries must have in common to be the same."""
    if entry.pointers:
        yield _targets(entry)
    words = _words(f"{entry.topic} {entry.summary}")
    if sum(map(str.isalnum, words)) >= _FEWEST:
        yield words


def _joins(one: Located, kept: Located, snapshot: Snapshot) -> bool:
    """Whether an entry may become part of another; what a person wrote never becomes part of a draft."""
    by_hand = _is_by_hand(one.entry)
    if not _is_absorbable(one, snapshot) or (by_hand and not _is_by_hand(kept.entry)):
        return False
    if _targets(one.entry) == _targets(kept.entry):
        same_topic = _words(one.entry.topic) == _words(kept.entry.topic)
        return (same_topic or not by_hand) and _is_precise(one.entry, snapshot)
    texts = _texts(one.entry, snapshot)
    return bool(texts) and texts == _texts(kept.entry, snapshot)


def _words(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(text.casefold()))


def _targets(entry: Entry) -> frozenset[Pointer]:
    return frozenset(map(target, entry.pointers))


def _is_precise(entry: Entry, snapshot: Snapshot) -> bool:
    """Whether each pointer leads to one place: a section, or a note that has but one."""
    notes = (snapshot.note(pointer.path) for pointer in entry.pointers if not pointer.section)
    return all(note is not None and len(note.sections) == 1 for note in notes)


def _texts(entry: Entry, snapshot: Snapshot) -> set[int]:
    """The checksums of what an entry points at, as far as it is there."""
    there = (snapshot.follow(pointer) for pointer in entry.pointers)
    return {
        text_of(note, one.section)
        for one in there
        if one.status is Status.OK and (note := snapshot.note(one.path))
    }


def _is_by_hand(entry: Entry) -> bool:
    return entry.src in (Source.MANUAL, None)


def _is_sound(located: Located, snapshot: Snapshot) -> bool:
    """Whether an entry may be part of a merge at all; what a person took apart once stays apart."""
    entry = located.entry
    fine = entry.form is Form.HEADING and entry.closed
    return fine and (Kind.MERGE, entry.id) not in snapshot.undone


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

    Hits add up; of base, access, creation and priority the better; tags, pointers, relations and aliases
    of all. At the clock's moment it is as strong as the strongest of them.
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
        "stale": min((one.values["stale"] for one in everyone if one.stale), default=""),
    }
    if priority is not kept.pri:
        values["pri"] = "" if priority is Priority.NORMAL else priority.value
    pointers = {
        target(pointer): pointer for one in reversed(everyone) for pointer in reversed(one.pointers)
    }
    entry = kept.with_values(values)
    if len(pointers) > len(kept.pointers):
        entry = entry.with_pointers(tuple(reversed(pointers.values())))
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
        for located in absorbed:
            same = _targets(located.entry) == _targets(kept.entry)
            why = "points at the same place as" if same else "says the same as"
            reason = f"{why} “{kept.entry.topic}”"
            yield Action(Kind.MERGE, located.key, reason, located.entry.topic, kept.entry.id)
