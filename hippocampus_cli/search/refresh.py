"""Bringing the text cache up to date with the notes: files are read and taken apart into records outside of any
transaction, and written in short ones.
"""

from __future__ import annotations

import contextlib
import sqlite3
import zlib
from collections.abc import Generator, Iterable, Iterator, Sequence
from operator import itemgetter

from hippocampus_cli.errors import FileUnreadable, OutsideWorkspace
from hippocampus_cli.search.extract import records_of
from hippocampus_cli.search.schema import storable
from hippocampus_cli.search.source_reader import Clock, Progress, ReadNote
from hippocampus_cli.search.writer import Done, ReadFile, forget, write
from hippocampus_cli.workspace.database import transaction
from hippocampus_cli.workspace.file_table import Diff, FileStat
from hippocampus_cli.workspace.kinds import period_of

_NOT_A_NOTE = -1  # in the place of a checksum


def taken_apart(stat: FileStat, read: ReadNote, now: int, known: int | None = None) -> ReadFile:
    """The file of ``stat`` as read at ``now`` (nanoseconds since the epoch), whether it is a note or not.

    Where its text has the checksum ``known`` already, it is not taken apart again.
    """
    days = period_of(stat.path)
    try:
        note = read(stat.path)
    except (FileUnreadable, OutsideWorkspace):
        return ReadFile(stat, now, _NOT_A_NOTE, days, None)
    if note is None:
        return ReadFile(stat, now, _NOT_A_NOTE, days, ())
    checksum = zlib.crc32(note.text.encode("utf-8", "surrogatepass"))
    if checksum == known:
        return ReadFile(stat, now, checksum, days, (), as_before=True)
    return ReadFile(stat, now, checksum, days, records_of(note, days))


# What is written in one transaction: little enough that nobody waits long for the lock.
_BATCH_CHARACTERS = 4_000_000
_BATCH_FILES = 500
_MERGED_PAGES = 200  # of the full-text index in one transaction; more make the file grow


def carry_out(
    db: sqlite3.Connection,
    diff: Diff,
    read: ReadNote,
    clock: Clock,
    progress: Progress | None,
) -> Done:
    """Bring the tables up to date in short transactions; after an interruption the next refresh does the rest."""
    done, finished = Done(), 0
    wanted, added = sorted([*diff.added, *diff.changed]), frozenset(map(itemgetter(0), diff.added))
    if diff.removed:
        with transaction(db):
            forget(db, map(itemgetter(0), diff.removed), done)
    with contextlib.closing(_read(db, wanted, read, clock)) as files:
        for batch in _batches(files):
            with transaction(db):
                write(db, batch, added, done)
            finished += len(batch)
            if progress:
                progress(finished, len(wanted))
    if len(wanted) > _BATCH_FILES:
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
) -> Generator[ReadFile, None, None]:
    """``wanted`` read and taken apart, outside of any transaction, in that order."""
    for stat, checksum in [(stat, _known(db, stat)) for stat in wanted]:
        yield taken_apart(stat, read, clock(), checksum)


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
