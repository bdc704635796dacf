"""Near-duplicates become one entry; the others go to the archive, their ids lead to it (INDEX §8.2, D15)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from functools import cache, partial

from hippocampus_cli.index import metadata
from hippocampus_cli.index.archive import Why, is_queued, retired
from hippocampus_cli.index.decay import DecayClock, forgetting_factor, hours_between, written
from hippocampus_cli.index.document import Located
from hippocampus_cli.index.entry import Entry, Form
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.pointers import Pointer
from hippocampus_cli.maintenance.actions import Action, Kind, Planned, applied
from hippocampus_cli.maintenance.snapshot import Snapshot
from hippocampus_cli.maintenance.steps.sameness import Groups, Merge, Saying, saying_of, target
from hippocampus_cli.text.words import bare, keys, tellers

MOST_TAGS = 12
"""An entry gets no more tags than this by itself; those that it has stay."""
_PRIORITIES = metadata.RISING_PRIORITIES


def united(
    kept: Entry, absorbed: Sequence[Entry], into: Mapping[str, str], clock: DecayClock
) -> Entry:
    """``kept`` with what the others add. ``into`` says which id stands for which afterwards.

    Hits add up; of base, access, creation and priority the better; tags, pointers, relations and aliases
    of all. At the clock's moment it is as strong as the strongest of them.
    """
    everyone = (kept, *absorbed)
    values = {
        "created": _oldest(everyone),
        "accessed": _latest(everyone, clock.now),
        "hits": str(sum(one.hits for one in everyone)),
        "base": metadata.write_strength(_up(max(map(clock.base, everyone))), 4),
        "tags": metadata.write_list(_tags(kept, absorbed)),
        "rel": metadata.write_list(redirected(everyone, into, kept.id)),
        "pri": max((one.pri for one in everyone), key=_PRIORITIES.index).value,
        "ver": str(kept.ver + 1),
        "aka": metadata.write_list(_aliases(kept, absorbed)),
        "stale": min((one.values["stale"] for one in everyone if one.stale), default=""),
    }
    if values["pri"] == kept.pri.value:
        del values["pri"]
    elif values["pri"] == metadata.Priority.NORMAL:
        values["pri"] = ""
    entry = kept.with_values(values)
    pointers = _pointers(everyone)
    if pointers != kept.pointers:
        entry = entry.with_pointers(pointers)
    if (summary := _richest(everyone)) and summary != kept.summary:
        entry = entry.with_summary(summary)
    entry = _as_strong_as(entry, max(map(clock.strength, everyone)), clock)
    return entry.with_values(written(clock.strength(entry), clock.base(entry), kept))


def redirected(entries: Iterable[Entry], into: Mapping[str, str], own: str) -> tuple[str, ...]:
    """The relations of all, each once, to the ids that stand for them; none to ``own``."""
    found = (into.get(other, other) for one in entries for other in one.rel)
    return tuple(other for other in dict.fromkeys(found) if other != own)


def _richest(entries: Sequence[Entry]) -> str:
    """The summary that says most: what a person wrote before what was drafted, then that with more telling words."""

    def worth(one: Entry) -> tuple[bool, int]:
        return one.src is metadata.Source.MANUAL, len({found for _, found in tellers(one.summary)})

    return max(entries, key=worth).summary


def _tags(kept: Entry, absorbed: Sequence[Entry]) -> tuple[str, ...]:
    """The kept one's tags, the words of the other topics that it lacks, their tags; as many as there is room for."""
    tags = {tag.casefold(): tag for tag in kept.tags}
    known = set(keys(" ".join((kept.topic, *kept.tags))))
    wanted = [
        bare(word) for one in absorbed for word, found in tellers(one.topic) if found not in known
    ]
    for tag in (*wanted, *(tag for one in absorbed for tag in one.tags)):
        if len(tags) < MOST_TAGS:
            tags.setdefault(tag.casefold(), tag)
    return tuple(tags.values())


def _pointers(entries: Iterable[Entry]) -> tuple[Pointer, ...]:
    found: dict[Pointer, Pointer] = {}
    for one in entries:
        for pointer in one.pointers:
            found.setdefault(target(pointer), pointer)
    return tuple(found.values())


def _aliases(kept: Entry, absorbed: Sequence[Entry]) -> tuple[str, ...]:
    found = (alias for one in absorbed for alias in (one.id, *one.aka))
    return tuple(alias for alias in dict.fromkeys((*kept.aka, *found)) if alias != kept.id)


def _oldest(entries: Sequence[Entry]) -> str:
    """The raw ``created`` of the one that was first."""
    dated = [(_midnight(day), one) for one in entries if (day := one.created) is not None]
    return min(dated, key=lambda pair: pair[0])[1].values["created"] if dated else ""


def _latest(entries: Sequence[Entry], now: datetime) -> str:
    """The raw ``accessed`` of the one that was used last."""
    dated = [
        (-hours_between(last, now), _midnight(last), one)
        for one in entries
        if (last := one.accessed) is not None
    ]
    return max(dated, key=lambda row: row[:2])[2].values["accessed"] if dated else ""


def _midnight(moment: date | datetime) -> datetime:
    return datetime(moment.year, moment.month, moment.day)


def _as_strong_as(entry: Entry, wanted: float, clock: DecayClock) -> Entry:
    """The entry, used as recently as it must have been to be that strong now.

    Needed where the relation between two merged entries was one of the three that slow forgetting.
    """
    base = clock.base(entry)
    if clock.strength(entry) >= wanted or not base:
        return entry
    rates = clock.rates
    exponent = rates.forgetting * forgetting_factor(entry, rates, clock.ids)
    hours = max(0.0, (math.pow(min(1.0, wanted / base), -1 / exponent) - 1) / rates.rate)
    last = entry.accessed
    if isinstance(last, datetime):  # in the form that the entry uses, to the second
        now = clock.now if last.tzinfo else clock.now.replace(tzinfo=None)
        moment = now.replace(microsecond=0) + timedelta(seconds=2) - timedelta(hours=hours)
        return entry.with_value("accessed", metadata.write_date(moment))
    day = clock.now.date() - timedelta(days=hours // 24)
    return entry.with_value("accessed", metadata.write_date(day))


def _up(base: float) -> float:
    """A base rounded up to the four digits in which it is written."""
    return min(1.0, math.ceil(base * 10_000 - 1e-6) / 10_000)


def merge_duplicates(index: Hierarchy, snapshot: Snapshot) -> Planned:
    """Entries for the same target, and entries that say the same, as one each.

    A merge may make the kept entry equal to another one, so this goes on until nothing is left to merge.
    ``MERGE`` actions are those of the absorbed entries; ``after`` is the id of the one that takes it in.
    """
    actions: list[Action] = []
    say = cache(saying_of)  # a further round reads only what the one before it changed
    while merges := _merges(index, snapshot, say):
        before = index
        index, done = applied(before, merges, partial(_merged, snapshot=snapshot))
        if not done:
            break
        actions += _actions(done)
        actions += _redirections(before, index, done)
    return Planned(index, tuple(actions))


def _merges(index: Hierarchy, snapshot: Snapshot, say: Callable[[Entry], Saying]) -> list[Merge]:
    """Groups in which every two say the same, each under the entry that is kept."""
    counts = Counter(located.entry.id for located in index.entries)
    taking_part = [
        one for one in index.entries if counts[one.entry.id] == 1 and _sound(one, snapshot)
    ]
    said = {one.key: say(one.entry) for one in taking_part}

    def may_join(one: Located, kept: Located) -> bool:
        """What a person wrote never becomes part of a draft."""
        return _absorbable(one, snapshot) and (said[kept.key].hand or not said[one.key].hand)

    def precise(pointers: Iterable[Pointer]) -> bool:
        return all(section or _has_one_section(path, snapshot) for path, section in pointers)

    groups = Groups(said, snapshot.config.upkeep.merge_likeness, precise, may_join)
    for one in sorted(taking_part, key=_rank(said, snapshot, snapshot.clock(index))):
        groups.take(one)
    return [merge for merge in groups.found if merge.absorbed]


def _rank(
    said: Mapping[str, Saying], snapshot: Snapshot, clock: DecayClock
) -> Callable[[Located], tuple[object, ...]]:
    """Sorts what is to be kept first: awake, written by hand, left alone by upkeep, used, strong, old."""

    def rank(one: Located) -> tuple[object, ...]:
        entry = one.entry
        created = metadata.write_date(entry.created) if entry.created else "~"
        who = (is_queued(one), not said[one.key].hand, _absorbable(one, snapshot))
        return (*who, -entry.hits, -round(clock.strength(entry), 6), created, one.key)

    return rank


def _has_one_section(path: str, snapshot: Snapshot) -> bool:
    note = snapshot.note(path)
    return note is not None and len(note.sections) == 1


def _merged(index: Hierarchy, merges: Sequence[Merge], snapshot: Snapshot) -> Hierarchy:
    """The index with these merges made: entries united, relations led on, the absorbed ones archived."""
    clock = snapshot.clock(index)
    into = {one.entry.id: merge.kept.entry.id for merge in merges for one in merge.absorbed}
    leaving = {one.key: {"into": into[one.entry.id]} for merge in merges for one in merge.absorbed}
    kept = {merge.kept.key: [one.entry for one in merge.absorbed] for merge in merges}
    relations = {
        one.key: {"rel": metadata.write_list(redirected((one.entry,), into, one.entry.id))}
        for one in index.entries
        if one.key not in kept and one.key not in leaving
        if not into.keys().isdisjoint(one.entry.rel)
    }
    changes = {
        key: partial(united, absorbed=absorbed, into=into, clock=clock)
        for key, absorbed in kept.items()
    }
    after = index.change_all(changes).set_values(relations)
    return retired(after, leaving, Why.MERGED, snapshot.now.date())


def _actions(merges: Iterable[Merge]) -> Iterator[Action]:
    for kept, absorbed in merges:
        targets = saying_of(kept.entry).targets
        for one in absorbed:
            same = saying_of(one.entry).targets == targets
            why = "points at the same place as" if same else "says the same as"
            reason = f"{why} “{kept.entry.topic}”"
            yield Action(Kind.MERGE, one.key, reason, one.entry.topic, kept.entry.id)


def _redirections(before: Hierarchy, after: Hierarchy, merges: Iterable[Merge]) -> Iterator[Action]:
    """The entries whose relations lead elsewhere now."""
    changed = {one.key for kept, absorbed in merges for one in (kept, *absorbed)}
    for key, located in before.by_key.items():
        rel = after.by_key[key].entry.rel
        if key not in changed and rel != located.entry.rel:
            reason = "an entry that it relates to became part of another"
            yield Action(Kind.RELATE, key, reason, ", ".join(located.entry.rel), ", ".join(rel))


def _sound(located: Located, snapshot: Snapshot) -> bool:
    """Whether an entry may be part of a merge at all; what a person took apart once stays apart."""
    entry = located.entry
    fine = entry.form is Form.HEADING and entry.closed
    return fine and (Kind.MERGE, entry.id) not in snapshot.undone


def _absorbable(located: Located, snapshot: Snapshot) -> bool:
    return snapshot.may(Kind.MERGE, located) and located.entry.pri is not metadata.Priority.AMYGDALA
