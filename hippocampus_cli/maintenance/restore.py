"""What is brought back: an entry from the Decay Queue or the archive (decision D11), or what an index lost.

``hippo restore --index`` and ``hippo check --fix`` put an index right, as a cycle that can be undone: the one brings
back from a snapshot what was lost, with all that was written since; the other repairs what is broken.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import datetime
from functools import partial
from pathlib import Path

from hippocampus_cli.config.settings import Config
from hippocampus_cli.entries.sections import place_of
from hippocampus_cli.errors import (
    EntryExists,
    EntryNotFound,
    IndexNotFound,
    IndexUnreadable,
)
from hippocampus_cli.fast_types import Frozen
from hippocampus_cli.index.archive import bring_back, is_queued
from hippocampus_cli.index.decay import DecayClock, clock_for, written
from hippocampus_cli.index.document import Located
from hippocampus_cli.index.entry import Form
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.rebase import unite, whole_ids
from hippocampus_cli.index.repair import Repair, Repaired, repair
from hippocampus_cli.maintenance import history
from hippocampus_cli.maintenance.actions import Action, Kind
from hippocampus_cli.maintenance.bootstrap import with_lists
from hippocampus_cli.maintenance.history import REPAIR, RESTORE
from hippocampus_cli.maintenance.safety import ids_of, require_all
from hippocampus_cli.maintenance.scrub import scrub
from hippocampus_cli.maintenance.snapshot import take_snapshot
from hippocampus_cli.maintenance.steps.pointers import without_dead
from hippocampus_cli.workspace.fingerprints import KeptFingerprints
from hippocampus_cli.workspace.guard import Snapshot, refuse_conflicts
from hippocampus_cli.workspace.lock import locked
from hippocampus_cli.workspace.own_files import RUNNING
from hippocampus_cli.workspace.snapshots import newest
from hippocampus_cli.workspace.store import IndexStore


class Restored(Frozen):
    """An entry that is back, and where it stands now.

    ``origin`` is where it was: ``queue``, ``archive``, or ``index`` if it had never left.
    """

    id: str
    topic: str
    origin: str
    section: tuple[str, ...]
    strength: float


def restore(root: Path, config: Config, now: datetime, *keys: str) -> list[Restored]:
    """Bring entries back, all of them or none, as strong as new ones: who asks for one wants it found.

    Raises :class:`EntryNotFound`, :class:`EntryExists` where a living entry has the id by now.
    """

    def change(index: Hierarchy) -> tuple[Hierarchy, list[Restored]]:
        wanted = {located.key: located for located in (_wanted(index, key) for key in keys)}
        leaving = [located for located in wanted.values() if _origin(located) != "index"]
        living = set(index.ids)
        for located in leaving:
            if _origin(located) == "archive" and located.entry.id in living:
                raise EntryExists(id=located.entry.id)
            living.add(located.entry.id)
        homes = {located.key: place_of(index.master, located.entry) for located in leaving}
        index = bring_back(index, homes)
        clock = clock_for(index, now, config.decay)
        back = [index.by_key[_new_key(located)] for located in leaving]
        index = index.set_values({located.key: _as_new(located, clock, config) for located in back})
        clock = clock_for(index, now, config.decay)
        done = []
        for located in wanted.values():
            there = index.by_key[_new_key(located)]
            strength = round(clock.strength(there.entry), 4)
            done.append(
                Restored(there.key, there.entry.topic, _origin(located), there.section, strength)
            )
        return (index.counted() if leaving else index), done

    scrub(root, config)  # an old archive may have been put back
    store = IndexStore(root, config)
    return store.change(change)[1]


def _new_key(located: Located) -> str:
    """An entry's key once it is back: in the archive it may have had another one than its id."""
    return located.entry.id if _origin(located) == "archive" else located.key


def _wanted(index: Hierarchy, key: str) -> Located:
    """The entry, archived ones first: a merged id stands for another entry while it lives."""
    archived = (located for located in index.archived if key in (located.key, located.entry.id))
    located = next(archived, None) or index.find(key)
    if located is None:
        raise EntryNotFound(id=key, nearest="")
    return located


def _origin(located: Located) -> str:
    if located.is_archived:
        return "archive"
    moved = is_queued(located) and located.entry.form is Form.HEADING  # a bullet stays where it is
    return "queue" if moved else "index"


def _as_new(located: Located, clock: DecayClock, config: Config) -> dict[str, str]:
    base = max(clock.base(located.entry), config.decay.initial)
    return {
        "accessed": clock.replayed(located.entry)["accessed"],
        **written(base, base, located.entry),
    }


class IndexRestored(Frozen):
    """What came back from a snapshot, or would. ``back`` are the ids that the index lacked, ``since`` those that it
    has and the snapshot has not: they stay. ``exact``: every file is as it was kept, to the byte. ``number`` is
    the cycle's in the history, ``None`` where nothing was to be done or with a dry run. ``aside`` is where that is
    kept now which was in the index's place and could not be read."""

    snapshot: Snapshot
    back: tuple[str, ...]
    since: tuple[str, ...]
    exact: bool
    entries: int
    number: int | None = None
    aside: str | None = None


def restore_index(
    root: Path, config: Config, now: datetime, number: int | None = None, *, dry_run: bool = False
) -> IndexRestored:
    """Bring back what the newest verified snapshot has, or the one with this ``number``, and the index lacks.

    What cannot be read as an index is set aside, and stays there. Raises :class:`NoSnapshot`, :class:`IndexRefused`
    for an index with the markers of a merge, :class:`UpkeepBusy`, and what reading and writing the index raise; then
    nothing else was changed.
    """
    store = IndexStore(root, config)
    snapshot, earlier = newest(root, number)

    def change(index: Hierarchy) -> tuple[Hierarchy, IndexRestored]:
        after = unite(earlier, index)
        before, there = {*ids_of(earlier)}, {*ids_of(index)}
        require_all(before, after)
        require_all(whole_ids(index, earlier), after)
        made = IndexRestored(
            snapshot,
            back=tuple(sorted({*ids_of(after)} - there)),
            since=tuple(sorted(there - before)),
            exact=after == earlier,
            entries=len(after.entries),
        )
        return after, made

    def actions(made: IndexRestored) -> Iterator[Action]:
        for key in made.back:
            yield Action(Kind.RESTORE, key, f"back from snapshot {snapshot.number}")

    if dry_run:
        index = _read_in_part(store)
        refuse_conflicts(index.texts)
        return change(index)[1]
    with locked(root, config.lock.timeout_seconds, RUNNING):
        aside = store.set_aside()
        beside = history.recording(root, RESTORE, now, actions)
        there = _read_in_part(store)  # nobody else writes where the master is missing
        made = store.change(change, create=there, beside=beside, shrunk=True)[1]
    return made.replaced(aside=aside)


def _read_in_part(store: IndexStore) -> Hierarchy:
    """The index with its archive; beside a master that is gone, or cannot be read, what is there."""
    try:
        return store.read(archive=True)
    except (IndexNotFound, IndexUnreadable):
        return store.remains()


def repair_index(
    root: Path, config: Config, now: datetime, *, drop: str = "", dry_run: bool = False
) -> tuple[Repair, ...]:
    """What was put right, or with ``dry_run`` would be. Nothing is written where there is nothing to do.

    With ``drop`` only the pointers of this entry that lead nowhere are put right.

    Raises :class:`IndexRefused` for an index with the markers of a merge, :class:`IndexNotFound`,
    :class:`IndexShrunk`, :class:`UpkeepBusy`, and what reading and writing the index raise; then nothing was changed.
    """
    store = IndexStore(root, config)

    change = repair
    if drop:
        change = partial(_without_dead, root=root, config=config, now=now, key=drop)

    def actions(done: list[Repair]) -> Iterator[Action]:
        return (Action(Kind.REPAIR, repair.key, repair.done) for repair in done)

    if dry_run:
        return tuple(change(store.read_whole())[1])
    with locked(root, config.lock.timeout_seconds, RUNNING):
        beside = history.recording(root, REPAIR, now, actions)
        return tuple(store.change(change, beside=beside)[1])


def _without_dead(
    index: Hierarchy, root: Path, config: Config, now: datetime, key: str
) -> Repaired:
    with closing(KeptFingerprints(root)) as known:
        snapshot = take_snapshot(root, config, now, journal=False, known=known)
        after, actions = without_dead(index, snapshot, key)
    if not actions:
        return index, []
    path = index.by_key[key].file
    done = [
        Repair(action.kind, path, key, f"{action.before or key}: {action.reason}")
        for action in actions
    ]
    return with_lists(after, config, snapshot.clock(after)), done
