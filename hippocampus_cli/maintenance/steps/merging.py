"""Near-duplicates become one entry; the others go to the archive, their ids lead to it (INDEX §8.2, D15)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial

from hippocampus_cli.index import fields
from hippocampus_cli.index.archive import Why, all_retired, is_queued
from hippocampus_cli.index.decay import DecayClock
from hippocampus_cli.index.document import Located
from hippocampus_cli.index.entry import Entry, Form
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.pointers import Pointer
from hippocampus_cli.maintenance.actions import Action, Kind, Planned
from hippocampus_cli.maintenance.snapshot import Snapshot
from hippocampus_cli.maintenance.steps.applying import applied
from hippocampus_cli.maintenance.steps.grouping import Groups, Merge
from hippocampus_cli.maintenance.steps.sameness import Saying, saying_of
from hippocampus_cli.maintenance.steps.uniting import redirected, united


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
        created = fields.write_date(entry.created) if entry.created else "~"
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
        one.key: {"rel": fields.write_list(redirected((one.entry,), into, one.entry.id))}
        for one in index.entries
        if one.key not in kept and one.key not in leaving
        if not into.keys().isdisjoint(one.entry.rel)
    }
    changes = {
        key: partial(united, absorbed=absorbed, into=into, clock=clock)
        for key, absorbed in kept.items()
    }
    after = index.change_all(changes).set_values(relations)
    return all_retired(after, leaving, Why.MERGED, snapshot.now.date())


def _actions(merges: Iterable[Merge]) -> Iterator[Action]:
    for kept, absorbed in merges:
        targets = saying_of(kept.entry).targets
        for one in absorbed:
            same = saying_of(one.entry).targets == targets
            why = "leads to the same place as" if same else "says the same as"
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
    return snapshot.may(Kind.MERGE, located) and located.entry.pri is not fields.Priority.AMYGDALA
