"""The text cache: every section of the workspace, ready to be searched, and kept in step with the disk."""

from __future__ import annotations

import sqlite3
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, TypeVar

from hippocampus_cli.errors import FileUnreadable, OutsideWorkspace
from hippocampus_cli.retrieval import schema
from hippocampus_cli.retrieval.filters import Filter, allowed
from hippocampus_cli.retrieval.records import (
    SECTION_COLUMNS,
    Record,
    records_of,
    restored,
    section_of,
    storable,
)
from hippocampus_cli.retrieval.tokens import TOKENS_VERSION
from hippocampus_cli.workspace.dates import period_of
from hippocampus_cli.workspace.diff import merge_diff
from hippocampus_cli.workspace.kinds import kind_of
from hippocampus_cli.workspace.note import Note, Section
from hippocampus_cli.workspace.scan import FileStat

ReadNote = Callable[[str], Note | None]
Progress = Callable[[int, int], None]
_T = TypeVar("_T")

_BATCH_CHARACTERS = (
    4_000_000  # of text a transaction: short enough that nobody waits long for the lock
)
_BATCH_FILES = 500
# A file changed again within one tick of the file system's clock (2 s on FAT) after it was read looks
# unchanged, so what was read that fresh is compared by content the next time (as git does).
_TICK_NS = 2_000_000_000


@dataclass(frozen=True, slots=True)
class Refreshed:
    """The paths whose text is new, other than before, or gone; each in path order."""

    added: tuple[str, ...]
    changed: tuple[str, ...]
    removed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Read:
    """A file as read: ``records`` is empty for what is not a note."""

    stat: FileStat
    read_ns: int
    checksum: int
    days: tuple[date, date] | None
    records: Sequence[Record]


class TextCache:
    """An open cache. It may be shared by processes, each with its own object; not by threads at once.

    A cache that is damaged, locked for long or on a read-only medium never fails a search: it is begun
    anew or carried on in memory. ``in_memory`` says that nothing of it will be kept.
    """

    def __init__(
        self,
        connection: sqlite3.Connection,
        path: Path | None,
        version: int,
        clock: Callable[[], int] = time.time_ns,
    ) -> None:
        self._connection = connection
        self._path = path
        self._version = version
        self._clock = clock
        self._source: tuple[Sequence[FileStat], ReadNote] | None = None

    @classmethod
    def open(
        cls,
        path: Path | None,
        tokens_version: int = TOKENS_VERSION,
        clock: Callable[[], int] = time.time_ns,
    ) -> TextCache:
        """The cache at ``path``, or one in memory where ``path`` is ``None`` or no cache can be kept there.

        ``clock`` gives nanoseconds since the epoch.
        """
        if path is not None:
            try:
                return cls(schema.open_file(path, tokens_version), path, tokens_version, clock)
            except (sqlite3.OperationalError, OSError):
                memory = schema.copy_to_memory(path, tokens_version)
                return cls(memory, None, tokens_version, clock)
            except sqlite3.DatabaseError:
                return cls(_begun_anew(path, tokens_version), path, tokens_version, clock)
        return cls(schema.open_memory(tokens_version), None, tokens_version, clock)

    @property
    def in_memory(self) -> bool:
        """Whether the cache ends with this object."""
        return self._path is None

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def refresh(
        self, found: Iterable[FileStat], read: ReadNote, progress: Progress | None = None
    ) -> Refreshed:
        """Bring the cache in step with ``found``, all the notes there are, sorted by path.

        ``read`` gives a note, or ``None`` for what is not one, and is called for new and changed files
        only; a file it cannot read is left out and tried again the next time. ``progress`` is told
        how many of how many files are done.
        """
        self._source = (found if isinstance(found, list | tuple) else tuple(found), read)
        return self.healing(lambda _: self._refresh(progress))

    def healing(self, work: Callable[[sqlite3.Connection], _T]) -> _T:
        """``work`` done on the database; done again on a new one if this one fails."""
        try:
            return work(self._connection)
        except sqlite3.OperationalError:
            self._go_to_memory()
        except sqlite3.DatabaseError:
            self._begin_anew()
        return work(self._connection)

    def sections_of(self, path: str) -> list[Section] | None:
        """The sections of a note in file order; ``None`` if there is no such file."""
        query = f"SELECT {SECTION_COLUMNS} FROM sections WHERE file = ? ORDER BY ordinal"
        return self.healing(
            lambda db: (
                None
                if (file := _file_id(db, path)) is None
                else [section_of(row) for row in db.execute(query, (file,))]
            )
        )

    def section(self, path: str, ordinal: int) -> Section | None:
        """One section of a note, counted from 0."""
        query = (
            f"SELECT {SECTION_COLUMNS} FROM sections WHERE ordinal = ?"
            " AND file = (SELECT id FROM files WHERE path = ?)"
        )
        key = (ordinal, storable(path))
        row = self.healing(lambda db: db.execute(query, key).fetchone())
        return None if row is None else section_of(row)

    def paths(self) -> list[str]:
        """Every file that is known, in path order."""
        rows = self.healing(lambda db: db.execute("SELECT path FROM files").fetchall())
        return sorted(restored(row[0]) for row in rows)

    def paths_meeting(self, where: Filter) -> frozenset[str]:
        """The files that meet every condition of ``where``."""
        if not where:
            return frozenset(self.paths())
        query = "SELECT path FROM files WHERE id = ?"
        return self.healing(
            lambda db: frozenset(
                restored(db.execute(query, (file,)).fetchone()[0])
                for file in allowed(db, where) or ()
            )
        )

    def get_meta(self, key: str) -> str | None:
        """What :meth:`set_meta` kept under ``key``; ``None`` also after the cache was begun anew."""
        query = "SELECT value FROM meta WHERE key = ?"
        row = self.healing(lambda db: db.execute(query, (key,)).fetchone())
        return None if row is None else str(row[0])

    def set_meta(self, key: str, value: str) -> None:
        """Keep ``value`` under ``key``."""
        query = "INSERT OR REPLACE INTO meta VALUES(?, ?)"
        self.healing(lambda db: db.execute(query, (key, value)))

    def _refresh(self, progress: Progress | None) -> Refreshed:
        found, read = self._source or ((), lambda path: None)
        known, fresh = self._known()
        diff = merge_diff(known, found)
        added = {stat.path for stat in diff.added}
        suspect = [stat for stat in found if stat.path in fresh] if fresh else []
        wanted = _merged(diff.added, diff.changed, suspect)
        changes = _Changes(added)
        if diff.removed:
            with schema.transaction(self._connection):
                for stat in diff.removed:
                    _remove(self._connection, stat.path)
                    changes.removed.append(stat.path)
        done = 0
        for batch, unreadable in _batches(wanted, read, self._clock):
            with schema.transaction(self._connection):
                for path in unreadable:
                    _remove(self._connection, path)
                    changes.removed.extend([] if path in added else [path])
                for one in batch:
                    changes.note(one.stat.path, _store(self._connection, one))
            done += len(batch) + len(unreadable)
            if progress:
                progress(done, len(wanted))
        return changes.result()

    def _known(self) -> tuple[list[FileStat], set[str]]:
        """The files in the cache by path, and the paths of those read too soon after they were written."""
        rows = self._connection.execute(
            "SELECT path, size, mtime_ns, read_ns FROM files"
        ).fetchall()
        known = [FileStat(restored(path), size, mtime) for path, size, mtime, _ in rows]
        known.sort(key=_by_path)
        fresh = {restored(r[0]) for r in rows if abs(r[3] - r[2]) <= _TICK_NS}
        return known, fresh

    def _go_to_memory(self) -> None:
        """Carry on in memory from what can still be read."""
        path, self._path = self._path, None
        self._connection.close()
        if path is None:
            self._connection = schema.open_memory(self._version)
        else:
            self._connection = schema.copy_to_memory(path, self._version)
        self._fill()

    def _begin_anew(self) -> None:
        self._connection.close()
        if self._path is None:
            self._connection = schema.open_memory(self._version)
        else:
            self._connection = _begun_anew(self._path, self._version)
        self._fill()

    def _fill(self) -> None:
        if self._source is not None:
            self._refresh(None)


class _Changes:
    """What a refresh did, as it happens."""

    def __init__(self, added: set[str]) -> None:
        self._added = added
        self._new: list[str] = []
        self._changed: list[str] = []
        self.removed: list[str] = []

    def note(self, path: str, stored: bool) -> None:
        if path in self._added:
            self._new.append(path)
        elif stored:
            self._changed.append(path)

    def result(self) -> Refreshed:
        return Refreshed(tuple(self._new), tuple(self._changed), tuple(sorted(self.removed)))


def _by_path(stat: FileStat) -> str:
    return stat.path


def _merged(*streams: Iterable[FileStat]) -> list[FileStat]:
    """Every file once, by path; the first stream that has it wins."""
    merged: dict[str, FileStat] = {}
    for stream in streams:
        for stat in stream:
            merged.setdefault(stat.path, stat)
    return sorted(merged.values(), key=_by_path)


def _batches(
    wanted: Sequence[FileStat], read: ReadNote, clock: Callable[[], int]
) -> Iterator[tuple[list[_Read], list[str]]]:
    """``wanted`` read and taken apart, outside of any transaction, and the paths that cannot be read."""
    batch: list[_Read] = []
    unreadable: list[str] = []
    size = 0
    for stat in wanted:
        read_ns = clock()
        try:
            note = read(stat.path)
        except (FileUnreadable, OutsideWorkspace):
            unreadable.append(stat.path)
        else:
            batch.append(_taken_apart(stat, read_ns, note))
            size += len(note.text) if note else 0
        if size >= _BATCH_CHARACTERS or len(batch) + len(unreadable) >= _BATCH_FILES:
            yield batch, unreadable
            batch, unreadable, size = [], [], 0
    if batch or unreadable:
        yield batch, unreadable


def _taken_apart(stat: FileStat, read_ns: int, note: Note | None) -> _Read:
    days = period_of(stat.path)
    if note is None:
        return _Read(stat, read_ns, -1, days, ())
    checksum = zlib.crc32(note.text.encode("utf-8", "surrogatepass"))
    return _Read(stat, read_ns, checksum, days, records_of(note, days))


def _store(db: sqlite3.Connection, one: _Read) -> bool:
    """Write one file; whether its text is other than what is there (another process may have been here)."""
    stat = one.stat
    path = storable(stat.path)
    query = "SELECT id, checksum FROM files WHERE path = ?"
    known = db.execute(query, (path,)).fetchone()
    seen = (stat.size, stat.mtime_ns, one.read_ns)
    if known and known[1] == one.checksum:
        db.execute(
            "UPDATE files SET size = ?, mtime_ns = ?, read_ns = ? WHERE id = ?", (*seen, known[0])
        )
        return False
    if known:
        _remove(db, stat.path)
    first, last = (day.toordinal() for day in one.days) if one.days else (None, None)
    row = (path, *seen, one.checksum, str(kind_of(stat.path)), first, last)
    file = db.execute("INSERT INTO files VALUES(NULL, ?, ?, ?, ?, ?, ?, ?, ?)", row).lastrowid
    _insert_sections(db, file, one.records)
    return True


def _insert_sections(db: sqlite3.Connection, file: int | None, records: Sequence[Record]) -> None:
    for record in records:
        section = db.execute(
            f"INSERT INTO sections(file, {SECTION_COLUMNS}) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (file, *record.row),
        ).lastrowid
        db.execute(
            "INSERT INTO passages(rowid, title, place, body) VALUES(?, ?, ?, ?)",
            (section, record.title, record.place, record.body),
        )


def _remove(db: sqlite3.Connection, path: str) -> None:
    file = _file_id(db, path)
    if file is not None:
        db.execute(
            "DELETE FROM passages WHERE rowid IN (SELECT id FROM sections WHERE file = ?)", (file,)
        )
        db.execute("DELETE FROM sections WHERE file = ?", (file,))
        db.execute("DELETE FROM files WHERE id = ?", (file,))


def _file_id(db: sqlite3.Connection, path: str) -> Any:
    row = db.execute("SELECT id FROM files WHERE path = ?", (storable(path),)).fetchone()
    return None if row is None else row[0]


def _begun_anew(path: Path, version: int) -> sqlite3.Connection:
    """A new file in the place of a damaged one; in memory where that cannot be."""
    try:
        schema.delete_files(path)
        return schema.open_file(path, version)
    except (sqlite3.Error, OSError):
        return schema.open_memory(version)
