"""Whether anything in a workspace has changed since it was last looked at: asked of the kernel, not of every file.

A process that answers one question looks at every file's date, some three microseconds each. One that stays and
answers many asks Linux for a note of every change below the walked folders (inotify). It looks at files again that
were written to, and at all of them after anything else. What the kernel has noted by the time of a question is there
to be read, so nothing is missed and no thread is needed.
The kernel says nothing of what another machine or a program of the user's file system changes, nor of writes through
memory maps or another name of a file: after ``FOR_SECONDS`` the files are looked at anyway. Other systems, and
workspaces of very many folders, are looked at each time.
"""

from __future__ import annotations

import io
import os
import struct
import sys
from collections.abc import Iterable, Mapping, Sequence, Set
from pathlib import Path

from hippocampus_cli.workspace.own_files import FOLDER, INDEX

FOR_SECONDS = 5.0
_MOST_FOLDERS = 1000  # the kernel's watches are few, and shared by all programs of a user
_FLAGS = 0o4000 | 0o2000000  # IN_NONBLOCK, IN_CLOEXEC
# Modified, attributes, closed after writing, moved from and to, created, deleted, itself deleted and moved.
_MASK = 0x2 | 0x4 | 0x8 | 0x40 | 0x80 | 0x100 | 0x200 | 0x400 | 0x800
_WRITTEN = 0x2, 0x4, 0x8  # the first three of these
_EVENT = struct.Struct("iIII")
_BUFFER = 1 << 16
_OWN = INDEX, FOLDER


class ChangeNotifications:
    """The kernel's notes on some folders of one workspace, read in the process that asked for them."""

    def __init__(self, notes: io.FileIO, folders: Mapping[int, str], until: float) -> None:
        """``folders`` are those that are watched, by the kernel's number. ``until`` they can be relied on."""
        self.folders = list(folders.values())
        self._by_number = folders
        self._notes = notes
        self._until = until
        self._changed: set[str] = set()

    def changed(self, now: float) -> Set[str]:
        """The paths of files that were written to since it was made, hippo's own aside; with ``""`` where only a look
        at everything can tell: something else happened, notes were lost, or it is too long ago."""
        while data := self._notes.read(_BUFFER):
            start = 0
            while start < len(data):
                number, mask, _, length = _EVENT.unpack_from(data, start)
                start += _EVENT.size + length
                name = os.fsdecode(data[start - length : start].rstrip(b"\0"))
                path = f"{self._by_number.get(number)}{name}"
                is_temporary = name.startswith(".") and name.endswith(".hippo-tmp")
                if not (is_temporary or path in _OWN):
                    self._changed.add(path if mask in _WRITTEN else "")
        if now >= self._until:
            self._changed.add("")
        return self._changed

    def close(self) -> None:
        """Release the kernel's notes."""
        self._notes.close()


def listen(root: Path, folders: Sequence[str], now: float) -> ChangeNotifications | None:
    """Begin to take note of what happens in these folders; ``None`` where that cannot be relied on.

    To be called before the look that the notes are to speak of. ``now`` is in seconds.
    """
    if sys.platform != "linux" or not 0 < len(folders) <= _MOST_FOLDERS:
        return None
    try:
        notes, numbers = _notes_on(os.fspath(root), folders)
    except (OSError, ValueError, AttributeError, ImportError):  # no watch left; another C library
        return None
    return ChangeNotifications(notes, numbers, now + FOR_SECONDS)


def _notes_on(root: str, folders: Iterable[str]) -> tuple[io.FileIO, dict[int, str]]:
    """The kernel's notes on these folders, and its number of each. Raises :class:`OSError` and others."""
    import ctypes

    libc = ctypes.CDLL(None, use_errno=True)
    notes = io.FileIO(libc.inotify_init1(_FLAGS))
    numbers: dict[int, str] = {}
    for folder in folders:
        path = os.fsencode(os.path.join(root, folder))
        number = libc.inotify_add_watch(notes.fileno(), path, _MASK)
        if number < 0:
            notes.close()
            raise OSError(ctypes.get_errno(), "inotify")
        numbers[number] = folder
    return notes, numbers
