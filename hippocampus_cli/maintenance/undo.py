"""Taking a cycle back (decision D16), also when the index was edited since."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from hippocampus_cli.config.settings import Config
from hippocampus_cli.errors import AlreadyUndone, IndexRefused, NothingToUndo
from hippocampus_cli.fast_types import Frozen
from hippocampus_cli.index.archive import Why, retired, stored
from hippocampus_cli.index.document import MASTER
from hippocampus_cli.index.entry import Form
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.rebase import rebase
from hippocampus_cli.maintenance import history
from hippocampus_cli.maintenance.actions import Action
from hippocampus_cli.maintenance.history import UNDO, Record
from hippocampus_cli.maintenance.note_lines import is_own_text, undo_lines, without_lines
from hippocampus_cli.maintenance.scrub import scrub
from hippocampus_cli.markdown.lines import encode
from hippocampus_cli.mind.beliefs import NEW
from hippocampus_cli.workspace.atomic import Replacement, Replacements
from hippocampus_cli.workspace.commit import commit, hierarchy_of, holds_entries, read_or_none
from hippocampus_cli.workspace.lock import locked
from hippocampus_cli.workspace.own_files import BELIEFS, RUNNING
from hippocampus_cli.workspace.store import IndexStore
from hippocampus_cli.workspace.tombstones import load


class Undone(Frozen):
    """A cycle, or an undo, that was undone. ``number`` is that of its undo, which can be undone in its turn.

    ``exact``: every byte is as before, since nobody had edited it; when upkeep is due again is not undone. ``kept``
    are entries that it had added: they went to the archive.
    """

    record: Record
    number: int
    exact: bool
    kept: tuple[str, ...] = ()


def undo(root: Path, config: Config, now: datetime, number: int | None = None) -> Undone:
    """Undo the latest cycle that is not undone yet, or the one with this number.

    Raises :class:`NothingToUndo`, :class:`AlreadyUndone`, :class:`UpkeepBusy`, and what reading and writing the index
    raise.
    """
    timeout = config.lock.timeout_seconds
    store = IndexStore(root, config)
    with locked(root, timeout, RUNNING):
        store.settle()  # the latest cycle may have been killed before its record was in place
        scrub(root, config)
        if store.exists():
            store.snapshot(now)
        records = history.records(root)
        record = _chosen(records, number)
        files = history.files_of(root, record)
        if files is None:
            why = "it is too long ago"
            forgotten = any(stone.at >= record.at for stone in load(root).tombstones)
            if forgotten and record in records[-config.upkeep.history :]:
                why = "what was forgotten since cannot come back, and undo ends there"
            raise NothingToUndo(reason=f"cycle {record.number} has no files any more: {why}")
        if any(map(holds_entries, files)):
            undone = _undo_index(store, now, record, files)
        else:
            undone = _undo_beliefs(root, timeout, now, record, files)
        undo_lines(root, record.actions, timeout)
        return undone


def _undo_index(store: IndexStore, now: datetime, record: Record, files: Replacements) -> Undone:
    """The index, and what changed beside it."""
    others = {path: one for path, one in files.items() if not holds_entries(path)}

    def change(index: Hierarchy) -> tuple[Hierarchy, Undone]:
        after, exact, kept = taken_back(files, index, now)
        if lost := index.taken - after.taken:
            raise IndexRefused(reason=f"undoing would lose {', '.join(sorted(lost)[:5])}")
        return after, Undone(record, 0, exact, kept)

    beside = history.recording(
        store.root,
        UNDO,
        now,
        lambda _: _reversed(record),
        undoes=record.number,
        more=lambda _: _others(store.root, others, now)[0],
    )
    return store.change(change, beside=beside, copied=True, at=now)[1]


def _undo_beliefs(
    root: Path, timeout: float, now: datetime, record: Record, files: Replacements
) -> Undone:
    """Beliefs, for which no index is needed; later edits are kept."""
    with locked(root, timeout):
        changes, exact = _others(root, files, now)
        number, written = history.written(
            root, changes, UNDO, now, _reversed(record), undoes=record.number
        )
        new = {path: Replacement(None, data) for path, data in written.items()}
        commit(root, {**changes, **new})
    return Undone(record, number, exact)


def _others(root: Path, files: Replacements, now: datetime) -> tuple[dict[str, Replacement], bool]:
    """What takes a change of files beside the index back, later edits kept; whether every byte is as before."""
    changes: dict[str, Replacement] = {}
    exact = True
    for path, change in files.items():
        there = read_or_none(root, path)
        exact = exact and there == change.after
        if path != BELIEFS:
            if is_own_text(path):
                changes[path] = Replacement(there, without_lines(there, *change))
            continue
        before, after = (NEW.encode() if side is None else side for side in change)
        if there not in (None, change.after):
            index, held = hierarchy_of({MASTER: there}), {MASTER: Replacement(before, after)}
            before = encode(taken_back(held, index, now, archive=False)[0].texts[MASTER])
        changes[path] = Replacement(there, before)
    return changes, exact


def _reversed(record: Record) -> Iterator[Action]:
    for action in record.actions:
        yield action._replace(before=action.after, after=action.before, reason="undone")


def taken_back(
    files: Replacements, index: Hierarchy, now: datetime, *, archive: bool = True
) -> tuple[Hierarchy, bool, tuple[str, ...]]:
    """The index without what these files' change did; whether it is as before to the byte; the entries that the
    change had added, which go to the ``archive`` or nowhere."""
    held = {path: change for path, change in files.items() if holds_entries(path)}
    before = hierarchy_of({path: change.before for path, change in held.items()})
    after = hierarchy_of({path: change.after for path, change in held.items()})
    exact = all(index.texts.get(path) == after.texts.get(path) for path in held)
    beside = {path: there for path, there in index.files.items() if path not in held}
    restored = Hierarchy({**before.files, **beside})
    result = restored if exact else rebase(after, before, index)
    exact = exact and (MASTER not in files or files[MASTER].before is not None)
    new = (key for key in after.by_key if key not in before.by_key)
    added = tuple(key for key in new if key in index.by_key)
    gone = [index.by_key[key] for key in added if key not in result.by_key]
    there = [result.by_key[key] for key in added if key in result.by_key]
    living = {
        one.key: dict[str, str]()
        for one in there
        if not one.is_archived and one.entry.form is not Form.BULLET  # it stays
    }
    if not archive:
        return result.without(living), exact, added
    result = retired(result, living, Why.UNDONE, now.date())
    return stored(result, gone, Why.UNDONE, now.date()), exact, added


def _chosen(records: list[Record], number: int | None) -> Record:
    undone = history.undone_cycles(records)
    if number is None:
        waiting = [
            record for record in records if record.cycle != UNDO and record.number not in undone
        ]
        if not waiting:
            raise NothingToUndo(reason="there is no cycle to undo")
        return waiting[-1]
    record = next((one for one in records if one.number == number), None)
    if record is None:
        raise NothingToUndo(reason=f"there is no cycle {number}")
    if number in undone:
        last = max(one.number for one in records if one.undoes == number)
        raise AlreadyUndone(
            reason=f"{record.cycle} {number} is undone already",
            advice=f"`hippo undo {last}` takes that back",
        )
    return record
