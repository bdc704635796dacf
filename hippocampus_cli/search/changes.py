"""Bringing the text cache in step with the disk: what to read again, and when to write it."""

from __future__ import annotations

import sqlite3
import zlib
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from operator import itemgetter
from typing import Any

from hippocampus_cli.errors import FileUnreadable, OutsideWorkspace
from hippocampus_cli.light import NamedTuple
from hippocampus_cli.search.rows import restored, storable
from hippocampus_cli.search.schema import transaction
from hippocampus_cli.search.writing import Done, ReadFile, forget, write
from hippocampus_cli.workspace.files import FileStat
from hippocampus_cli.workspace.note import Note

ReadNote = Callable[[str], Note | None]
Progress = Callable[[int, int], None]
Clock = Callable[[], int]

# What is written in one transaction: little enough that nobody waits long for the lock.
_BATCH_CHARACTERS = 4_000_000
_BATCH_FILES = 500
# A file changed again within one tick of the file system's clock (2 s on FAT) after it was read
# looks unchanged, so what was read that fresh is compared by content the next time, as git does.
_TICK_NS = 2_000_000_000
_NOT_A_NOTE = -1  # in the place of a checksum


class Work(NamedTuple):
    """What there is to do; ``read`` holds the files that are new, changed or read too fresh."""

    read: Sequence[FileStat] = ()
    removed: Sequence[str] = ()
    added: frozenset[str] = frozenset()


def work_for(db: sqlite3.Connection, found: Sequence[FileStat]) -> Work:
    """Compare what is known with ``found``, which is sorted by path."""
    rows = db.execute("SELECT path, size, mtime_ns FROM files ORDER BY path").fetchall()
    fresh = _fresh(db)
    if not fresh and rows == list(found):  # a FileStat is such a row
        return Work()
    return _work(*_difference(rows, found), found, fresh)


def work_on(db: sqlite3.Connection, found: Sequence[FileStat], paths: Collection[str]) -> Work:
    """The same where nothing but ``paths`` can be other than it is known."""
    query = "SELECT path, size, mtime_ns FROM files WHERE path = ?"
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


def carry_out(
    db: sqlite3.Connection, work: Work, read: ReadNote, clock: Clock, progress: Progress | None
) -> Done:
    """Do ``work`` in short transactions; after an interruption the next refresh does the rest."""
    done = Done()
    if work.removed:
        with transaction(db):
            forget(db, work.removed, done)
    finished = 0
    for batch in _batches(work.read, read, clock):
        with transaction(db):
            write(db, batch, work.added, done)
        finished += len(batch)
        if progress:
            progress(finished, len(work.read))
    done.removed.sort()
    return done


def _batches(wanted: Iterable[FileStat], read: ReadNote, clock: Clock) -> Iterator[list[ReadFile]]:
    """``wanted`` read and taken apart, outside of any transaction."""
    batch: list[ReadFile] = []
    size = 0
    for stat in wanted:
        batch.append(_taken_apart(stat, read, clock()))
        size += stat.size
        if size >= _BATCH_CHARACTERS or len(batch) >= _BATCH_FILES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _taken_apart(stat: FileStat, read: ReadNote, now: int) -> ReadFile:
    from hippocampus_cli.search.records import (  # what most queries do without
        aliases_of,
        records_of,
    )
    from hippocampus_cli.workspace.dates import period_of

    days = period_of(stat.path)
    try:
        note = read(stat.path)
    except (FileUnreadable, OutsideWorkspace):
        return ReadFile(stat, now, _NOT_A_NOTE, days, None)
    if note is None:
        return ReadFile(stat, now, _NOT_A_NOTE, days, ())
    checksum = zlib.crc32(note.text.encode("utf-8", "surrogatepass"))
    return ReadFile(stat, now, checksum, days, records_of(note, days), aliases_of(note))
