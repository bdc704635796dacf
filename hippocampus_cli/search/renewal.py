"""Carrying out what is to be done: files are read and taken apart, and written in short transactions."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Generator, Iterable, Iterator, Sequence

from hippocampus_cli.search.apart import taken_apart
from hippocampus_cli.search.changes import Clock, Notes, Progress, ReadNote, Work
from hippocampus_cli.search.rows import storable
from hippocampus_cli.search.writing import Done, ReadFile, forget, write
from hippocampus_cli.workspace.database import transaction
from hippocampus_cli.workspace.files import FileStat

# What is written in one transaction: little enough that nobody waits long for the lock.
_BATCH_CHARACTERS = 4_000_000
_BATCH_FILES = 500
_MERGED_PAGES = 200  # of the full-text index in one transaction; more make the file grow
_MANY = 1_500  # files; with fewer another process is hardly there before all is done


def carry_out(
    db: sqlite3.Connection,
    work: Work,
    read: ReadNote,
    clock: Clock,
    progress: Progress | None,
    notes: Notes | None = None,
) -> Done:
    """Do ``work`` in short transactions; after an interruption the next refresh does the rest.

    Many ``notes`` are read by two processes, where it is said which ones ``read`` reads.
    """
    done, finished = Done(), 0
    if work.removed:
        with transaction(db):
            forget(db, work.removed, done)
    with contextlib.closing(_read(db, work.read, read, clock, notes)) as files:
        for batch in _batches(files):
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


def _known(db: sqlite3.Connection, stat: FileStat) -> int | None:
    """The checksum of the text that is known of a file; ``None`` for a new one."""
    query = "SELECT checksum FROM files WHERE path = ?"
    row = db.execute(query, (storable(stat.path),)).fetchone()
    return None if row is None else int(row[0])


def _read(
    db: sqlite3.Connection,
    wanted: Sequence[FileStat],
    read: ReadNote,
    clock: Clock,
    notes: Notes | None,
) -> Generator[ReadFile, None, None]:
    """``wanted`` read and taken apart, outside of any transaction, in that order."""
    if notes is None or len(wanted) < _MANY:
        for stat, checksum in [(stat, _known(db, stat)) for stat in wanted]:
            yield taken_apart(stat, read, clock(), checksum)
        return
    from hippocampus_cli.search.second_reader import reading_along
    from hippocampus_cli.search.sharing import TwoReaders

    with reading_along(notes) as second:
        shared = TwoReaders(second, lambda stat: taken_apart(stat, read, clock()), clock)
        yield from shared.read(wanted)


def _batches(files: Iterable[ReadFile]) -> Iterator[list[ReadFile]]:
    """What is written in one transaction each."""
    batch: list[ReadFile] = []
    size = 0
    for one in files:
        batch.append(one)
        size += one.stat.size
        if size >= _BATCH_CHARACTERS or len(batch) >= _BATCH_FILES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch
