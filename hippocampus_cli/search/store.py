"""The store of a search: the passages of every note and where each term stands, up to date with the disk.

One SQLite file that can be rebuilt from the notes (decision D17). ``files`` is hippo's file table; ``passages`` has a
row a passage, and those of a file have ids one after the other, in the order of its lines; ``postings`` says which
passages hold a term (:mod:`~hippocampus_cli.search.postings`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import date
from operator import itemgetter
from pathlib import Path
from typing import Any, TypeVar

from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.search.source_reader import Clock, Progress, ReadNote
from hippocampus_cli.text.terms import TERMS_VERSION
from hippocampus_cli.workspace.database import (
    Attempts,
    Connection,
    Database,
    Schema,
    restored,
    storable,
)
from hippocampus_cli.workspace.file_table import COLUMNS as FILE_COLUMNS
from hippocampus_cli.workspace.file_table import FileStat, changes
from hippocampus_cli.workspace.note import Section

STORE_FILE = "text.sqlite"
_VERSION = 23  # above those of the full-text caches that had this name
_T = TypeVar("_T")
_TABLES = f"""
CREATE TABLE files(
    {FILE_COLUMNS}, checksum INTEGER NOT NULL, kind TEXT NOT NULL, first_day INTEGER, last_day INTEGER,
    first INTEGER NOT NULL, passages INTEGER NOT NULL, sections INTEGER NOT NULL, length INTEGER NOT NULL,
    heads INTEGER NOT NULL);
CREATE INDEX files_by_day ON files(last_day) WHERE last_day IS NOT NULL;
CREATE INDEX files_without_text ON files(path) WHERE checksum = -1;
CREATE TABLE passages(
    id INTEGER PRIMARY KEY, file INTEGER NOT NULL, ordinal INTEGER NOT NULL, start INTEGER NOT NULL,
    end INTEGER NOT NULL, section INTEGER NOT NULL, kind TEXT NOT NULL, headings NOT NULL, title NOT NULL,
    body NOT NULL, others NOT NULL, length INTEGER NOT NULL, section_first INTEGER NOT NULL,
    section_last INTEGER NOT NULL, section_length INTEGER NOT NULL, traits INTEGER NOT NULL,
    bold INTEGER NOT NULL, day INTEGER, copy INTEGER NOT NULL, digest BLOB NOT NULL);
CREATE TABLE sections(
    file INTEGER NOT NULL, ordinal INTEGER NOT NULL, level INTEGER NOT NULL, title NOT NULL, parents NOT NULL,
    first INTEGER NOT NULL, last INTEGER NOT NULL, tree_last INTEGER NOT NULL, heading_lines INTEGER NOT NULL,
    PRIMARY KEY(file, ordinal)) WITHOUT ROWID;
CREATE TABLE postings(term TEXT NOT NULL, block INTEGER NOT NULL, data BLOB NOT NULL,
    PRIMARY KEY(term, block)) WITHOUT ROWID;
CREATE TABLE totals(
    files INTEGER NOT NULL, sections INTEGER NOT NULL, passages INTEGER NOT NULL, terms INTEGER NOT NULL,
    heads INTEGER NOT NULL);
INSERT INTO totals VALUES(0, 0, 0, 0, 0);
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
"""


class Refreshed(NamedTuple):
    """The paths of files whose text is new, other than before, or gone; each in path order."""

    added: tuple[str, ...]
    changed: tuple[str, ...]
    removed: tuple[str, ...]


class PassageStore:
    """An open store. Processes may share one, each with its own object; threads may take turns.

    A store that is damaged, locked for long or on a read-only medium never fails a search
    (:class:`~hippocampus_cli.workspace.database.Database`).
    """

    def __init__(self, path: Path | None, clock: Clock = time.time_ns) -> None:
        """In memory if ``path`` is ``None`` or none can be kept there. ``clock`` gives nanoseconds."""
        schema = Schema(_TABLES, _VERSION * 10_000 + TERMS_VERSION)
        self._database = Database(path, schema)
        self._clock = clock
        self._found: Sequence[FileStat] = ()
        self._read: ReadNote | None = None
        self._generation = self._database.generation  # which was refreshed last
        self._unread: Collection[str] = ()  # files that could not be read
        self._settled = False

    @property
    def settled(self) -> bool:
        """Whether the last refresh found everything known and nothing too fresh to be sure of, and is still true."""
        return self._settled and not self._behind

    def close(self) -> None:
        """Let go of the file."""
        self._database.close()

    def refresh(
        self,
        found: Iterable[FileStat],
        read: ReadNote,
        progress: Progress | None = None,
    ) -> Refreshed:
        """Bring the store up to date with ``found``, all the notes there are.

        ``read`` is
        called for new and changed files and gives a note, or ``None`` for what is not one; a file it cannot read
        (``FileUnreadable``, ``OutsideWorkspace``) is left out and tried again the next time. ``progress`` is told
        how many of how many files are done.
        """
        self._found, self._read = sorted(found, key=itemgetter(0)), read
        attempts = Attempts(self._database)
        while True:
            with attempts as db:
                return self._refresh(db, progress)

    def healing(self, work: Callable[[Connection], _T]) -> _T:
        """``work`` done on the database; done again on a new one, refreshed, if this one fails."""
        attempts = Attempts(self._database)
        while True:
            with attempts as db:
                if self._behind:
                    self._refresh(db, None)
                return work(db)

    def paths(self) -> list[str]:
        """Every file that is known, in path order."""
        rows = self.healing(lambda db: db.execute("SELECT path FROM files").fetchall())
        return sorted(restored(row[0]) for row in rows)

    def sections_of(self, path: str) -> list[Section] | None:
        """The sections of a note in file order; ``None`` if there is no such file."""
        # one statement: between two, another process may write the note anew, under another id
        query = "SELECT s.* FROM files f LEFT JOIN sections s ON s.file = f.id WHERE f.path = ? ORDER BY ordinal"
        rows = self.healing(lambda db: db.execute(query, (storable(path),)).fetchall())
        return [_section(row[1:]) for row in rows if row[0] is not None] if rows else None

    def dates_of(self, path: str) -> tuple[date | None, int | None]:
        """The day that a file is of, or the last of several, and when it changed (ns); nothing for no file."""
        query = "SELECT last_day, mtime_ns FROM files WHERE path = ?"
        row = self.healing(lambda db: db.execute(query, (storable(path),)).fetchone())
        day, changed = row or (None, None)
        return None if day is None else date.fromordinal(day), changed

    def newest_day(self, until: date) -> date | None:
        """The last day of the notes that are of one, ``until`` at the latest."""
        query = "SELECT max(last_day) FROM files WHERE last_day <= ?"
        row = self.healing(lambda db: db.execute(query, (until.toordinal(),)).fetchone())
        return None if row[0] is None else date.fromordinal(row[0])

    def unread(self) -> list[str]:
        """Files that could not be read at the last refresh, or hold no text, in path order."""
        query = "SELECT path FROM files WHERE checksum = -1"  # as of the index made for this
        rows = self.healing(lambda db: db.execute(query).fetchall())
        return sorted({*self._unread, *(restored(row[0]) for row in rows)})

    def get_meta(self, key: str) -> str | None:
        """What :meth:`set_meta` kept under ``key``; ``None`` also once the store was begun anew."""
        query = "SELECT value FROM meta WHERE key = ?"
        row = self.healing(lambda db: db.execute(query, (storable(key),)).fetchone())
        return None if row is None else restored(row[0])

    def set_meta(self, key: str, value: str) -> None:
        """Keep ``value`` under ``key``."""
        row = (storable(key), storable(value))
        self.healing(lambda db: db.execute("INSERT OR REPLACE INTO meta VALUES(?, ?)", row))

    @property
    def _behind(self) -> bool:
        """Whether the database was replaced since the last refresh."""
        return self._generation != self._database.generation

    def _refresh(self, db: Connection, progress: Progress | None) -> Refreshed:
        if self._read is None:
            return Refreshed((), (), ())
        self._settled = False
        diff = changes(db, self._found)
        self._settled = not diff
        if self._settled:
            self._unread = ()
            self._generation = self._database.generation
            return Refreshed((), (), ())
        from hippocampus_cli.search.writer import carry_out  # what most queries do without

        done = carry_out(db, diff, self._read, self._clock, progress)
        self._unread = done.unread
        self._generation = self._database.generation
        return Refreshed(tuple(done.added), tuple(done.changed), tuple(done.removed))


def _section(row: Sequence[Any]) -> Section:
    ordinal, level, title, parents, *lines = row
    return Section(
        ordinal, level, restored(title), tuple(restored(parents).split("\n")[1:]), *lines
    )
