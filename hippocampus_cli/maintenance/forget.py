"""Forgetting: what holds a thing, and taking it out of all that is hippo's own (:mod:`scrub`)."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterable
from datetime import date, datetime
from functools import partial
from pathlib import Path
from typing import NamedTuple

from hippocampus_cli.config.settings import Config
from hippocampus_cli.context.originals import originals_of
from hippocampus_cli.entries.arguments import require_text
from hippocampus_cli.errors import IndexNotFound, IndexRefused, NothingToForget, UsageError
from hippocampus_cli.maintenance import scrub
from hippocampus_cli.maintenance.erasure import Remains
from hippocampus_cli.maintenance.holders import (
    ELSEWHERE,
    Beyond,
    Holder,
    NoteHolder,
    Search,
    Surroundings,
    Target,
    changed_lines,
    without,
)
from hippocampus_cli.maintenance.upkeep import alone
from hippocampus_cli.redaction.phrases import ForgottenText
from hippocampus_cli.workspace import tombstones
from hippocampus_cli.workspace.note_store import change_note, remove_note
from hippocampus_cli.workspace.own_files import MIND
from hippocampus_cli.workspace.store import IndexStore
from hippocampus_cli.workspace.tombstones import Forgotten, Tombstone, path_phrase


class Found(NamedTuple):
    """What holds it, what is out of reach, and by which rows of words and paths it will be known."""

    target: Target
    holders: tuple[Holder, ...]
    notes: tuple[NoteHolder, ...]
    beyond: tuple[Beyond, ...]
    rows: tuple[tuple[str, ...], ...] = ()
    paths: tuple[str, ...] = ()

    @property
    def places(self) -> int:
        """In how many places of hippo's own files it stands."""
        return sum(one.places for one in self.holders)


class Forgot(NamedTuple):
    """What was found and, unless it was a dry run, forgotten: ``number`` is the tombstone's.

    ``anchors``: whether there were anchors, which are gone with the caches. ``damaged`` are archives that nobody can
    look into.
    """

    found: Found
    number: int | None = None
    anchors: bool = False
    damaged: tuple[str, ...] = ()


def find(root: Path, config: Config, target: Target, now: datetime, around: Surroundings) -> Found:
    """What holds ``target``, which names one thing. Nothing is written. Raises :class:`UsageError`,
    :class:`SessionNotFound`."""
    named = target.text, target.path, target.session, target.since or target.until
    if sum(map(bool, named)) != 1:
        advice = "give one of: a text, a path, a session, days since and until"
        raise UsageError(reason="there must be one thing to forget", advice=advice)
    require_text(target.text, target.path, errors="surrogateescape")
    search = Search(root, config, target, now, around.copies)
    holders = tuple(search.holders())
    notes = tuple(search.notes())
    out = [*_kept_notes(target, notes), *search.out_of_reach(around), ELSEWHERE]
    rows = tuple(sorted(search.rows))
    return Found(target, holders, notes, tuple(out), rows, tuple(search.paths))


def forget(root: Path, config: Config, found: Found, now: datetime, around: Surroundings) -> Forgot:
    """Take what was ``found`` out of everything of hippo's own, and out of the notes where the target says so.

    The tombstone is written first: from then on the next run finishes what this one does not. Raises
    :class:`NothingToForget`, :class:`IndexShrunk`, :class:`Busy`, :class:`FileUnwritable`,
    :class:`FileUnreadable`, :class:`OutsideWorkspace`.
    """
    timeout = config.lock.timeout_seconds
    if not found.holders and not found.notes and not found.paths:
        raise NothingToForget()
    if not os.path.lexists(root / MIND):
        return _forget(root, config, found, now, around)
    from hippocampus_cli.mind.erase import intact_texts, list_forgotten

    before = intact_texts(root)
    done = _forget(root, config, found, now, around)
    list_forgotten(root, before, now, timeout)  # so that the other episodes still verify
    return done


def _forget(
    root: Path, config: Config, found: Found, now: datetime, around: Surroundings
) -> Forgot:
    timeout = config.lock.timeout_seconds
    store = IndexStore(root, timeout, config.upkeep.loss_limit)
    with alone(root, timeout):
        if not scrub.is_finished(
            root
        ):  # one that was killed may have left an index that looks shrunk
            scrub.scrub(root, config)
        with contextlib.suppress(IndexNotFound, IndexRefused):  # an index that shrank comes first
            store.require_whole(store.read(archive=True), archive=True)
        number = _bury(root, timeout, found, now)
        remains = _change_notes(root, timeout, found) if found.target.notes else None
        if around.cache is not None:
            shutil.rmtree(around.cache / "nearest", ignore_errors=True)
        done = scrub.scrub(root, config, remains)
        if found.target.session and around.copies is not None:
            scrub.remove_files(around.copies, originals_of(around.copies, found.target.session))
        if found.target.notes:
            tombstones.amend(root, timeout, number, unfinished=False)
    anchors = done is not None and done.anchors
    return Forgot(found, number, anchors, done.damaged if done else ())


class Unforgotten(NamedTuple):
    """A tombstone that is gone, and the numbers of those that keep something of the same out still."""

    tombstone: Tombstone
    others: tuple[int, ...] = ()


def unforget(root: Path, config: Config, number: int) -> Unforgotten:
    """Remove a tombstone: what it stands for may be derived again from notes that hold it, unless another one stands
    for it too.

    Raises :class:`NothingToForget` where there is none of this number.
    """
    gone: list[Unforgotten] = []

    def change(there: Forgotten) -> Iterable[Tombstone]:
        left = [one for one in there.tombstones if one.number != number]
        for one in there.tombstones:
            if one.number == number:
                others = (other.number for other in left if one.overlaps(other))
                gone[:] = [Unforgotten(one, tuple(others))]
        return left

    known = tombstones.load(root)
    if known is None or number not in [one.number for one in known.tombstones]:
        raise NothingToForget(reason=f"there is no tombstone {number}")
    with alone(root, config.lock.timeout_seconds):
        tombstones.change(root, config.lock.timeout_seconds, change)
        scrub.scrub(root, config)
    return gone[0]


def _bury(root: Path, timeout: float, found: Found, now: datetime) -> int:
    """Write the tombstone; its number."""
    target = found.target
    numbers: list[int] = []

    def change(there: Forgotten) -> Iterable[Tombstone]:
        numbers[:] = [there.next_number()]
        span = (target.since or date.min, target.until or now.date())
        stone = Tombstone(
            numbers[0],
            now,
            target.sort,
            found.places,
            tuple(there.hashes.phrase(row) for row in found.rows),
            tuple(path_phrase(there.hashes, path) for path in found.paths),
            target.session,
            span[0] if target.sort == "span" else None,
            span[1] if target.sort == "span" else None,
            target.notes,
        )
        return [*there.tombstones, stone]

    tombstones.change(root, timeout, change)
    return numbers[0]


def _change_notes(root: Path, timeout: float, found: Found) -> Remains:
    """Change the notes; what is left of their sections."""
    needle = ForgottenText(found.target.text) if found.target.text else None
    remains = Remains()
    for one in found.notes:
        if needle is None:
            remove_note(root, one.path, timeout)
            continue
        change_note(root, one.path, partial(_taken_out, needle, one.path, remains), timeout)
    return remains


def _taken_out(needle: ForgottenText, path: str, remains: Remains, text: str | None) -> str:
    """A note without the text."""
    before = text or ""
    changed = changed_lines(path, before, needle)
    gone = (line for line, after in zip(changed.lines, changed.after, strict=True) if after is None)
    after = without(needle, before)
    remains.add(path, before, after, frozenset(gone))
    return after


def _kept_notes(target: Target, notes: tuple[NoteHolder, ...]) -> list[Beyond]:
    if target.notes or not notes:
        return []
    return [Beyond("the notes themselves", tuple(one.path for one in notes), (_again(target),))]


def _again(target: Target) -> str:
    import shlex

    if target.text:
        return f"hippo forget {shlex.quote(target.shown or target.text)} --notes"
    if target.path:
        return f"hippo forget --path {shlex.quote(target.path)} --notes"
    days = (
        (name, day) for name, day in zip(("--since", "--until"), target[3:5], strict=True) if day
    )
    return " ".join(["hippo forget", *(f"{name} {day}" for name, day in days), "--notes"])
