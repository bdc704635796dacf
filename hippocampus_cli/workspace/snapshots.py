"""Verified copies of the whole index that depend on nothing else: ``.hippocampus/snapshots/0007-120-37.zip``.

A name says the number, and how many living and archived entries there are (:mod:`guard`); when it was made is the
file's time. The folder holds all that is kept of an index besides itself and the history.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from hippocampus_cli.errors import FileUnreadable, NoSnapshot
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.workspace.atomic import LEFTOVERS, Replacement, replace_bytes
from hippocampus_cli.workspace.commit import hierarchy_of, holds_entries, is_own, read_or_none
from hippocampus_cli.workspace.guard import Snapshot, latest, snapshots
from hippocampus_cli.workspace.own_files import SNAPSHOTS, ensure_folder
from hippocampus_cli.workspace.regular import writing
from hippocampus_cli.workspace.transaction import packed, unpacked

_MOST = 40
Files = Mapping[str, bytes | None]


def opened(root: Path, snapshot: Snapshot) -> Files:
    """The files of a snapshot, each with the checksum that it was packed with. Raises :class:`FileUnreadable`."""
    data = read_or_none(root, snapshot.path) or b""
    files = unpacked(data, snapshot.path, lambda path: is_own(path) and holds_entries(path))
    return {path: change.after for path, change in files.items()}


def newest(root: Path, number: int | None = None) -> tuple[Snapshot, Hierarchy]:
    """The newest that is verified and has entries, or the one with this number.

    Raises :class:`NoSnapshot`, and :class:`FileUnreadable` where the one that was named is damaged.
    """
    for snapshot in reversed(snapshots(root)):
        if snapshot.number == number or (number is None and snapshot.entries):
            try:
                return snapshot, hierarchy_of(opened(root, snapshot))
            except FileUnreadable:
                if number:
                    raise
    which = "snapshot" if number is None else f"snapshot {number}"
    raise NoSnapshot(reason=f"there is no {which} of the index")


def take(root: Path, files: Files, at: datetime | None = None) -> None:
    """Make a snapshot of the index's ``files``, all of them, unless the newest holds just that; then remove old ones.

    The caller holds the lock and has seen that the index is as it should be. ``at`` is the present for whoever
    knows it. Raises :class:`FileUnwritable`, :class:`FileUnreadable`, :class:`OutsideWorkspace`.
    """
    data = packed({name: Replacement(None, content) for name, content in files.items()})
    with writing(SNAPSHOTS):
        last = latest(root)
        if last is None or read_or_none(root, last.path) != data:
            _write(root, last.number + 1 if last else 1, hierarchy_of(files), data, at)
        for snapshot in snapshots(root)[:-_MOST]:
            (root / snapshot.path).unlink(missing_ok=True)


def _write(root: Path, number: int, index: Hierarchy, data: bytes, at: datetime | None) -> None:
    name = f"{SNAPSHOTS}/{number:04}-{len(index.entries)}-{len(index.archived)}.zip"
    path = ensure_folder(root, name)
    for leftover in path.parent.glob(LEFTOVERS):  # of a writer that was killed
        leftover.unlink(missing_ok=True)
    replace_bytes(path, data, name)
    if at is not None:
        os.utime(path, (at.timestamp(), at.timestamp()))
