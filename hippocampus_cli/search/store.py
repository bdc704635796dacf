"""The text cache: every section of the workspace, ready to be searched, in step with the disk."""

from __future__ import annotations

import sqlite3
import time
import zlib
from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import date
from operator import itemgetter
from pathlib import Path
from typing import TypeVar

from hippocampus_cli.errors import HippoError
from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.search import schema
from hippocampus_cli.search.filters import Filter, allowed
from hippocampus_cli.search.refresh import Clock, Notes, Progress, ReadNote, work_for, work_on
from hippocampus_cli.search.schema import PLACE_COLUMNS, file_id, restored, section_of, storable
from hippocampus_cli.text.tokenizer import TOKENS_VERSION
from hippocampus_cli.workspace.database import FAILURES, is_damage
from hippocampus_cli.workspace.note import Section
from hippocampus_cli.workspace.scan import FileStat

_T = TypeVar("_T")


class Refreshed(NamedTuple):
    """The paths of files whose text is new, other than before, or gone; each in path order."""

    added: tuple[str, ...]
    changed: tuple[str, ...]
    removed: tuple[str, ...]


class TextCache:
    """An open cache. Processes may share one, each with its own object; threads may take turns.

    A cache that is damaged, locked for long or on a read-only medium never fails a search: it is
    begun anew or carried on in memory.
    """

    def __init__(
        self, connection: schema.Connection, path: Path | None, version: int, clock: Clock
    ) -> None:
        self._connection = connection
        self._path = path
        self._version = version
        self._clock = clock
        self._found: Sequence[FileStat] = ()
        self._read: ReadNote | None = None
        self._notes: Notes | None = None
        self._behind = False  # whether the database was replaced since the last refresh
        self._written: int | None = None  # what SQLite counts up when another connection writes
        self._unread: Collection[str] = ()  # files that could not be read
        self._settled = False  # whether the last refresh found nothing to do

    @classmethod
    def open(
        cls,
        path: Path | None,
        tokens_version: int = TOKENS_VERSION,
        clock: Clock = time.time_ns,
    ) -> TextCache:
        """The cache at ``path``; in memory if that is ``None`` or no cache can be kept there.

        ``clock`` gives nanoseconds since the epoch.
        """
        connection: schema.Connection | None = None
        if path is not None:
            try:
                connection = schema.open_file(path, tokens_version)
            except (*FAILURES, OSError) as error:
                if is_damage(error, path):
                    connection = schema.replace_file(path, tokens_version)
                else:
                    connection, path = schema.copy_to_memory(path, tokens_version), None
        if connection is None:
            connection, path = schema.open_memory(tokens_version), None
        return cls(connection, path, tokens_version, clock)

    @property
    def in_memory(self) -> bool:
        """Whether the cache ends with this object."""
        return self._path is None

    @property
    def settled(self) -> bool:
        """Whether the last refresh found everything in step, nothing too fresh to be sure of, and is still true."""
        return self._settled and not self._behind

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def refresh(
        self,
        found: Iterable[FileStat],
        read: ReadNote,
        progress: Progress | None = None,
        touched: Collection[str] | None = None,
        notes: Notes | None = None,
    ) -> Refreshed:
        """Bring the cache in step with ``found``, all the notes there are.

        ``touched`` are the only paths that can be other than at the last refresh, where that is known. ``read`` is
        called for new and changed files and gives a note, or ``None`` for what is not
        one; a file it cannot read (``FileUnreadable``, ``OutsideWorkspace``) is left out and tried
        again the next time. ``progress`` is told how many of how many files are done. ``notes`` are what ``read``
        reads, where another process may help to read them.
        """
        self._notes = notes
        self._found, self._read = sorted(found, key=itemgetter(0)), read
        return self._healed(lambda: self._refresh(progress, touched))

    def healing(self, work: Callable[[sqlite3.Connection], _T]) -> _T:
        """``work`` done on the database; done again on a new one if this one fails."""

        def attempt() -> _T:
            if self._behind:
                self._refresh(None)
            return work(self._connection)

        return self._healed(attempt)

    def sections_of(self, path: str) -> list[Section] | None:
        """The sections of a note in file order; ``None`` if there is no such file."""
        query = (
            f"SELECT {PLACE_COLUMNS} FROM sections"
            " WHERE file = (SELECT id FROM files WHERE path = ?) ORDER BY ordinal"
        )

        def sections(db: sqlite3.Connection) -> list[Section] | None:
            found = [section_of(row) for row in db.execute(query, (storable(path),))]
            return found if found or file_id(db, path) is not None else None

        return self.healing(sections)

    def section(self, path: str, ordinal: int) -> Section | None:
        """One section of a note, counted from 0."""
        query = (
            f"SELECT {PLACE_COLUMNS} FROM sections WHERE ordinal = ?"
            " AND file = (SELECT id FROM files WHERE path = ?)"
        )
        key = (ordinal, storable(path))
        row = self.healing(lambda db: db.execute(query, key).fetchone())
        return None if row is None else section_of(row)

    def paths(self) -> list[str]:
        """Every file that is known, in path order."""
        rows = self.healing(lambda db: db.execute("SELECT path FROM files").fetchall())
        return sorted(restored(row[0]) for row in rows)

    def unread(self) -> list[str]:
        """Files that could not be read at the last refresh, or hold no text, in path order."""
        query = "SELECT path FROM files WHERE checksum = -1"  # as of the index made for this
        rows = self.healing(lambda db: db.execute(query).fetchall())
        return sorted({*self._unread, *(restored(row[0]) for row in rows)})

    def days_of(self, paths: Collection[str]) -> dict[str, date]:
        """The day, or the last of several, of each of these files that has one."""
        query = "SELECT last_day FROM files WHERE path = ? AND last_day IS NOT NULL"

        def days(db: sqlite3.Connection) -> dict[str, date]:
            rows = ((path, db.execute(query, (storable(path),)).fetchone()) for path in paths)
            return {path: date.fromordinal(row[0]) for path, row in rows if row}

        return self.healing(days)

    def paths_meeting(self, where: Filter) -> frozenset[str]:
        """The files that meet every condition of ``where``."""

        def meeting(db: sqlite3.Connection) -> frozenset[str]:
            files = allowed(db, where)
            rows = db.execute("SELECT id, path FROM files")
            return frozenset(restored(path) for id_, path in rows if files is None or id_ in files)

        return self.healing(meeting)

    def get_meta(self, key: str) -> str | None:
        """What :meth:`set_meta` kept under ``key``; ``None`` also once the cache was begun anew."""
        query = "SELECT value FROM meta WHERE key = ?"
        row = self.healing(lambda db: db.execute(query, (storable(key),)).fetchone())
        digest, _, value = ("", "", "") if row is None else restored(row[0]).partition(" ")
        return value if row is not None and digest == _digest(value) else None

    def set_meta(self, key: str, value: str) -> None:
        """Keep ``value`` under ``key``."""
        row = (storable(key), storable(f"{_digest(value)} {value}"))
        self.healing(lambda db: db.execute("INSERT OR REPLACE INTO meta VALUES(?, ?)", row))

    def _refresh(
        self, progress: Progress | None, touched: Collection[str] | None = None
    ) -> Refreshed:
        read = self._read
        if read is None:
            return Refreshed((), (), ())
        written = self._connection.execute("PRAGMA data_version").fetchone()[0]
        # whether nobody else has written since everything was compared
        alone = not self._behind and written == self._written
        self._written = None  # until this one is done
        if touched is not None and alone:
            work = work_on(self._connection, self._found, {*touched, *self._unread})
        else:
            work = work_for(self._connection, self._found)
        self._settled = not (work.read or work.removed)
        if self._settled:
            self._written, self._unread, self._behind = written, (), False
            return Refreshed((), (), ())
        from hippocampus_cli.search.refresh import carry_out  # what most queries do without

        done = carry_out(self._connection, work, read, self._clock, progress, self._notes)
        self._written, self._unread, self._behind = written, done.unread, False
        return Refreshed(tuple(done.added), tuple(done.changed), tuple(done.removed))

    def _healed(self, attempt: Callable[[], _T]) -> _T:
        for _ in range(2):  # the file may be of no use, and then a copy of it in memory may be
            try:
                return attempt()
            except (sqlite3.ProgrammingError, HippoError, OSError, MemoryError):
                raise
            except Exception as error:  # rows that make no sense fail in as many ways as there are
                if self._path is None and not isinstance(error, sqlite3.DatabaseError):
                    raise
                self._replace(error)
        return attempt()

    def _replace(self, error: Exception) -> None:
        """Go on with another database: in memory, or, in the place of a damaged file, a new one."""
        self._connection.sealed = None
        self._connection.close()
        self._behind = True
        path, self._path = self._path, None
        if path is None:
            self._connection = schema.open_memory(self._version)
        elif not is_damage(error, path):  # locked, full, read-only, gone
            self._connection = schema.copy_to_memory(path, self._version)
        elif connection := schema.replace_file(path, self._version):
            self._connection, self._path = connection, path
        else:
            self._connection = schema.open_memory(self._version)


def _digest(value: str) -> str:
    """What shows that a value is as it was kept: other rows are looked at with their file."""
    return f"{zlib.crc32(value.encode('utf-8', 'surrogatepass')):08x}"
