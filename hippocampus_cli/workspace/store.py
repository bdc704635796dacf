"""The index on disk: read it, change it, and lose nothing on the way (decision D16).

Every change: lock, re-read, apply to what is there *now*, serialise, verify, compare, write, sync, rename;
several files at once as one (:mod:`commit`).
"""

from __future__ import annotations

import contextlib
import itertools
import os
import time
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from hippocampus_cli.config.settings import Config
from hippocampus_cli.errors import (
    BeingWritten,
    Busy,
    FileUnreadable,
    FileUnwritable,
    HippoError,
    IndexGone,
    IndexNotFound,
    IndexRefused,
    IndexShrunk,
    IndexUnreadable,
    NoSnapshot,
)
from hippocampus_cli.index.document import ARCHIVE, Document
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.parse import parse
from hippocampus_cli.markdown.lines import decode, encode
from hippocampus_cli.workspace import guard
from hippocampus_cli.workspace.atomic import (
    Replacement,
    Replacements,
    read_whole,
    replace_bytes,
    rounds,
)
from hippocampus_cli.workspace.lock import locked
from hippocampus_cli.workspace.own_files import (
    INDEX,
    PENDING,
    SET_ASIDE,
    ensure_folder,
    files_beside,
    index_path,
    place_for,
)
from hippocampus_cli.workspace.read import SNIFF
from hippocampus_cli.workspace.regular import read_regular, reading, writing

_ROUNDS = 20
_SPLIT = b"| split="
_GLANCE = 1.0
"""Seconds that a reader waits for a program that saves in place."""
_BLINKS = 50
"""Looks, in a tenth of a second, at an index that is gone: an editor may be renaming its new one into its place."""
_DEFAULTS = Config()
Result = TypeVar("Result")
Files = Mapping[str, bytes | None]
"""The new bytes of files, by path from the root; ``None`` for one that is to go."""
Change = Callable[[Hierarchy], tuple[Hierarchy, Result]]
"""The index as it is to be, and what the change has to report."""
Beside = Callable[[Hierarchy, Hierarchy, Replacements, Result], tuple[Files, Result]]
"""Other own files to write together with a change, and its result with what they add to it: from the index before and
after, the files that change, and the change's own result."""


class IndexStore:
    """The index of one workspace. ``timeout`` is how long a writer waits for the others, in seconds; ``loss_limit``
    the share of the entries that may be gone from one of its writes to the next before it refuses."""

    def __init__(self, root: Path, config: Config = _DEFAULTS) -> None:
        self.root = root
        self.timeout = config.lock.timeout_seconds
        self.loss_limit = config.upkeep.loss_limit
        # the same bytes are parsed once, and looked through for what a merge left
        self._parsed: dict[str, tuple[bytes, Document, bool]] = {}

    def exists(self) -> bool:
        """Whether there is something at the index's place, be it readable or not."""
        return os.path.lexists(self.root / INDEX)

    def read(self, *, archive: bool = False) -> Hierarchy:
        """The index now, with its archive where that is asked for.

        A program that is saving it in place is waited for; for too long, and the file is read as it is.
        Raises :class:`IndexNotFound`, :class:`IndexUnreadable`, :class:`FileUnreadable`, :class:`OutsideWorkspace`.
        """
        return self._read(archive, settled=False)

    def read_whole(self) -> Hierarchy:
        """The index with its archive, for who decides by it. Raises as :meth:`read` and :meth:`require_whole`, and
        :class:`BeingWritten`."""
        index = self._read(True, settled=True)
        self.require_whole(index, archive=True)
        return index

    def _read(self, archive: bool, *, settled: bool) -> Hierarchy:
        files: Files = {}
        for _ in range(_ROUNDS):
            self.settle()
            files = self._bytes(archive, settled=settled)
            # Of several files, some may be from before a change and some from after it; where nothing is
            # pending in the middle of two equal readings, they belong together.
            if len(files) == 1 or (
                not os.path.exists(self.root / PENDING)
                and files == self._bytes(archive, settled=settled)
            ):
                break
        return self._assembled(files)

    def settle(self) -> str:
        """Finish what a killed process left to do, and say so; who may not write leaves it to others."""
        if not os.path.exists(self.root / PENDING):
            return ""
        try:
            with locked(self.root, self.timeout):
                return self._finish()
        except (Busy, FileUnreadable, FileUnwritable):
            return ""

    def change(
        self,
        change: Change[Result],
        *,
        create: Hierarchy | None = None,
        archive: bool = True,
        beside: Beside[Result] | None = None,
        after: Callable[[Hierarchy, Result], None] | None = None,
        shrunk: bool = False,
        copied: bool = False,
        at: datetime | None = None,
    ) -> tuple[Hierarchy, Result]:
        """Apply ``change`` to the index as it is at this moment and write it; returns the index and the result.

        ``change`` may run several times (when an editor saves between reading and writing) and must be
        pure: the last run's result counts. It is given the ``archive`` too, unless that is not wanted. ``create``
        stands in for a missing index. ``beside`` gives other files of hippo's own that are written with it, as one.
        Nothing is written where nothing changed and ``beside`` gives nothing. ``after`` is called with what is
        returned, before anybody else may write. The index is ``copied`` to the snapshots, or where it is news; ``at``
        is the present for whoever knows it: the date of that snapshot.

        ``shrunk`` is for who mends an index that lost entries. Else raises :class:`IndexShrunk` or
        :class:`IndexGone` for such a one, and :class:`IndexRefused` for one with the markers of a merge.
        """
        attempts = rounds(INDEX)
        with locked(self.root, self.timeout):
            while True:
                with next(attempts):
                    self._finish()
                    before = self._bytes(archive)
                    if before[INDEX] is None and create is not None:
                        old = create
                        if not shrunk and self.loss_limit < 1:
                            self._refuse_gone()
                    else:
                        old = self._assembled(before)
                    self.require_whole(old, archive=archive, shrunk=shrunk)
                    new, result = change(old)
                    wanted = self._wanted(old, new, before)
                    if beside is not None:
                        files, result = beside(old, new, _replacements(wanted, before), result)
                        wanted |= files
                    if any(before.get(path) != data for path, data in wanted.items()):
                        self._write(wanted, before)
                    if copied or guard.is_due(self.root, old, new):
                        with contextlib.suppress(HippoError):
                            self._copy(self._bytes(True), at)
                    if after is not None:
                        after(new, result)
                    return new, result

    def remains(self) -> Hierarchy:
        """The topic files and the archive beside a master that is gone. Raises as :meth:`read`."""
        return self._assembled({INDEX: b"", **self._beside(True, settled=True)})

    def set_aside(self) -> str | None:
        """Move what cannot be read as an index into ``.hippocampus``; its path there, ``None`` where all is well.

        Raises :class:`FileUnwritable`, and of :meth:`read` what stays in the way.
        """
        with locked(self.root, self.timeout):
            try:
                self._bytes(False)
            except IndexUnreadable:
                names = (f"{SET_ASIDE}-{number}" for number in itertools.count(1))
                aside = next(name for name in names if not os.path.lexists(self.root / name))
                with writing(INDEX):
                    os.rename(self.root / INDEX, ensure_folder(self.root, aside))
                return aside
        return None

    def snapshot(self, at: datetime) -> None:
        """Copy the index as it is to the snapshots, unless the newest is just that. Raises as :meth:`change`."""
        self.change(_unchanged, copied=True, at=at)

    def require_whole(
        self, index: Hierarchy, *, archive: bool = False, shrunk: bool = False
    ) -> None:
        """Raises what :meth:`change` would before it changes anything: for who decides by what was read, with its
        archive or without it."""
        guard.refuse_conflicts(index.texts)
        if not shrunk and (loss := self.loss(index, archive=archive)):
            raise IndexShrunk(path=INDEX, lost=len(loss.ids), total=loss.total)

    def loss(self, index: Hierarchy, *, archive: bool = True) -> guard.Loss | None:
        """What ``index``, read with its ``archive``, has lost since it was last known, where that is too much."""
        kept = guard.latest(self.root)
        if kept is None or self.loss_limit >= 1 or not guard.is_short(kept, index, archive=archive):
            return None  # nearly always
        from hippocampus_cli.workspace.snapshots import newest

        if not archive:  # some may have gone there, by hand or by a branch
            index = Hierarchy({**index.files, **self.remains().archive})
        with contextlib.suppress(NoSnapshot):
            return guard.loss_of(newest(self.root)[1], index, self.loss_limit, archive=archive)
        return None

    def accept(self) -> int:
        """Take the index as it is for whole, also where there is none any more; the number of its living entries.

        Raises as :meth:`read`, and :class:`IndexRefused` for one with the markers of a merge.
        """
        self.settle()
        if not self.exists():
            self._copy({})
            return 0
        index, _ = self.change(_unchanged, copied=True, shrunk=True)
        return len(index.entries)

    def _known(self) -> int:
        """How many living entries the index had when it was last known."""
        kept = guard.latest(self.root)
        return kept.entries if kept else 0

    def _refuse_gone(self) -> None:
        if total := self._known():
            raise IndexGone(path=INDEX, total=total)

    def _copy(self, files: Files, at: datetime | None = None) -> None:
        """Copy the index that these files are to the snapshots."""
        from hippocampus_cli.workspace import snapshots

        snapshots.take(self.root, files, at)

    def _wanted(self, old: Hierarchy, new: Hierarchy, before: Files) -> dict[str, bytes | None]:
        """The new bytes of every file that changes. Raises :class:`IndexRefused`."""
        wanted: dict[str, bytes | None] = {}
        for path, document in new.files.items():
            if self._parsed.get(path, ())[:2] == (before.get(path), document):
                continue  # it is as it was read, and its text may be large
            data = encode(document.text)
            if data != before.get(path):
                if self._document(path, data) != document:
                    raise IndexRefused(
                        path=path, reason="the change would not be read back as it was meant"
                    )
                wanted[path] = data
        return wanted | dict.fromkeys(old.files.keys() - new.files.keys())

    def _write(self, wanted: Files, before: Files) -> None:
        name, *more = wanted
        path = place_for(self.root, name)
        if name in before and not more:
            replace_bytes(path, wanted[name], name, before[name], self.timeout)
            return
        from hippocampus_cli.workspace.commit import commit, read_or_none

        unread = wanted.keys() - before.keys()
        there = {**before, **{path: read_or_none(self.root, path) for path in unread}}
        commit(self.root, _replacements(wanted, there))

    def _finish(self) -> str:
        if not os.path.exists(self.root / PENDING):
            return ""
        from hippocampus_cli.workspace.commit import recover

        return recover(self.root)

    def _bytes(self, archive: bool, *, settled: bool = True) -> dict[str, bytes | None]:
        """The files of the index as they are: the master, the topics, and the archive if asked for.

        Who saves one of them in place is waited for; where that takes too long, what is ``settled`` raises
        :class:`BeingWritten`, and what is only to be read is read as it is.
        """
        master = self._file(INDEX, settled)
        for _ in range(_BLINKS if master is None and self._known() else 0):
            time.sleep(0.002)  # an editor moves the file away before it puts the new one there
            master = self._file(INDEX, settled)
            if master is not None:
                break
        # UTF-16 (which some shells write) reads as text without entries; appending UTF-8 would ruin it.
        if master and b"\0" in master[:SNIFF]:
            raise IndexUnreadable(
                path=INDEX,
                reason="it holds a zero byte, as UTF-16 does (save it as UTF-8 without one)",
            )
        return {INDEX: master, **self._beside(archive, settled)}

    def _beside(self, archive: bool, settled: bool) -> dict[str, bytes | None]:
        """The topic files, and the archive if asked for."""
        return {path: self._file(path, settled) for path in files_beside(self.root, archive)}

    def _file(self, path: str, settled: bool) -> bytes | None:
        """The bytes of a file of the index, ``None`` where there is none. Raises :class:`FileUnreadable`."""
        file = index_path(self.root) if path == INDEX else self.root / path
        try:
            return read_whole(file, path, self.timeout if settled else _GLANCE)
        except BeingWritten:
            if settled:
                raise
            with reading(path):
                return read_regular(file)
        except FileUnreadable as error:
            if path != INDEX:
                raise
            raise IndexUnreadable(path=path, reason=error.facts["reason"]) from error

    def _assembled(self, files: Files) -> Hierarchy:
        """The index that these files are; what a merge of branches left in two of them is one entry again. Raises
        :class:`IndexNotFound`."""
        if files[INDEX] is None:
            self._refuse_gone()
            raise IndexNotFound(path=INDEX)
        documents = {
            path: self._document(path, data) for path, data in files.items() if data is not None
        }
        index = Hierarchy(documents)
        if any(self._parsed[path][2] for path in documents):
            from hippocampus_cli.index.merge import rejoin

            index = rejoin(index, archive=any(path.startswith(ARCHIVE) for path in files))
        return index

    def _document(self, path: str, data: bytes) -> Document:
        known = self._parsed.get(path)
        if known is None or known[0] != data:
            self._parsed[path] = known = data, parse(decode(data)), _SPLIT in data
        return known[1]


def _unchanged(index: Hierarchy) -> tuple[Hierarchy, None]:
    return index, None


def _replacements(wanted: Files, before: Files) -> Replacements:
    return {path: Replacement(before.get(path), data) for path, data in wanted.items()}
