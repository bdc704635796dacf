"""Taking a cycle back (decision D16), also when the index was edited since."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from hippocampus_cli.config.settings import Config
from hippocampus_cli.errors import IndexRefused, NothingToUndo
from hippocampus_cli.index.archive import Why, all_retired, stored
from hippocampus_cli.index.files import ARCHIVE
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.rebase import rebased, vanished
from hippocampus_cli.maintenance import history
from hippocampus_cli.maintenance.actions import Action
from hippocampus_cli.maintenance.history import UNDO, Record
from hippocampus_cli.maintenance.running import alone
from hippocampus_cli.maintenance.scrub import scrub
from hippocampus_cli.workspace.commit import Replacement, Replacements
from hippocampus_cli.workspace.recovery import hierarchy_of, holds_entries
from hippocampus_cli.workspace.store import IndexStore


@dataclass(frozen=True)
class Undone:
    """A cycle that was taken back. ``exact``: every byte is as before, since nobody had edited the index.

    ``kept`` are entries that the cycle had added: they went to the archive.
    """

    record: Record
    number: int
    exact: bool
    kept: tuple[str, ...]


def undo(root: Path, config: Config, now: datetime, number: int | None = None) -> Undone:
    """Take back the latest cycle that is not taken back yet, or the one with this number.

    Raises :class:`NothingToUndo`, :class:`Busy`, and what reading and writing the index raise.
    """
    store = IndexStore(root, config.lock.timeout_seconds, config.upkeep.loss_limit)
    with alone(root, config.lock.timeout_seconds):
        store.read()  # the latest cycle may have been killed before its record was in place
        scrub(root, config.lock.timeout_seconds)
        store.snapshot(now)
        record = _chosen(history.records(root), number)
        files = history.files_of(root, record)
        if files is None:
            reason = f"cycle {record.number} is too long ago: its files are not kept any more"
            raise NothingToUndo(reason=reason)
        made: list[Undone] = []

        def change(index: Hierarchy) -> Hierarchy:
            after, exact, kept = taken_back(files, index, now)
            check_conserved_entries(index, after)
            made[:] = [Undone(record, history.next_number(root), exact, kept)]
            return after

        def beside(
            old: Hierarchy, new: Hierarchy, changes: Mapping[str, Replacement]
        ) -> dict[str, bytes | None]:
            actions = tuple(_reversed(one) for one in record.actions)
            stats = {"entries": len(new.entries)}
            done = Record(made[0].number, UNDO, now, actions, stats, undoes=record.number)
            return history.written(done, changes)

        store.change(change, archive=True, beside=beside)
        return made[0]


def taken_back(
    files: Replacements, index: Hierarchy, now: datetime
) -> tuple[Hierarchy, bool, tuple[str, ...]]:
    """The index without what these files' change did; whether it is as before to the byte; what was kept."""
    held = {path: one for path, one in files.items() if holds_entries(path)}
    before = hierarchy_of({path: one.before for path, one in held.items()})
    after = hierarchy_of({path: one.after for path, one in held.items()})
    texts = index.texts
    exact = all(texts.get(path) == after.texts.get(path) for path in held)
    result = _restored(index, before, held) if exact else rebased(after, before, index)
    kept = tuple(key for key in vanished(after, before) if key in index.by_key)
    gone = [index.by_key[key] for key in kept if key not in result.by_key]
    there = [result.by_key[key] for key in kept if key in result.by_key]
    living = {one.key: dict[str, str]() for one in there if not one.file.startswith(ARCHIVE)}
    result = all_retired(result, living, Why.UNDONE, now.date())
    return stored(result, gone, Why.UNDONE, now.date()), exact, kept


def _restored(index: Hierarchy, before: Hierarchy, held: Iterable[str]) -> Hierarchy:
    """The index with these files exactly as they were before."""
    for path in held:
        there = before.files.get(path)
        index = index.without_file(path) if there is None else index.with_file(path, there)
    return index


def check_conserved_entries(before: Hierarchy, after: Hierarchy) -> None:
    """As :func:`check_conserved`, for entries alone: the text between them goes back as it was."""
    lost = set(before.taken) - set(after.taken)
    if lost:
        raise IndexRefused(reason=f"undoing would lose {', '.join(sorted(lost)[:5])}")


def _chosen(found: list[Record], number: int | None) -> Record:
    undone = history.taken_back(found)
    if number is None:
        waiting = [one for one in found if one.cycle != UNDO and one.number not in undone]
        if not waiting:
            raise NothingToUndo(reason="there is no cycle to take back")
        return waiting[-1]
    for one in found:
        if one.number == number:
            if number in undone:
                raise NothingToUndo(reason=f"cycle {number} is taken back already")
            return one
    raise NothingToUndo(reason=f"there is no cycle {number}")


def _reversed(action: Action) -> Action:
    return action._replace(before=action.after, after=action.before, reason="taken back")
