"""Whether anything in a workspace has changed since it was last looked at: asked of the kernel, not of every file.

A process that answers one question looks at every file's date, some three microseconds each. One that stays and
answers many asks Linux for a note of every change below the walked folders (inotify), and looks again after one. What
the kernel has noted by the time of a question is there to be read, so nothing is missed and no thread is needed.
Where that does not hold, :func:`listen` gives ``None``: on other systems, on network and user-space file systems,
where files have other names outside (hard links), with very many folders.
The kernel says nothing of writes through memory maps: after ``FOR_SECONDS`` the files are looked at anyway.
"""

from __future__ import annotations

import io
import os
import struct
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import starmap
from pathlib import Path

from hippocampus_cli.workspace.own_files import FOLDER, INDEX
from hippocampus_cli.workspace.scan import Scan

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


class ChangeNotifications:
    """The kernel's notes on some folders of one workspace, read in the process that asked for them."""

    def __init__(
        self, root: str, notes: io.FileIO, folders: Mapping[int, str], clock: Clock
    ) -> None:
        """``folders`` are those that are watched, by the kernel's number."""
        self.folders = list(folders.values())
        self._by_number = folders
        self._root = root
        self._notes = notes
        self._valid = os.getpid(), _place(root)
        self._clock = clock
        self._until = clock() + FOR_SECONDS
        self._broken = False

    def is_quiet(self) -> bool:
        """Whether nothing has happened since it was made; where something has, or notes were lost, or it is too long
        ago, only a look at everything can tell, and this is of no more use."""
        if os.getpid() != self._valid[0]:  # a child must not read its parent's notes
            return False
        late = self._clock() >= self._until or _place(self._root) != self._valid[1]
        self._broken = self._broken or late or any(starmap(_matters, self._happened()))
        return not self._broken

    def close(self) -> None:
        """Release the kernel's notes."""
        self._notes.close()

    def _happened(self) -> Iterator[tuple[str | None, bytes]]:
        """The folder and the name of what something happened to.

        ``b""`` is the folder itself; there is no folder (``None``) where notes were lost.
        """
        while data := self._notes.read(_BUFFER):
            start = 0
            while start < len(data):
                number, _, _, length = _EVENT.unpack_from(data, start)
                start += _EVENT.size + length
                yield self._by_number.get(number), data[start - length : start].rstrip(b"\0")


def listen(root: Path, scan: Scan, clock: Clock) -> ChangeNotifications | None:
    """Begin to take note of what happens to what ``scan`` has walked; ``None`` where that cannot be relied on.

    To be called before the look that the notes are to speak of. ``clock`` gives seconds.
    """
    place = os.fspath(root)
    if sys.platform != "linux" or scan.linked or not 0 < len(scan.folders) <= _MOST_FOLDERS:
        return None
    try:
        notes, folders = _notes_on(place, scan.folders)
    except (
        OSError,
        ValueError,
        AttributeError,
        ImportError,
    ):  # too many watches; another C library
        return None
    return ChangeNotifications(place, notes, folders, clock)


def _notes_on(root: str, folders: Iterable[str]) -> tuple[io.FileIO, dict[int, str]]:
    """The kernel's notes on these folders of one local file system, and its number of each.

    Raises :class:`OSError` and others.
    """
    import ctypes

    libc = ctypes.CDLL(None, use_errno=True)
    _check_local(libc.statfs, root)
    device = os.stat(root).st_dev
    descriptor = libc.inotify_init1(_FLAGS)
    if descriptor < 0:
        raise OSError(ctypes.get_errno(), "inotify")
    notes, numbers = io.FileIO(descriptor), {}
    try:
        for folder in folders:
            path = os.path.join(root, folder)
            added = libc.inotify_add_watch(descriptor, os.fsencode(path), _MASK | _ONLY_FOLDERS)
            if added < 0 or os.stat(path).st_dev != device:
                raise OSError(ctypes.get_errno(), "inotify", path)
            numbers[added] = folder
    except BaseException:
        notes.close()
        raise
    return notes, numbers


def _check_local(statfs: Callable[..., int], root: str) -> None:
    """Raises :class:`OSError` where another machine, or a program, could change files unseen by this kernel."""
    import ctypes

    buffer = ctypes.create_string_buffer(512)
    if statfs(os.fsencode(root), buffer) or _kind(buffer.raw) not in _LOCAL:
        raise OSError("not a local file system")


def _kind(statfs: bytes) -> int:
    """The kind of a file system: the first field, a long."""
    return int.from_bytes(statfs[: struct.calcsize("l")], sys.byteorder) & 0xFFFFFFFF


def _matters(folder: str | None, name: bytes) -> bool:
    """Whether what happened to this name can change what a look would find: not if it is hippo's own."""
    if folder == "" and name in _OWN:
        return False
    return not (name.startswith(b".") and name.endswith(b".hippo-tmp"))


_OWN = frozenset((os.fsencode(INDEX), os.fsencode(FOLDER)))


def _place(root: str) -> tuple[int, int] | None:
    """What tells a folder from another in its place."""
    with suppress(OSError):
        status = os.stat(root)
        return status.st_dev, status.st_ino
    return None
