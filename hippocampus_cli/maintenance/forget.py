"""Forgetting: taking what holds a thing out of all that is hippo's own (:mod:`scrub`)."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from hippocampus_cli.config.settings import Config
from hippocampus_cli.errors import HippoError, IndexNotFound, IndexRefused, NothingToForget
from hippocampus_cli.maintenance import scrub
from hippocampus_cli.maintenance.erasure import Erasure
from hippocampus_cli.maintenance.forgotten_state import BEGUN, finished, is_finished, keep_state
from hippocampus_cli.maintenance.holders import ToForget, lines_without
from hippocampus_cli.maintenance.upkeep import Upkeep
from hippocampus_cli.redaction.phrases import ForgottenText
from hippocampus_cli.workspace import tombstones
from hippocampus_cli.workspace.lock import locked
from hippocampus_cli.workspace.note_store import change_note
from hippocampus_cli.workspace.own_files import ANCHOR_INDEX, FORGOTTEN, RUNNING
from hippocampus_cli.workspace.store import IndexStore
from hippocampus_cli.workspace.tombstones import Forgotten, Tombstone, path_phrase


class Forgot(NamedTuple):
    """What was found and, unless it was a dry run, forgotten: ``number`` is the tombstone's.

    ``anchors``: whether there were anchors, which are gone with the caches. ``damaged`` are archives that nobody can
    look into.
    """

    found: ToForget
    number: int | None = None
    anchors: bool = False
    damaged: tuple[str, ...] = ()


def forget(root: Path, config: Config, found: ToForget, now: datetime) -> Forgot:
    """Take what was ``found`` out of everything of hippo's own, and out of the notes where the target says so.

    What had to be deleted is made again from the notes. The tombstone is written first: from then on the next run
    finishes what this one does not. Raises :class:`NothingToForget`, :class:`IndexShrunk`, :class:`Busy`,
    :class:`FileUnwritable`, :class:`FileUnreadable`, :class:`OutsideWorkspace`.
    """
    if not found.holders and not found.notes:
        raise NothingToForget(reason="no file of hippo and no note contains it")
    timeout = config.lock.timeout_seconds
    with locked(root, timeout, RUNNING):
        with contextlib.suppress(IndexNotFound, IndexRefused):  # an index that shrank comes first
            IndexStore(root, config).read_whole()
        keep_state(root, BEGUN, {})  # a kill from here on is one that is known of
        scrub.remove_files(root, found.copies)
        number = _bury(root, timeout, found, now)
        if found.target.notes:
            _change_notes(root, timeout, found)
    anchors = (root / ANCHOR_INDEX).is_file()
    done = finish(root, config, now)
    return Forgot(found, number, anchors, tuple(done.damaged))


def finish(root: Path, config: Config, now: datetime) -> Erasure:
    """Take what has a tombstone out of every file, and make again from the notes what was deleted; what went.

    Raises as :func:`scrub.scrub`, and :class:`UpkeepBusy`.
    """
    with locked(root, config.lock.timeout_seconds, RUNNING):
        return Upkeep(root, config, now).finish_forgetting()


def finish_forgetting(root: Path, config: Config, now: datetime) -> str:
    """Finish forgetting that was interrupted; what a person should know of it, unless nobody knows: whoever deletes
    the cache interrupts nothing. What cannot be done now is left to the next run."""
    known = finished(root)[0]
    try:
        finish(root, config, now)
    except HippoError as error:
        if error.path == FORGOTTEN:  # whatever reads what was forgotten says so
            return ""
        return f"what was forgotten is not out of every file yet: {error}"
    if known and is_finished(root):
        return "forgetting was interrupted and is finished now; repeat it with --notes if notes were to change, too"
    return ""


def unforget(root: Path, config: Config, now: datetime, number: int) -> Tombstone:
    """Remove a tombstone: what it stands for may be derived again from notes that hold it, unless another one stands
    for it too.

    Raises :class:`NothingToForget` where there is none of this number.
    """
    stone = next((one for one in tombstones.load(root).tombstones if one.number == number), None)
    if stone is None:
        raise NothingToForget(reason=f"there is no tombstone {number}")
    differs = stone.__ne__
    tombstones.change(
        root, config.lock.timeout_seconds, lambda there: filter(differs, there.tombstones)
    )
    finish(root, config, now)
    return stone


def _bury(root: Path, timeout: float, found: ToForget, now: datetime) -> int:
    """Write the tombstone; its number."""
    target = found.target

    def change(there: Forgotten) -> Iterable[Tombstone]:
        stone = Tombstone(
            there.next_number(),
            now,
            target.sort,
            found.places,
            tuple(map(there.hashes.phrase, found.rows)),
            (path_phrase(there.hashes, found.path),) if found.path else (),
            target.session,
        )
        return [*there.tombstones, stone]

    return tombstones.change(root, timeout, change).tombstones[-1].number


def _change_notes(root: Path, timeout: float, found: ToForget) -> None:
    """Take it out of the notes, or remove those that are it."""

    def without(text: str | None) -> str | None:
        if found.path:
            return None
        needle = ForgottenText(found.target.text)
        return "".join(left for _, left in lines_without(needle, text or ""))

    for note in found.notes:
        change_note(root, note.path, without, timeout)
