"""Taking a cycle back (decision D16), also when the index was edited since."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from hippocampus_cli.config.settings import Config
from hippocampus_cli.errors import AlreadyUndone, IndexRefused, NothingToUndo
from hippocampus_cli.index.archive import Why, retired, stored
from hippocampus_cli.index.document import ARCHIVE, MASTER
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.rebase import rebase, removed_keys
from hippocampus_cli.maintenance import history
from hippocampus_cli.maintenance.actions import Action
from hippocampus_cli.maintenance.history import MIND, RESTORE, UNDO, Record
from hippocampus_cli.maintenance.note_lines import is_own_text, undo_lines, without_lines
from hippocampus_cli.maintenance.scrub import scrub
from hippocampus_cli.maintenance.upkeep import alone
from hippocampus_cli.markdown.lines import encode
from hippocampus_cli.mind.beliefs import NEW
from hippocampus_cli.workspace.commit import commit, hierarchy_of, holds_entries, read_or_none
from hippocampus_cli.workspace.lock import locked
from hippocampus_cli.workspace.own_files import BELIEFS
from hippocampus_cli.workspace.snapshots import newest
from hippocampus_cli.workspace.store import IndexStore
from hippocampus_cli.workspace.transaction import Replacement, Replacements


@dataclass(frozen=True)
class Undone:
    """A cycle that was undone. ``exact``: every byte of the index is as before, since nobody had edited it; when
    upkeep is due again is not undone.

    ``kept`` are entries that the cycle had added: they went to the archive. ``gone`` are those that it had brought
    back to an index that lost them: lost again, and in the newest snapshot. ``origin`` is the cycle that ``record``
    is, or is the undo of; ``again``: this carries it out again.
    """

    record: Record
    number: int
    exact: bool
    kept: tuple[str, ...]
    gone: tuple[str, ...]
    origin: Record
    again: bool


def undo(root: Path, config: Config, now: datetime, number: int | None = None) -> Undone:
    """Undo the latest cycle that is not undone yet, or the one with this number.

    Where that had mended a lost index, the loss is as it was and the guard knows of it again; what was mended is
    in the newest snapshot. Raises :class:`NothingToUndo`, :class:`NoSnapshot`, :class:`Busy`, and what reading and
    writing the index raise.
    """
    store = IndexStore(root, config.lock.timeout_seconds, config.upkeep.loss_limit)
    with alone(root, config.lock.timeout_seconds):
        store.settle()  # the latest cycle may have been killed before its record was in place
        scrub(root, config)
        records = history.records(root)
        if all(record.cycle != MIND for record in records):  # beliefs need no index
            store.snapshot(now)
        record = _chosen(records, number)
        origin = history.origin(records, record)
        again = origin.number in history.undone_cycles(records)
        if origin.cycle == MIND:
            return _undo_beliefs(root, config, now, Undone(record, 0, True, (), (), origin, again))
        store.snapshot(now)
        files = _files_of(root, record)
        mended = origin.cycle == RESTORE and bool(removed_keys(*reversed(_states(files))))
        elsewhere = newest(root)[1].taken if mended else frozenset[str]()

        def change(index: Hierarchy) -> tuple[Hierarchy, Undone]:
            after, exact, left = taken_back(files, index, now, archive=not mended)
            if lost := index.taken - after.taken - elsewhere:
                raise IndexRefused(reason=f"undoing would lose {', '.join(sorted(lost)[:5])}")
            kept, gone = ((), left) if mended else (left, ())
            return after, Undone(record, 0, exact, kept, gone, origin, again)

        def numbered(done: Undone, number: int) -> Undone:
            return replace(done, number=number)

        def reverse(done: Undone) -> Iterator[Action]:
            return _reversed(done.record)

        others = {path: one for path, one in files.items() if not holds_entries(path)}
        beside = history.recording(
            root,
            UNDO,
            now,
            reverse,
            numbered,
            undoes=record.number,
            more=lambda _: _others(root, others, now)[0],
        )
        done = store.change(change, archive=True, beside=beside, keep=not mended)[1]
        undo_lines(root, record.actions, config.lock.timeout_seconds, again=again)
        return done


def _undo_beliefs(root: Path, config: Config, now: datetime, undone: Undone) -> Undone:
    """Beliefs, for which no index is needed; later edits are kept."""
    record = undone.record
    with locked(root, config.lock.timeout_seconds):
        changes, exact = _others(root, _files_of(root, record), now)
        undone = replace(undone, number=history.next_number(root), exact=exact)
        actions = tuple(_reversed(record))
        done = Record(undone.number, UNDO, now, actions, undoes=record.number)
        written = history.written(done, changes).items()
        commit(root, {**changes, **{path: Replacement(None, data) for path, data in written}})
    return undone


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
            result, _, _ = taken_back(held, index, now, archive=False)
            before = encode(result.texts[MASTER])
        changes[path] = Replacement(there, before)
    return changes, exact


def _reversed(record: Record) -> Iterator[Action]:
    for action in record.actions:
        yield action._replace(before=action.after, after=action.before, reason="undone")


def _files_of(root: Path, record: Record) -> Replacements:
    files = history.files_of(root, record)
    if files is None:
        reason = f"cycle {record.number} is too long ago: its files are not kept any more"
        raise NothingToUndo(reason=reason)
    return files


def taken_back(
    files: Replacements, index: Hierarchy, now: datetime, *, archive: bool = True
) -> tuple[Hierarchy, bool, tuple[str, ...]]:
    """The index without what these files' change did; whether it is as before to the byte; the entries that the
    change had added, which go to the ``archive`` or nowhere."""
    before, after = _states(files)
    held = [path for path in files if holds_entries(path)]
    exact = all(index.texts.get(path) == after.texts.get(path) for path in held)
    result = _restored(index, before, held) if exact else rebase(after, before, index)
    exact = exact and (MASTER not in files or files[MASTER].before is not None)
    added = tuple(key for key in removed_keys(after, before) if key in index.by_key)
    gone = [index.by_key[key] for key in added if key not in result.by_key]
    there = [result.by_key[key] for key in added if key in result.by_key]
    living = {one.key: dict[str, str]() for one in there if not one.file.startswith(ARCHIVE)}
    if not archive:
        return result.without(living), exact, added
    result = retired(result, living, Why.UNDONE, now.date())
    return stored(result, gone, Why.UNDONE, now.date()), exact, added


def _states(files: Replacements) -> tuple[Hierarchy, Hierarchy]:
    """What these files' change knows of the index before and after it."""
    held = {path: one for path, one in files.items() if holds_entries(path)}
    before = hierarchy_of({path: one.before for path, one in held.items()})
    return before, hierarchy_of({path: one.after for path, one in held.items()})


def _restored(index: Hierarchy, before: Hierarchy, held: Iterable[str]) -> Hierarchy:
    """The index with these files exactly as they were before."""
    for path in held:
        there = before.files.get(path)
        index = index.without_file(path) if there is None else index.with_file(path, there)
    return index


def _chosen(records: list[Record], number: int | None) -> Record:
    undone = history.undone_cycles(records)
    if number is None:
        waiting = [one for one in records if one.cycle != UNDO and one.number not in undone]
        undos = [one for one in records if one.undoes is not None and one.number not in undone]
        if waiting:
            return waiting[-1]
        if undos:
            raise _already(records, undos[-1], "there is no cycle to undo: ")
        raise NothingToUndo(reason="there is no cycle to undo")
    record = next((one for one in records if one.number == number), None)
    if record is None:
        raise NothingToUndo(reason=f"there is no cycle {number}")
    if number in undone:
        raise _already(records, record)
    return record


def _already(records: list[Record], record: Record, before: str = "") -> AlreadyUndone:
    """The refusal to undo what is undone; it names the last undo of that cycle, which can be."""
    cycle = history.origin(records, record)
    undos = (one for one in records if one.undoes and history.origin(records, one) == cycle)
    is_undone = cycle.number in history.undone_cycles(records)
    done, does = ("undone", "redoes") if is_undone else ("redone", "undoes")
    return AlreadyUndone(
        reason=f"{before}{cycle.cycle} {cycle.number} is {done} already",
        advice=f"`hippo undo {max(one.number for one in undos)}` {does} it",
    )
