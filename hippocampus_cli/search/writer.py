"""Bringing the store up to date with the notes: files are read and indexed outside of any transaction, and written in
short ones.
"""

from __future__ import annotations

import contextlib
import sqlite3
import zlib
from collections.abc import Generator, Iterable, Iterator, Sequence
from operator import itemgetter
from typing import Any

from hippocampus_cli.errors import FileUnreadable, OutsideWorkspace
from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.search.indexing import COLUMNS, Indexed, Row, index_note
from hippocampus_cli.search.postings import Changes
from hippocampus_cli.search.source_reader import Clock, Progress, ReadNote
from hippocampus_cli.workspace.database import restored, storable, transaction
from hippocampus_cli.workspace.file_table import Diff, FileStat
from hippocampus_cli.workspace.kinds import kind_of, period_of
from hippocampus_cli.workspace.note import Section

NOT_A_NOTE = -1  # in the place of a checksum
_BATCH_CHARACTERS = 8_000_000  # written in one transaction: nobody waits long for the lock
_BATCH_FILES = 2_000
_INSERT_FILE = f"INSERT INTO files VALUES({', '.join('?' * 15)})"
_INSERT_PASSAGE = (
    f"INSERT INTO passages(id, file, ordinal, {COLUMNS})"
    f" VALUES({', '.join('?' * (3 + len(Row._fields)))})"
)
_INSERT_SECTION = "INSERT INTO sections VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)"
_SEEN = "UPDATE files SET size = ?, mtime_ns = ?, read_ns = ?, ctime_ns = ? WHERE id = ?"


class ReadFile(NamedTuple):
    """A file as read. ``indexed`` is ``None`` for one that could not be, or whose text is that of ``checksum`` as
    before (``as_before``)."""

    stat: FileStat
    read_ns: int
    checksum: int
    indexed: Indexed | None
    as_before: bool = False


class Done:
    """What a refresh has done so far: the paths of files whose text is new, other than before, or gone.

    ``unread`` are those that could not be read.
    """

    def __init__(self) -> None:
        self.added: list[str] = []
        self.changed: list[str] = []
        self.removed: list[str] = []
        self.unread: list[str] = []


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
            writer = _Writer(db)
            done.removed.extend(stat.path for stat in diff.removed if writer.remove(stat.path))
            writer.finish()
    known = {stat.path: _checksum(db, stat.path) for stat in wanted}
    files = (_read(stat, read, clock(), known[stat.path]) for stat in wanted)
    with contextlib.closing(files):
        for batch in _batches(files):
            with transaction(db):
                _write(db, batch, added, done)
            finished += len(batch)
            if progress:
                progress(finished, len(wanted))
    done.removed.sort()
    return done


def _read(stat: FileStat, read: ReadNote, now: int, known: int | None) -> ReadFile:
    """A file as read at ``now``; where its text has the checksum ``known`` it is not indexed again."""
    try:
        note = read(stat.path)
    except (FileUnreadable, OutsideWorkspace):
        return ReadFile(stat, now, NOT_A_NOTE, None)
    if note is None:
        return ReadFile(stat, now, NOT_A_NOTE, Indexed((), (), 0))
    checksum = zlib.crc32(note.text.encode("utf-8", "surrogatepass"))
    if checksum == known:
        return ReadFile(stat, now, checksum, None, as_before=True)
    return ReadFile(stat, now, checksum, index_note(note))


def _checksum(db: sqlite3.Connection, path: str) -> int | None:
    row = db.execute("SELECT checksum FROM files WHERE path = ?", (storable(path),)).fetchone()
    return None if row is None else int(row[0])


def _batches(files: Generator[ReadFile, None, None]) -> Iterator[list[ReadFile]]:
    batch: list[ReadFile] = []
    size = 0
    for file in files:
        batch.append(file)
        size += file.stat.size
        if size >= _BATCH_CHARACTERS or len(batch) >= _BATCH_FILES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _write(
    db: sqlite3.Connection, batch: Iterable[ReadFile], added: frozenset[str], done: Done
) -> None:
    writer = _Writer(db)
    for file in batch:
        path = file.stat.path
        if file.as_before and not writer.touch(file):
            done.unread.append(path)  # another process has written it since: next time
        elif file.as_before:
            continue
        elif file.indexed is None:
            done.unread.append(path)
            done.removed.extend([path] if writer.remove(path) else [])
        else:
            writer.store(file, file.indexed)
            (done.added if path in added else done.changed).append(path)
    writer.finish()


class _Writer:
    """What is to be inserted and removed within one transaction, gathered."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._postings = Changes()
        self._files: list[tuple[Any, ...]] = []
        self._passages: list[tuple[Any, ...]] = []
        self._sections: list[tuple[Any, ...]] = []
        self._totals = [0, 0, 0, 0, 0]  # files, sections, passages, terms of texts, of headings
        self._file = self._last("files")
        self._passage = self._last("passages")

    def touch(self, file: ReadFile) -> bool:
        """Note how a file with the same text looks now; whether the tables have that text."""
        query = "SELECT id FROM files WHERE path = ? AND checksum = ?"
        row = self._db.execute(query, (storable(file.stat.path), file.checksum)).fetchone()
        if row is not None:
            self._db.execute(_SEEN, (*_seen(file), row[0]))
        return row is not None

    def store(self, file: ReadFile, indexed: Indexed) -> None:
        """Take a file's passages in the place of those that are there."""
        path = file.stat.path
        self.remove(path)
        self._file += 1
        first = self._passage + 1
        rows = indexed.rows
        for ordinal, (row, weights) in enumerate(zip(rows, indexed.weights, strict=True)):
            self._passage += 1
            self._postings.add(self._passage, weights)
            self._passages.append((self._passage, self._file, ordinal, *_storable(row)))
        self._sections.extend((self._file, *_section(each)) for each in indexed.sections)
        sections, length = _sections(rows), sum(row.length for row in rows)
        days = period_of(path)
        period = (days[0].toordinal(), days[1].toordinal()) if days else (None, None)
        counts = (first, len(rows), sections, length, indexed.heads)
        facts = (file.checksum, str(kind_of(path)), *period, *counts)
        self._files.append((self._file, storable(path), *_seen(file), *facts))
        self._count(1, sections, len(rows), length, indexed.heads)

    def remove(self, path: str) -> bool:
        """Forget a file; whether it was known."""
        query = "SELECT id, first, passages, sections, length, heads FROM files WHERE path = ?"
        known = self._db.execute(query, (storable(path),)).fetchone()
        if known is None:
            return False
        file, first, passages, sections, length, heads = known
        query = "SELECT id, body, others FROM passages WHERE id BETWEEN ? AND ?"
        for passage, body, others in self._db.execute(query, (first, first + passages - 1)):
            self._postings.remove(passage, {*restored(body).split(), *restored(others).split()})
        self._db.execute(
            "DELETE FROM passages WHERE id BETWEEN ? AND ?", (first, first + passages - 1)
        )
        self._db.execute("DELETE FROM sections WHERE file = ?", (file,))
        self._db.execute("DELETE FROM files WHERE id = ?", (file,))
        self._count(-1, -sections, -passages, -length, -heads)
        return True

    def finish(self) -> None:
        """Write what was gathered."""
        self._postings.write(self._db)
        self._db.executemany(_INSERT_FILE, self._files)
        self._db.executemany(_INSERT_SECTION, self._sections)
        self._db.executemany(_INSERT_PASSAGE, self._passages)
        query = (
            "UPDATE totals SET files = files + ?, sections = sections + ?, passages = passages + ?,"
            " terms = terms + ?, heads = heads + ?"
        )
        self._db.execute(query, self._totals)

    def _count(self, *numbers: int) -> None:
        self._totals = list(map(sum, zip(self._totals, numbers, strict=True)))

    def _last(self, table: str) -> int:
        return int(self._db.execute(f"SELECT ifnull(max(id), 0) FROM {table}").fetchone()[0])


def _seen(file: ReadFile) -> tuple[int, int, int, int]:
    return file.stat.size, file.stat.mtime_ns, file.read_ns, file.stat.ctime_ns


def _storable(row: Row) -> Iterator[object]:
    return (storable(value) if isinstance(value, str) else value for value in row)


def _section(section: Section) -> Iterator[object]:
    parents = "".join(f"\n{title}" for title in section.parents)
    values = (*section[:2], section.title, parents, *section[4:])
    return (storable(value) if isinstance(value, str) else value for value in values)


def _sections(rows: Sequence[Row]) -> int:
    return sum(row.section_first == 0 for row in rows)
