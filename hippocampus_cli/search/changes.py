"""What there is to do to bring the text cache in step with the disk: which files to read again, which to forget."""

from __future__ import annotations

import sqlite3
from bisect import bisect_left
from collections.abc import Callable, Collection, Sequence
from operator import itemgetter
from pathlib import Path
from typing import Any

from hippocampus_cli.light import NamedTuple
from hippocampus_cli.search.rows import restored, storable
from hippocampus_cli.workspace.files import FileStat
from hippocampus_cli.workspace.note import Note

ReadNote = Callable[[str], Note | None]
Progress = Callable[[int, int], None]
Clock = Callable[[], int]

# A file changed again within one tick of the file system's clock (2 s on FAT) after it was read
# looks unchanged, so what was read that fresh is compared by content the next time, as git does.
_TICK_NS = 2_000_000_000


class Notes(NamedTuple):
    """Where notes are, and how large one may be: all that another process has to know to read them."""

    root: Path
    max_bytes: int


class Work(NamedTuple):
    """What there is to do; ``read`` holds the files that are new, changed or read too fresh."""

    read: Sequence[FileStat] = ()
    removed: Sequence[str] = ()
    added: frozenset[str] = frozenset()


def work_for(db: sqlite3.Connection, found: Sequence[FileStat]) -> Work:
    """Compare what is known with ``found``, which is sorted by path."""
    rows = db.execute("SELECT path, size, mtime_ns, ctime_ns FROM files ORDER BY path").fetchall()
    fresh = _fresh(db)
    if not fresh and rows == list(found):  # a FileStat is such a row
        return Work()
    return _work(*_difference(rows, found), found, fresh)


def work_on(db: sqlite3.Connection, found: Sequence[FileStat], paths: Collection[str]) -> Work:
    """The same where nothing but ``paths`` can be other than it is known."""
    query = "SELECT path, size, mtime_ns, ctime_ns FROM files WHERE path = ?"
    rows = [row for path in paths for row in db.execute(query, (storable(path),))]
    here = [one for path in paths if (one := _at(found, path)) is not None]
    known = {(restored(row[0]), *row[1:]) for row in rows}
    return _work(known - set(here), set(here) - known, found, _fresh(db))


def _at(found: Sequence[FileStat], path: str) -> FileStat | None:
    at = bisect_left(found, path, key=itemgetter(0))
    return found[at] if at < len(found) and found[at].path == path else None


def _fresh(db: sqlite3.Connection) -> set[str]:
    """The files that were read so soon after they changed that they are to be read again."""
    query = "SELECT path FROM files WHERE abs(read_ns - mtime_ns) <= ?"
    return {restored(row[0]) for row in db.execute(query, (_TICK_NS,))}


def _work(
    gone: set[tuple[Any, ...]], come: set[FileStat], found: Sequence[FileStat], fresh: set[str]
) -> Work:
    before, now = {row[0] for row in gone}, {stat.path for stat in come}
    again = come | {stat for path in fresh if (stat := _at(found, path)) is not None}
    return Work(sorted(again), sorted(before - now), frozenset(now - before))


def _difference(
    rows: Sequence[tuple[Any, ...]], found: Sequence[FileStat]
) -> tuple[set[tuple[Any, ...]], set[FileStat]]:
    """What is known and not found so, and what is found and not known so."""
    if len(rows) == len(found):  # nearly always some files have changed and none has come or gone
        other = [(row, stat) for row, stat in zip(rows, found, strict=True) if row != stat]
        if all(row[0] == stat.path for row, stat in other):
            return {row for row, _ in other}, {stat for _, stat in other}
    known = {(restored(row[0]), *row[1:]) if isinstance(row[0], bytes) else row for row in rows}
    present = set(found)
    return known - present, present - known
