"""Forgetting: what holds a thing, and taking it out of all that is hippo's own (:mod:`scrub`)."""

from __future__ import annotations

import contextlib
import os
import shlex
import shutil
from collections.abc import Collection, Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from hippocampus_cli.config.settings import Config
from hippocampus_cli.context.originals import originals_of
from hippocampus_cli.entries.tag import require_text
from hippocampus_cli.errors import (
    HippoError,
    IndexNotFound,
    IndexRefused,
    NothingToForget,
    UsageError,
)
from hippocampus_cli.maintenance import scrub
from hippocampus_cli.maintenance.holders import (
    ELSEWHERE,
    Beyond,
    Holder,
    NoteHolder,
    Search,
    Surroundings,
    Target,
    lines_without,
)
from hippocampus_cli.maintenance.run_bootstrap import bootstrap
from hippocampus_cli.redaction.phrases import ForgottenText
from hippocampus_cli.workspace import tombstones
from hippocampus_cli.workspace.lock import locked
from hippocampus_cli.workspace.note_store import change_note
from hippocampus_cli.workspace.own_files import MIND, RUNNING
from hippocampus_cli.workspace.store import IndexStore
from hippocampus_cli.workspace.tombstones import Forgotten, Tombstone, path_phrase


class ToForget(NamedTuple):
    """What holds it, what is out of reach, by which rows of words and paths it will be known, and the ids and topics
    of entries and beliefs that go."""

    target: Target
    holders: tuple[Holder, ...]
    notes: tuple[NoteHolder, ...]
    beyond: tuple[Beyond, ...]
    rows: tuple[tuple[str, ...], ...] = ()
    paths: tuple[str, ...] = ()
    gone: Collection[str] = ()

    @property
    def places(self) -> int:
        """In how many places of hippo's own files it stands."""
        return sum(holder.places for holder in self.holders)


class Forgot(NamedTuple):
    """What was found and, unless it was a dry run, forgotten: ``number`` is the tombstone's.

    ``anchors``: whether there were anchors, which are gone with the caches. ``damaged`` are archives that nobody can
    look into.
    """

    found: ToForget
    number: int | None = None
    anchors: bool = False
    damaged: tuple[str, ...] = ()


def find(root: Path, config: Config, target: Target, around: Surroundings) -> ToForget:
    """What holds ``target``, which names one thing. Nothing is written. Raises :class:`UsageError`,
    :class:`SessionNotFound`."""
    if sum(map(bool, (target.text, target.path, target.session))) != 1:
        advice = "give one of: a text, a path, a session"
        raise UsageError(reason="there must be one thing to forget", advice=advice)
    require_text(target.text, target.path, errors="surrogateescape")
    search = Search(root, config, target, around.copies)
    holders, notes = tuple(search.holders()), tuple(search.notes())
    beyond = [*search.out_of_reach(around.others), ELSEWHERE]
    if notes and not target.notes:
        paths = tuple(one.path for one in notes)
        beyond.insert(0, Beyond("the notes themselves", paths, (_command(target),)))
    rows, paths = tuple(sorted(search.rows)), tuple(search.paths)
    return ToForget(target, holders, notes, tuple(beyond), rows, paths, search.erasure.gone)


def _command(target: Target) -> str:
    """What also changes the notes."""
    words = ["hippo", "forget"]
    if target.text:
        words.append(target.shown or target.text)
    if target.path:
        words += ["--path", target.path]
    return shlex.join([*words, "--notes"])


def forget(
    root: Path, config: Config, found: ToForget, now: datetime, around: Surroundings
) -> Forgot:
    """Take what was ``found`` out of everything of hippo's own, and out of the notes where the target says so.

    What had to be deleted is made again from the notes. The tombstone is written first: from then on the next run
    finishes what this one does not. Raises :class:`NothingToForget`, :class:`IndexShrunk`, :class:`Busy`,
    :class:`FileUnwritable`, :class:`FileUnreadable`, :class:`OutsideWorkspace`.
    """
    if not found.holders and not found.notes and not found.paths:
        raise NothingToForget(reason="no file of hippo and no note contains it")
    timeout, target = config.lock.timeout_seconds, found.target
    with _listed_in_episodes(root, now, timeout), locked(root, timeout, RUNNING):
        if not scrub.is_finished(root):  # what was killed may have left an index that looks shrunk
            scrub.scrub(root, config)
        store = IndexStore(root, config)
        with contextlib.suppress(IndexNotFound, IndexRefused):  # an index that shrank comes first
            store.require_whole(store.read(archive=True), archive=True)
        number = _bury(root, timeout, found, now)
        if target.notes:
            _change_notes(root, timeout, found)
        if around.cache is not None:
            shutil.rmtree(around.cache / "nearest", ignore_errors=True)
        done = scrub.scrub(root, config)
        if target.session and around.copies is not None:
            scrub.remove_files(around.copies, originals_of(around.copies, target.session))
        if target.notes:
            tombstones.finish(root, timeout, number)
    if done is None:
        return Forgot(found, number)
    with contextlib.suppress(HippoError):  # the next cycle makes up for it
        if done.deleted:
            bootstrap(root, config, now)
            store.change(lambda index: (index.counted(), None), archive=True)
        store.snapshot(now)
    return Forgot(found, number, done.anchors, done.damaged)


@contextlib.contextmanager
def _listed_in_episodes(root: Path, now: datetime, timeout: float) -> Iterator[None]:
    """List what forgetting changes in texts of episodes, so that the others still verify."""
    if not os.path.lexists(root / MIND):
        yield
        return
    from hippocampus_cli.mind.erase import intact_texts, list_forgotten

    before = intact_texts(root)
    yield
    list_forgotten(root, before, now, timeout)


class Unforgotten(NamedTuple):
    """A tombstone that is gone, and the numbers of those that keep something of the same out still."""

    tombstone: Tombstone
    others: tuple[int, ...] = ()


def unforget(root: Path, config: Config, number: int) -> Unforgotten:
    """Remove a tombstone: what it stands for may be derived again from notes that hold it, unless another one stands
    for it too.

    Raises :class:`NothingToForget` where there is none of this number.
    """
    known = tombstones.load(root)
    stones = {stone.number: stone for stone in known.tombstones} if known else {}
    if number not in stones:
        raise NothingToForget(reason=f"there is no tombstone {number}")
    gone = stones.pop(number)
    with locked(root, config.lock.timeout_seconds, RUNNING):
        tombstones.change(
            root,
            config.lock.timeout_seconds,
            lambda there: (stone for stone in there.tombstones if stone.number != number),
        )
        scrub.scrub(root, config)
    return Unforgotten(
        gone, tuple(stone.number for stone in stones.values() if gone.overlaps(stone))
    )


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
            tuple(path_phrase(there.hashes, path) for path in found.paths),
            target.session,
            target.notes,
        )
        return [*there.tombstones, stone]

    return tombstones.change(root, timeout, change).tombstones[-1].number


def _change_notes(root: Path, timeout: float, found: ToForget) -> None:
    """Take it out of the notes, or remove those that are it."""

    def without(text: str | None) -> str | None:
        if not found.target.text:
            return None
        needle = ForgottenText(found.target.text)
        return "".join(left for _, left in lines_without(needle, text or ""))

    for note in found.notes:
        change_note(root, note.path, without, timeout)
