"""Reading many notes one after the other, and naming those that cannot be read.

Where a folder leads is found out once, not for each of its files. A note that cannot be read is neither searched
nor indexed, so the user has to be told.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.workspace.file_table import FileStat
from hippocampus_cli.workspace.note import Note
from hippocampus_cli.workspace.paths import is_absolute, is_possible, normal, real_file
from hippocampus_cli.workspace.read import BINARY, SNIFF, content, is_binary, note_of, read_note
from hippocampus_cli.workspace.regular import FLAGS, read_regular, reason_of
from hippocampus_cli.workspace.scan import Reason, Scan, Skipped

# Below an open folder that was found inside, a name that is no link cannot lead outside, whatever is renamed.
_CAN = os.open in os.supports_dir_fd and hasattr(os, "O_NOFOLLOW") and hasattr(os, "O_DIRECTORY")
_NOT_A_LINK = getattr(os, "O_NOFOLLOW", 0)
_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | _NOT_A_LINK


class Reader:
    """Reads notes of one workspace; fastest in path order. It holds one folder open until :meth:`close`."""

    def __init__(self, root: Path, max_bytes: int) -> None:
        self._root = root
        self._max_bytes = max_bytes
        self._folder: str | None = None
        self._descriptor = -1

    def note(self, path: str) -> Note:
        """As :func:`~hippocampus_cli.workspace.read.read_note`."""
        folder, _, name = path.rpartition("/")
        plain = name not in ("", ".", "..") and not is_absolute(path)
        if _CAN and plain and self._opened(folder):
            # a link, gone, forbidden, impossible: below each has its error
            with contextlib.suppress(OSError, ValueError):
                file = os.open(name, FLAGS | _NOT_A_LINK, dir_fd=self._descriptor)
                return note_of(path, content(file, path, self._max_bytes))
        return read_note(self._root, path, self._max_bytes)

    def close(self) -> None:
        """Release the folder; another note opens its own."""
        self._folder = None
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def _opened(self, folder: str) -> bool:
        """Whether ``folder``, relative to the root, is the one that is open."""
        if folder == self._folder:
            return True
        self.close()
        if is_possible(folder) and normal(folder) == folder:
            real = real_file(os.path.realpath(self._root), folder)
            with contextlib.suppress(OSError):
                self._descriptor = os.open(real, _FOLDER) if real else -1
                self._folder = folder if real else None
        return self._folder is not None


_REASONS = {
    Reason.TOO_LARGE: "larger than scan.max_file_bytes; split it, or raise that setting",
    Reason.UNREADABLE: "not readable",
}


class Unread(NamedTuple):
    """A note that could not be read, and why; the path of a folder, with all below it, ends in ``/``."""

    path: str
    reason: str


def passed_over(skipped: Iterable[Skipped]) -> list[Unread]:
    """What a scan took for notes and left aside all the same."""
    return [Unread(path, _REASONS[why]) for path, why in skipped if why in _REASONS]


def unread_notes(root: Path, found: Scan) -> list[Unread]:
    """Every note of a scan that cannot be read, in path order. Of each file the beginning is read."""
    return sorted([*passed_over(found.skipped), *_refused(root, found.files)])


def _refused(root: Path, files: Iterable[FileStat]) -> Iterator[Unread]:
    for stat in files:
        try:
            if is_binary(read_regular(os.path.join(root, stat.path), SNIFF)):
                yield Unread(stat.path, BINARY)
        except OSError as error:
            yield Unread(stat.path, reason_of(error))
