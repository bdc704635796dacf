"""Bringing the text cache in step with the disk: what to read again, and what to write of it."""

from __future__ import annotations

import contextlib
import sqlite3
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from typing import TYPE_CHECKING

from hippocampus_cli.errors import FileUnreadable, OutsideWorkspace
from hippocampus_cli.light import NamedTuple
from hippocampus_cli.search.rows import SECTION_COLUMNS, restored, storable
from hippocampus_cli.search.schema import transaction
from hippocampus_cli.workspace.files import FileStat
from hippocampus_cli.workspace.note import Note

if TYPE_CHECKING:
    from hippocampus_cli.search.records import Record

ReadNote = Callable[[str], Note | None]
Progress = Callable[[int, int], None]
Clock = Callable[[], int]

# What is written in one transaction: little enough that nobody waits long for the lock.
_BATCH_CHARACTERS = 4_000_000
_BATCH_FILES = 500
# A file changed again within one tick of the file system's clock (2 s on FAT) after it was read
# looks unchanged, so what was read that fresh is compared by content the next time, as git does.
_TICK_NS = 2_000_000_000
_MERGED_PAGES = 200  # of the full-text index in one transaction; more make the file grow
_NOT_A_NOTE = -1  # in the place of a checksum
_INSERT_SECTION = f"INSERT INTO sections(file, {SECTION_COLUMNS}) VALUES({', '.join('?' * 13)})"


class Work(NamedTuple):
    """What there is to do; ``read`` holds the files that are new, changed or read too fresh."""

    read: Sequence[FileStat] = ()
    removed: Sequence[str] = ()
    added: frozenset[str] = frozenset()


class Done:
    """What a refresh has done so far.

    The paths of files whose text is new, other than before, or gone; and by how much the totals (sections,
    units, stems) are to change at the end of the transaction.
    """

    def __init__(self) -> None:
        self.added: list[str] = []
        self.changed: list[str] = []
        self.removed: list[str] = []
        self.totals = [0, 0, 0]

    def count(self, sections: int, units: int, stems: int) -> None:
        """Add to what the totals are to change by."""
        for at, number in enumerate((sections, units, stems)):
            self.totals[at] += number


class _Read(NamedTuple):
    """A file as read; ``records`` is ``None`` for one that could not be."""

    stat: FileStat
    read_ns: int
    checksum: int
    days: tuple[date, date] | None
    records: Sequence[Record] | None
    aliases: Sequence[tuple[str, str]] = ()


def work_for(db: sqlite3.Connection, found: Sequence[FileStat]) -> Work:
    """Compare what is known with ``found``, which is sorted by path."""
    rows = db.execute("SELECT path, size, mtime_ns FROM files ORDER BY path").fetchall()
    query = "SELECT path FROM files WHERE abs(read_ns - mtime_ns) <= ?"
    fresh = {restored(row[0]) for row in db.execute(query, (_TICK_NS,))}
    if not fresh and rows == list(found):  # a FileStat is such a row
        return Work()
    known = {(restored(row[0]), *row[1:]) if isinstance(row[0], bytes) else row for row in rows}
    present = set(found)
    gone, come = known - present, present - known
    before, now = {row[0] for row in gone}, {stat.path for stat in come}
    come.update(stat for stat in (found if fresh else ()) if stat.path in fresh)
    return Work(sorted(come), sorted(before - now), frozenset(now - before))


def carry_out(
    db: sqlite3.Connection, work: Work, read: ReadNote, clock: Clock, progress: Progress | None
) -> Done:
    """Do ``work`` in short transactions; after an interruption the next refresh does the rest."""
    done = Done()
    if work.removed:
        with transaction(db):
            for path in work.removed:
                done.removed.extend([path] if _remove(db, path, done) else [])
            _keep_totals(db, done)
    finished = 0
    for batch in _batches(work.read, read, clock):
        with transaction(db):
            for one in batch:
                _write(db, one, work.added, done)
            _keep_totals(db, done)
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


def file_id(db: sqlite3.Connection, path: str) -> int | None:
    """The id of the file at ``path``; ``None`` if it is not known."""
    row = db.execute("SELECT id FROM files WHERE path = ?", (storable(path),)).fetchone()
    return None if row is None else int(row[0])


def _batches(wanted: Iterable[FileStat], read: ReadNote, clock: Clock) -> Iterator[list[_Read]]:
    """``wanted`` read and taken apart, outside of any transaction."""
    batch: list[_Read] = []
    size = 0
    for stat in wanted:
        batch.append(_taken_apart(stat, read, clock()))
        size += stat.size
        if size >= _BATCH_CHARACTERS or len(batch) >= _BATCH_FILES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _taken_apart(stat: FileStat, read: ReadNote, now: int) -> _Read:
    from hippocampus_cli.search.records import (  # what most queries do without
        aliases_of,
        records_of,
    )
    from hippocampus_cli.workspace.dates import period_of

    days = period_of(stat.path)
    try:
        note = read(stat.path)
    except (FileUnreadable, OutsideWorkspace):
        return _Read(stat, now, _NOT_A_NOTE, days, None)
    if note is None:
        return _Read(stat, now, _NOT_A_NOTE, days, ())
    checksum = zlib.crc32(note.text.encode("utf-8", "surrogatepass"))
    return _Read(stat, now, checksum, days, records_of(note, days), aliases_of(note))


def _write(db: sqlite3.Connection, one: _Read, added: frozenset[str], done: Done) -> None:
    path = one.stat.path
    if one.records is None:
        done.removed.extend([path] if _remove(db, path, done) else [])
    elif path in added:  # another process may have been faster: new to this one all the same
        _store(db, one, one.records, done)
        done.added.append(path)
    elif _store(db, one, one.records, done):
        done.changed.append(path)


def _store(db: sqlite3.Connection, one: _Read, records: Sequence[Record], done: Done) -> bool:
    """Write a file; whether its text is other than what is there."""
    path, seen = storable(one.stat.path), (one.stat.size, one.stat.mtime_ns, one.read_ns)
    known = db.execute("SELECT id, checksum FROM files WHERE path = ?", (path,)).fetchone()
    if known and known[1] == one.checksum:
        query = "UPDATE files SET size = ?, mtime_ns = ?, read_ns = ? WHERE id = ?"
        db.execute(query, (*seen, known[0]))
        return False
    if known:
        _remove(db, one.stat.path, done)
    from hippocampus_cli.workspace.kinds import kind_of

    first, last = (day.toordinal() for day in one.days) if one.days else (None, None)
    row = (path, *seen, one.checksum, str(kind_of(one.stat.path)), first, last)
    file = db.execute("INSERT INTO files VALUES(NULL, ?, ?, ?, ?, ?, ?, ?, ?)", row).lastrowid
    for record in records:
        section = db.execute(_INSERT_SECTION, (file, *record.row)).lastrowid
        passage = (section, record.title, record.place, record.body)
        db.execute("INSERT INTO passages(rowid, title, place, body) VALUES(?, ?, ?, ?)", passage)
        done.count(1, *record.row[-2:])
    pairs = ((file, *pair) for pair in one.aliases)
    db.executemany("INSERT OR IGNORE INTO aliases VALUES(?, ?, ?)", pairs)
    return True


def _keep_totals(db: sqlite3.Connection, done: Done) -> None:
    """Bring the totals in step, once a transaction: FTS5 writes out what it has gathered at every such update."""
    query = "UPDATE totals SET sections = sections + ?, units = units + ?, stems = stems + ?"
    db.execute(query, done.totals)
    done.totals = [0, 0, 0]


def _remove(db: sqlite3.Connection, path: str, done: Done) -> bool:
    """Forget a file; whether it was known."""
    file = file_id(db, path)
    if file is None:
        return False
    sums = "SELECT -count(*), -total(unit_count), -total(stem_count) FROM sections WHERE file = ?"
    done.count(*map(int, db.execute(sums, (file,)).fetchone()))
    sections = "SELECT id FROM sections WHERE file = ?"
    db.execute(f"DELETE FROM passages WHERE rowid IN ({sections})", (file,))
    db.execute("DELETE FROM sections WHERE file = ?", (file,))
    db.execute("DELETE FROM aliases WHERE file = ?", (file,))
    db.execute("DELETE FROM files WHERE id = ?", (file,))
    return True
