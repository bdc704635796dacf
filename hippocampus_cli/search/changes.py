"""Bringing the text cache in step with the disk: what to read again, and when to write it."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from hippocampus_cli.errors import FileUnreadable, OutsideWorkspace
from hippocampus_cli.light import NamedTuple
from hippocampus_cli.search.rows import restored
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
    query = "SELECT path FROM files WHERE abs(read_ns - mtime_ns) <= ?"
    fresh = {restored(row[0]) for row in db.execute(query, (_TICK_NS,))}
    if not fresh and rows == list(found):  # a FileStat is such a row
        return Work()
    gone, come = _difference(rows, found)
    before, now = {row[0] for row in gone}, {stat.path for stat in come}
    come.update(stat for stat in (found if fresh else ()) if stat.path in fresh)
    return Work(sorted(come), sorted(before - now), frozenset(now - before))


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
