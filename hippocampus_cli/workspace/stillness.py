"""Whether anything in a workspace has changed since it was last looked at: asked of the kernel, not of every file.

A process that answers one question looks at every file's date, some three microseconds each. One that stays and
answers many asks Linux for a note of every change below the walked folders (inotify) and looks at the files again
when there is one. What the kernel has noted by the time of a question is there to be read, so nothing is missed
and no thread is needed. Where that does not hold, :func:`listen` gives ``None``: on other systems, on network
and user-space file systems, where files have other names outside (hard links), with very many folders.
The kernel says nothing of writes through memory maps: after ``FOR_SECONDS`` the files are looked at anyway.
"""

from __future__ import annotations

import io
import os
import struct
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from hippocampus_cli.workspace.files import Scan
from hippocampus_cli.workspace.own_files import FOLDER, INDEX

FOR_SECONDS = 60.0
_MOST_FOLDERS = 1000  # the kernel's watches are few, and shared by all programs of a user
_FLAGS = 0o4000 | 0o2000000  # IN_NONBLOCK, IN_CLOEXEC
# Modified, attributes, closed after writing, moved from and to, created, deleted, itself deleted and moved.
_MASK = 0x2 | 0x4 | 0x8 | 0x40 | 0x80 | 0x100 | 0x200 | 0x400 | 0x800
_ONLY_FOLDERS = 0x01000000
_EVENT = struct.Struct("iIII")
_BUFFER = 1 << 16
_LOCAL = frozenset(  # ext4, btrfs, xfs, tmpfs, overlay, f2fs, zfs
    (0xEF53, 0x9123683E, 0x58465342, 0x01021994, 0x794C7630, 0xF2F52010, 0x2FC12FC1)
)
Clock = Callable[[], float]


class Stillness:
    """The kernel's notes on some folders of one workspace, read in the process that asked for them."""

    def __init__(self, root: str, notes: io.FileIO, folders: Sequence[str], clock: Clock) -> None:
        self.folders = folders
        self._root = root
        self._notes = notes
        self._process = os.getpid()
        self._place = _place(root)
        self._clock = clock
        self._until = clock() + FOR_SECONDS
        self._broken = False

    def holds(self) -> bool:
        """Whether nothing has happened; once something has, it is of no more use."""
        if self._process != os.getpid():  # a child must not read its parent's notes
            return False
        here = self._clock() < self._until and _place(self._root) == self._place
        if self._broken or not here or any(map(_matters, self._happened())):
            self._broken = True
        return not self._broken

    def close(self) -> None:
        """Let go of the kernel's notes."""
        self._notes.close()

    def _happened(self) -> Iterator[bytes]:
        """The names of what something happened to; ``b""`` for a folder itself, or for notes that were lost."""
        while data := self._notes.read(_BUFFER):
            at = 0
            while at < len(data):
                *_, length = _EVENT.unpack_from(data, at)
                at += _EVENT.size + length
                yield data[at - length : at].rstrip(b"\0")


def listen(root: Path, scan: Scan, clock: Clock) -> Stillness | None:
    """Begin to take note of what happens to what ``scan`` has walked; ``None`` where that cannot be relied on.

    To be called before the look that the notes are to speak of. ``clock`` gives seconds.
    """
    place = os.fspath(root)
    if sys.platform != "linux" or scan.linked or not 0 < len(scan.folders) <= _MOST_FOLDERS:
        return None
    try:
        notes = _notes_on(place, scan.folders)
    except (
        OSError,
        ValueError,
        AttributeError,
        ImportError,
    ):  # too many watches; another C library
        return None
    return Stillness(place, notes, scan.folders, clock)


def _notes_on(root: str, folders: Iterable[str]) -> io.FileIO:
    """The kernel's notes on these folders of one local file system. Raises :class:`OSError` and others."""
    import ctypes

    libc = ctypes.CDLL(None, use_errno=True)
    _check_local(libc.statfs, root)
    device = os.stat(root).st_dev
    descriptor = libc.inotify_init1(_FLAGS)
    if descriptor < 0:
        raise OSError(ctypes.get_errno(), "inotify")
    notes = io.FileIO(descriptor)
    try:
        for folder in folders:
            path = os.path.join(root, folder)
            added = libc.inotify_add_watch(descriptor, os.fsencode(path), _MASK | _ONLY_FOLDERS)
            if added < 0 or os.stat(path).st_dev != device:
                raise OSError(ctypes.get_errno(), "inotify", path)
    except BaseException:
        notes.close()
        raise
    return notes


def _check_local(statfs: Callable[..., int], root: str) -> None:
    """Raises :class:`OSError` where another machine, or a program, could change files unseen by this kernel."""
    import ctypes

    buffer = ctypes.create_string_buffer(512)
    if statfs(os.fsencode(root), buffer) or _kind(buffer.raw) not in _LOCAL:
        raise OSError("not a local file system")


def _kind(statfs: bytes) -> int:
    size = struct.calcsize("l")  # the first field, f_type, is a long
    return int.from_bytes(statfs[:size], sys.byteorder) & 0xFFFFFFFF


def _matters(name: bytes) -> bool:
    """Whether what happened to this name can change what a look would find: not if it is hippo's own."""
    return name not in _OWN and not (name.startswith(b".") and name.endswith(b".hippo-tmp"))


_OWN = frozenset((os.fsencode(INDEX), os.fsencode(FOLDER)))


def _place(root: str) -> tuple[int, int] | None:
    """What tells a folder from another in its place."""
    with suppress(OSError):
        found = os.stat(root)
        return found.st_dev, found.st_ino
    return None
