"""Writing notes that were read to the text cache: a batch of them within one transaction, a statement a table."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any

from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.search.integrity import digest_of
from hippocampus_cli.search.schema import SECTION_COLUMNS, file_id, storable
from hippocampus_cli.workspace.file_table import FileStat
from hippocampus_cli.workspace.kinds import kind_of

if TYPE_CHECKING:
    from hippocampus_cli.search.extract import Record

_INSERT_FILE = "INSERT INTO files VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_INSERT_SECTION = f"INSERT INTO sections(id, file, {SECTION_COLUMNS}) VALUES({', '.join('?' * 14)})"
_INSERT_PASSAGE = "INSERT INTO passages(rowid, title, place, body) VALUES(?, ?, ?, ?)"


class ReadFile(NamedTuple):
    """A file as read; ``records`` is ``None`` for one that could not be.

    ``as_before``: its text is the one that the tables had when it was read, and was not taken apart again.
    """

    stat: FileStat
    read_ns: int
    checksum: int
    days: tuple[date, date] | None
    records: Sequence[Record] | None
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


def write(
    db: sqlite3.Connection, batch: Iterable[ReadFile], added: frozenset[str], done: Done
) -> None:
    """Update the tables with the files of ``batch``, within a transaction; ``added`` are new to the caller."""
    rows = _Rows(db)
    for one in batch:
        path = one.stat.path
        if one.as_before and not rows.holds(one):
            done.unread.append(
                path
            )  # another process has written what it was compared with: next time
        elif one.records is None:
            done.unread.append(path)
            done.removed.extend([path] if rows.remove(path) else [])
        elif path in added:  # another process may have been faster: new to this one all the same
            rows.store(one, one.records)
            done.added.append(path)
        elif rows.store(one, one.records):
            done.changed.append(path)
    rows.insert()


def forget(db: sqlite3.Connection, paths: Iterable[str], done: Done) -> None:
    """Take files that are gone out of the tables, within a transaction."""
    rows = _Rows(db)
    done.removed.extend(path for path in paths if rows.remove(path))
    rows.insert()


class _Rows:
    """What is to be inserted, gathered: one call a table takes two thirds of the time that one a row does."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._totals = [0, 0, 0]  # by how much sections, units and stems are to change
        self._files: list[tuple[Any, ...]] = []
        self._sections: list[tuple[Any, ...]] = []
        self._passages: list[tuple[int, str, str, str]] = []
        self._last_file = self._last("files")
        self._last_section = self._last("sections")

    def store(self, one: ReadFile, records: Sequence[Record]) -> bool:
        """Take a file to be written; whether its text is other than what is there."""
        path, stat = storable(one.stat.path), one.stat
        seen = stat.size, stat.mtime_ns, one.read_ns, stat.ctime_ns
        query = "SELECT id, checksum FROM files WHERE path = ?"
        known = self._db.execute(query, (path,)).fetchone()
        if known and known[1] == one.checksum:
            query = (
                "UPDATE files SET size = ?, mtime_ns = ?, read_ns = ?, ctime_ns = ? WHERE id = ?"
            )
            self._db.execute(query, (*seen, known[0]))
            return False
        if known:
            self.remove(one.stat.path)
        first, last = (day.toordinal() for day in one.days) if one.days else (None, None)
        self._last_file = file = self._last_file + 1
        kind = str(kind_of(one.stat.path))
        facts = (path, one.checksum, kind, first, last)
        written = ((*each.row, each.title, each.place, each.body) for each in records)
        digest = digest_of(facts, written)
        self._files.append((file, path, *seen, *facts[1:], digest))
        for record in records:
            self._take(file, record)
        return True

    def holds(self, one: ReadFile) -> bool:
        """Whether the tables have this text of the file."""
        query = "SELECT 1 FROM files WHERE path = ? AND checksum = ?"
        return (
            self._db.execute(query, (storable(one.stat.path), one.checksum)).fetchone() is not None
        )

    def remove(self, path: str) -> bool:
        """Forget a file; whether it was known."""
        file = file_id(self._db, path)
        if file is None:
            return False
        sums = (
            "SELECT -count(*), -total(unit_count), -total(stem_count) FROM sections WHERE file = ?"
        )
        self._count(*map(int, self._db.execute(sums, (file,)).fetchone()))
        sections = "SELECT id FROM sections WHERE file = ?"
        self._db.execute(f"DELETE FROM passages WHERE rowid IN ({sections})", (file,))
        for table, column in (("sections", "file"), ("files", "id")):
            self._db.execute(f"DELETE FROM {table} WHERE {column} = ?", (file,))
        return True

    def insert(self) -> None:
        """Write what was gathered, and the totals once: FTS5 writes out what it holds at every such update."""
        self._db.executemany(_INSERT_FILE, self._files)
        self._db.executemany(_INSERT_SECTION, self._sections)
        self._db.executemany(_INSERT_PASSAGE, self._passages)
        query = "UPDATE totals SET sections = sections + ?, units = units + ?, stems = stems + ?"
        self._db.execute(query, self._totals)

    def _take(self, file: int, record: Record) -> None:
        self._last_section = section = self._last_section + 1
        self._sections.append((section, file, *record.row))
        self._passages.append((section, record.title, record.place, record.body))
        self._count(1, *record.row[-2:])

    def _last(self, table: str) -> int:
        """The highest id; ids of rows that are removed in between are not given again before the next batch."""
        row = self._db.execute(f"SELECT ifnull(max(id), 0) FROM {table}").fetchone()
        return int(row[0])

    def _count(self, sections: int, units: int, stems: int) -> None:
        for at, number in enumerate((sections, units, stems)):
            self._totals[at] += number
