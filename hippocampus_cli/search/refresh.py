"""Bringing the full-text store in step with the notes: what changed, read again, written.

Notes as the text cache takes them: read, and taken apart into records, outside of any transaction.

What there is to do to bring the text cache in step with the disk: which files to read again, which to forget.

Carrying out what is to be done: files are read and taken apart, and written in short transactions.
"""

from __future__ import annotations

import contextlib
import sqlite3
import zlib
from bisect import bisect_left
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Sequence
from operator import itemgetter
from pathlib import Path
from typing import Any

from hippocampus_cli.errors import FileUnreadable, OutsideWorkspace
from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.redaction.redactor import Redactor
from hippocampus_cli.search.extract import aliases_of, records_of
from hippocampus_cli.search.schema import restored, storable
from hippocampus_cli.search.writer import Done, ReadFile, forget, write
from hippocampus_cli.workspace.database import transaction
from hippocampus_cli.workspace.kinds import period_of
from hippocampus_cli.workspace.note import Note
from hippocampus_cli.workspace.reader import Reader
from hippocampus_cli.workspace.redaction import redacted
from hippocampus_cli.workspace.scan import FileStat

_NOT_A_NOTE = -1  # in the place of a checksum


def text_note(reader: Reader, redactor: Redactor, path: str) -> Note | None:
    """A note without what must not be kept; ``None`` for a file that is none.

    Raises :class:`FileUnreadable`, :class:`OutsideWorkspace`.
    """
    try:
        return redacted(reader.note(path), redactor)
    except FileUnreadable as error:
        if "binary" in error.message:
            return None
        raise


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
    return ReadFile(stat, now, checksum, days, records_of(note, days), aliases_of(note))


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
    from hippocampus_cli.search.second_process import TwoReaders, reading_along

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
