"""How files look, how they looked when they were read (as every database of hippo's keeps it), and what has changed
since. Nothing else reads a file's times."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any

from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.markdown.lines import decode, encode

COLUMNS = """id INTEGER PRIMARY KEY, path UNIQUE NOT NULL, size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL,
    read_ns INTEGER NOT NULL, ctime_ns INTEGER NOT NULL"""
"""The first columns of a table ``files``: how a file looked when it was read."""
LOOKS = "path, size, mtime_ns, ctime_ns, read_ns"
"""Of such a table: how each file looked, and when it was read."""
TICK_NS = 2_000_000_000
"""The longest tick of a file system's clock (FAT), in nanoseconds."""

_new = tuple.__new__  # half of what the named tuple's own constructor takes, ten thousand times


class FileStat(NamedTuple):
    """How a file looks: its path relative to the root, ``/``-separated; bytes; nanoseconds.

    ``ctime_ns`` tells of an edit after which the time of change was set back (``cp -p``, ``touch -r``); on Windows,
    which has none, it is the time of creation.
    """

    path: str
    size: int
    mtime_ns: int
    ctime_ns: int = 0

    @classmethod
    def of(cls, status: os.stat_result, path: str = "") -> FileStat:
        """What the system says of a file."""
        return _new(cls, (path, status.st_size, status.st_mtime_ns, status.st_ctime_ns))

    @property
    def changed_at(self) -> float:
        """When it was changed last, in seconds of the file system's clock."""
        return self.mtime_ns / 1e9


def storable(text: str) -> str | bytes:
    """``text`` as SQLite can keep it: bytes where it holds escapes of invalid UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return encode(text)
    return text


def restored(value: str | bytes) -> str:
    """What :func:`storable` was given."""
    return value if isinstance(value, str) else decode(value)


def is_fresh(mtime_ns: int, read_ns: int) -> bool:
    """Whether a file may have changed after it was read, and look unchanged: it was modified less than a tick before
    ``read_ns``, a moment not after the reading, or since. It is to be compared by content once more, as git does."""
    return mtime_ns >= read_ns - TICK_NS


class Diff(NamedTuple):
    """Files by what became of them, in the order of their paths; ``changed`` and ``added`` hold what was found."""

    added: list[FileStat]
    changed: list[FileStat]
    removed: list[FileStat]

    def __bool__(self) -> bool:
        """Whether anything changed."""
        return bool(self.added or self.changed or self.removed)


def diff(known: Iterable[Sequence[Any]], present: Iterable[FileStat]) -> Diff:
    """What became of the ``known`` files, which may be many, among those that are ``present``: :data:`LOOKS` of each.
    What was read while it was fresh counts as changed."""
    new = {file[0]: file for file in present}
    changed, removed = [], []
    for row in known:
        path = restored(row[0])
        file = new.pop(path, None)
        if file is None:
            removed.append(FileStat(path, *row[1:4]))
        elif row[1:4] != file[1:] or is_fresh(row[2], row[4]):
            changed.append(file)
    return Diff([*new.values()], sorted(changed), sorted(removed))
