"""Carrying out what is to be done: files are read and taken apart, and written in short transactions."""

from __future__ import annotations

import contextlib
import sqlite3
import zlib
from collections.abc import Iterable, Iterator

from hippocampus_cli.errors import FileUnreadable, OutsideWorkspace
from hippocampus_cli.search.changes import Clock, Progress, ReadNote, Work
from hippocampus_cli.search.records import aliases_of, records_of
from hippocampus_cli.search.writing import Done, ReadFile, forget, write
from hippocampus_cli.workspace.database import transaction
from hippocampus_cli.workspace.dates import period_of
from hippocampus_cli.workspace.files import FileStat

# What is written in one transaction: little enough that nobody waits long for the lock.
_BATCH_CHARACTERS = 4_000_000
_BATCH_FILES = 500
_MERGED_PAGES = 200  # of the full-text index in one transaction; more make the file grow
_NOT_A_NOTE = -1  # in the place of a checksum


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
    if len(work.read) > _BATCH_FILES:
        _merge(db)
    done.removed.sort()
    return done


def _merge(db: sqlite3.Connection) -> None:
    """Make one segment of the many that a build leaves: each of them is looked into for every word of a query.

    It takes a hundredth of the build. What somebody else's lock interrupts is merely slower to search.
    """
    with contextlib.suppress(sqlite3.OperationalError):
        pages = -_MERGED_PAGES  # negative: begin with all segments, whatever their size
        while True:
            before = db.total_changes
            db.execute("INSERT INTO passages(passages, rank) VALUES('merge', ?)", (pages,))
            if db.total_changes < before + 2:  # as SQLite's documentation says
                return
            pages = _MERGED_PAGES


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
    days = period_of(stat.path)
    try:
        note = read(stat.path)
    except (FileUnreadable, OutsideWorkspace):
        return ReadFile(stat, now, _NOT_A_NOTE, days, None)
    if note is None:
        return ReadFile(stat, now, _NOT_A_NOTE, days, ())
    checksum = zlib.crc32(note.text.encode("utf-8", "surrogatepass"))
    return ReadFile(stat, now, checksum, days, records_of(note, days), aliases_of(note))
