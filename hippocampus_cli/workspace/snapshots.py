"""Verified copies of the whole index that depend on nothing else: ``.hippocampus/snapshots/0007-120-9f3a61c2.zip``.

A name says the number, how many living and archived entries there are (:mod:`guard`), and the checksum of the files;
when it was made is the file's time. The folder holds all that is kept of an index besides itself and the history.
"""

from __future__ import annotations

import contextlib
import os
import zlib
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

from hippocampus_cli.errors import (
    FileUnreadable,
    FileUnwritable,
    NoSnapshot,
    OutsideWorkspace,
)
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.workspace.atomic import LEFTOVERS, replace_bytes
from hippocampus_cli.workspace.commit import hierarchy_of, holds_entries, is_own, read_or_none
from hippocampus_cli.workspace.guard import Snapshot, latest, snapshots
from hippocampus_cli.workspace.own_files import (
    ensure_folder,
)
from hippocampus_cli.workspace.transaction import Replacement, packed, unpacked

_LAST, _DAYS = 5, 30
_MOST_BYTES = 50_000_000
Files = Mapping[str, bytes]


def opened(root: Path, snapshot: Snapshot) -> Files:
    """The files of a snapshot, verified: unpacked and checksummed. Raises :class:`FileUnreadable`."""
    packed_files = unpacked(read_or_none(root, snapshot.path) or b"", snapshot.path, is_own)
    files = {
        path: change.after
        for path, change in packed_files.items()
        if change.after is not None and holds_entries(path)
    }
    if len(files) != len(packed_files) or _checksum(files) != snapshot.checksum:
        raise FileUnreadable(path=snapshot.path, reason="it is damaged")
    return files


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
    knows it. A disk that refuses costs the snapshot, nothing else.
    """
    with contextlib.suppress(OSError, FileUnreadable, FileUnwritable, OutsideWorkspace):
        last = latest(root)
        if last and last.checksum == _checksum(files):
            _date(root / last.path, at)
        else:
            number = last.number + 1 if last else 1
            opened(root, _write(root, number, files, at))
        for snapshot in outdated(snapshots(root)):
            (root / snapshot.path).unlink(missing_ok=True)


def _write(root: Path, number: int, files: Files, at: datetime | None) -> Snapshot:
    index = hierarchy_of(files)
    counts = len(index.entries), len(index.archived)
    made = Snapshot(number, *counts, _checksum(files), at or datetime.min, 0)
    path = ensure_folder(root, made.path)
    for leftover in path.parent.glob(LEFTOVERS):  # of a writer that was killed
        leftover.unlink(missing_ok=True)
    data = packed({name: Replacement(None, content) for name, content in files.items()})
    replace_bytes(path, data, made.path)
    _date(path, at)
    return made


def _date(path: Path, at: datetime | None) -> None:
    """Let a file's time be the present of whoever knows it."""
    if at is not None:
        os.utime(path, (at.timestamp(), at.timestamp()))


def outdated(kept: Sequence[Snapshot]) -> list[Snapshot]:
    """Those that need not be kept: of ``kept`` (the oldest first) the last few stay, then one a day for a month, all
    within a number of bytes; the newest stays whatever its size."""
    if not kept:
        return []
    last = kept[-1].at.date()
    staying = {snapshot.number for snapshot in kept[-_LAST:]}
    days = {(last - snapshot.at.date()).days: snapshot.number for snapshot in kept}
    staying |= {number for day, number in days.items() if 0 <= day < _DAYS}
    gone, room = [], _MOST_BYTES
    for snapshot in reversed(kept):
        if snapshot.number in staying and (snapshot.size <= room or snapshot is kept[-1]):
            room -= snapshot.size
        else:
            gone.append(snapshot)
    return gone


def _checksum(files: Files) -> str:
    value = 0
    for path, data in sorted(files.items()):
        value = zlib.crc32(data, zlib.crc32(f"{path}\0{len(data)}\0".encode(), value))
    return f"{value:08x}"
