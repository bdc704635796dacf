"""``hippo restore --index`` and ``hippo check --repair``: an index put right, as a cycle that can be undone.

What was lost comes back from a snapshot, with all that was written since; what is broken is repaired.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from hippocampus_cli.config.settings import Config
from hippocampus_cli.errors import IndexNotFound, IndexRefused, NoSnapshot
from hippocampus_cli.index.clock import clock_for
from hippocampus_cli.index.document import MASTER
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.repair import Repair, Repaired, repaired
from hippocampus_cli.index.union import united, whole_ids
from hippocampus_cli.index.views import SECTIONS, refreshed, view_lines
from hippocampus_cli.maintenance import history
from hippocampus_cli.maintenance.actions import Action, Kind
from hippocampus_cli.maintenance.bootstrap import view_limits
from hippocampus_cli.maintenance.history import REPAIR, RESTORE, Record
from hippocampus_cli.maintenance.upkeep import alone
from hippocampus_cli.markdown.lines import encode
from hippocampus_cli.workspace.guard import refuse_conflicts
from hippocampus_cli.workspace.own_files import ensure_ignored
from hippocampus_cli.workspace.snapshots import Snapshot, newest
from hippocampus_cli.workspace.store import Files, IndexStore
from hippocampus_cli.workspace.transaction import Replacements


@dataclass(frozen=True)
class IndexRestored:
    """What came back from a snapshot, or would. ``back`` are the ids that the index lacked, ``since`` those that it
    has and the snapshot has not: they stay. ``exact``: every file is as it was kept, to the byte. ``number`` is
    the cycle's in the history, ``None`` where nothing was to be done or with a dry run."""

    snapshot: Snapshot
    back: tuple[str, ...]
    since: tuple[str, ...]
    exact: bool
    entries: int
    number: int | None = None


def restore_index(
    root: Path, config: Config, now: datetime, number: int | None = None, *, dry_run: bool = False
) -> IndexRestored:
    """Bring back what the newest verified snapshot has, or the one with this ``number``, and the index lacks.

    Raises :class:`NoSnapshot`, :class:`IndexRefused` for an index with the markers of a merge, :class:`UpkeepBusy`,
    and what reading and writing the index raise; then nothing was changed.
    """
    store = IndexStore(root, config.lock.timeout_seconds, config.upkeep.loss_limit)
    snapshot, earlier = newest(root, number)
    if dry_run:
        index = read_or_nothing(store)
        refuse_conflicts({path: encode(text) for path, text in index.texts.items()})
        return _outcome(snapshot, earlier, index, united(earlier, index))
    with alone(root, config.lock.timeout_seconds):

        def change(index: Hierarchy) -> tuple[Hierarchy, IndexRestored]:
            after = united(earlier, index)
            check_nothing_lost(after, earlier, index)
            return after, _outcome(snapshot, earlier, index, after)

        def beside(
            old: Hierarchy, new: Hierarchy, changes: Replacements, made: IndexRestored
        ) -> tuple[Files, IndexRestored]:
            if not changes:
                return {}, made
            number, stats = history.next_number(root), {"entries": len(new.entries)}
            reason = f"back from snapshot {snapshot.number}"
            actions = tuple(Action(Kind.RESTORE, key, reason) for key in made.back)
            record = Record(number, RESTORE, now, actions, stats)
            return history.written(record, changes), replace(made, number=number)

        there = read_or_nothing(store)  # nobody else writes where the master is missing
        made = store.change(change, create=there, archive=True, beside=beside, shrunk=True)[1]
        ensure_ignored(root)
    return made


def read_or_nothing(store: IndexStore) -> Hierarchy:
    """The index with its archive; what is beside a master that is gone counts."""
    try:
        return store.read(archive=True)
    except IndexNotFound:
        return store.remains()


def check_nothing_lost(after: Hierarchy, earlier: Hierarchy, index: Hierarchy) -> None:
    """Raises :class:`IndexRefused` where an entry of either state would be gone."""
    there = _ids(after)
    for known in (_ids(earlier), whole_ids(index, earlier)):
        if lost := known - there:
            raise IndexRefused(reason=f"this would lose {', '.join(sorted(lost)[:5])}")


def _outcome(
    snapshot: Snapshot, earlier: Hierarchy, index: Hierarchy, after: Hierarchy
) -> IndexRestored:
    return IndexRestored(
        snapshot,
        back=tuple(sorted(_ids(after) - _ids(index))),
        since=tuple(sorted(_ids(index) - _ids(earlier))),
        exact=after == earlier and not snapshot.rewritten,
        entries=len(after.entries),
    )


def _ids(index: Hierarchy) -> set[str]:
    return {one.entry.id for one in (*index.entries, *index.archived)}


_SHRUNK, _LOST_VIEW = "index-shrunk", "lost-view"


def repair_index(
    root: Path, config: Config, now: datetime, *, dry_run: bool = False
) -> tuple[Repair, ...]:
    """What was put right, or with ``dry_run`` would be. Nothing is written where there is nothing to do.

    Raises :class:`IndexRefused` for an index with the markers of a merge, :class:`IndexNotFound`,
    :class:`UpkeepBusy`, and what reading and writing the index raise; then nothing was changed.
    """
    store = IndexStore(root, config.lock.timeout_seconds, config.upkeep.loss_limit)
    earlier = _earlier(root)
    if earlier is None:
        store.read()
    if dry_run:
        index = read_or_nothing(store)
        refuse_conflicts({path: encode(text) for path, text in index.texts.items()})
        return tuple(_mended(store, index, earlier, config, now)[1])
    with alone(root, config.lock.timeout_seconds):

        def change(index: Hierarchy) -> Repaired:
            return _mended(store, index, earlier, config, now)

        def beside(
            old: Hierarchy, new: Hierarchy, changes: Replacements, done: list[Repair]
        ) -> tuple[Files, list[Repair]]:
            if not changes:
                return {}, done
            number, stats = history.next_number(root), {"entries": len(new.entries)}
            actions = tuple(Action(Kind.REPAIR, one.key, one.done) for one in done)
            return history.written(Record(number, REPAIR, now, actions, stats), changes), done

        there = read_or_nothing(store)
        done = store.change(change, create=there, archive=True, beside=beside, shrunk=True)[1]
    return tuple(done)


def _earlier(root: Path) -> Hierarchy | None:
    """The index as of the newest snapshot, where one is kept."""
    with contextlib.suppress(NoSnapshot):
        return newest(root)[1]
    return None


def _mended(
    store: IndexStore, index: Hierarchy, earlier: Hierarchy | None, config: Config, now: datetime
) -> Repaired:
    """The index put right: first what was lost, then its parts, then the lists that it had."""
    before, done = index, list[Repair]()
    loss = store.loss(index)
    if loss and earlier is not None:
        index = united(earlier, index)
        text = f"{len(loss.ids):,} of {loss.total:,} entries are back from the newest snapshot"
        done.append(Repair(_SHRUNK, MASTER, MASTER, text))
        check_nothing_lost(index, earlier, before)
    index, found = repaired(index, _generated(index, earlier, config, now))
    index, lists = _with_views(index, earlier, config, now)
    return index, [*done, *found, *lists]


def _generated(
    index: Hierarchy, earlier: Hierarchy | None, config: Config, now: datetime
) -> dict[str, list[str]]:
    """The lines that hippo would write, or wrote when the snapshot was made, by view."""
    clock, limits = clock_for(index, now, config.decay), view_limits(config)
    found = {name: view_lines(name, index.master, clock, limits) for name in SECTIONS}
    for name, view in earlier.master.views.items() if earlier else ():
        found.setdefault(name, []).extend(view.raw.splitlines()[1:-1])
    return found


def _with_views(
    index: Hierarchy, earlier: Hierarchy | None, config: Config, now: datetime
) -> Repaired:
    """The index with the generated lists that the snapshot has and it has not."""
    had = earlier.master.views if earlier else {}
    lost = [name for name in SECTIONS if name in had and name not in index.master.views]
    if not lost:
        return index, []
    clock, beyond = clock_for(index, now, config.decay), len(index.entries)
    beyond -= len(index.master.entries)
    master = refreshed(index.master, clock, view_limits(config), lost, beyond=beyond)
    text = "the list is restored"
    return index.with_file(MASTER, master), [Repair(_LOST_VIEW, MASTER, one, text) for one in lost]
