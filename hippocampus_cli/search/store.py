"""The text cache: every section of the workspace, ready to be searched, up to date with the disk."""

from __future__ import annotations

import sqlite3
import time
import zlib
from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import date
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.search import ranking_weights
from hippocampus_cli.search.filters import Filter, allowed
from hippocampus_cli.search.schema import (
    PLACE_COLUMNS,
    file_id,
    restored,
    schema_of,
    section_of,
    storable,
)
from hippocampus_cli.search.source_reader import Clock, Progress, ReadNote
from hippocampus_cli.text.tokenizer import TOKENS_VERSION
from hippocampus_cli.workspace.database import Database
from hippocampus_cli.workspace.file_table import FileStat, changes
from hippocampus_cli.workspace.note import Section

if TYPE_CHECKING:
    from hippocampus_cli.search.hits import Boosts, SearchHits
    from hippocampus_cli.search.query_parser import Query
    from hippocampus_cli.search.semantic import Meaning

_T = TypeVar("_T")


class Refreshed(NamedTuple):
    """The paths of files whose text is new, other than before, or gone; each in path order."""

    added: tuple[str, ...]
    changed: tuple[str, ...]
    removed: tuple[str, ...]


class TextCache:
    """An open cache. Processes may share one, each with its own object; threads may take turns.

    A cache that is damaged, locked for long or on a read-only medium never fails a search
    (:class:`~hippocampus_cli.workspace.database.Database`).
    """

    def __init__(
        self,
        path: Path | None,
        tokens_version: int = TOKENS_VERSION,
        clock: Clock = time.time_ns,
    ) -> None:
        """In memory if ``path`` is ``None`` or no cache can be kept there. ``clock`` gives nanoseconds."""
        self._database = Database(path, schema_of(tokens_version))
        self._clock = clock
        self._found: Sequence[FileStat] = ()
        self._read: ReadNote | None = None
        self._generation = self._database.generation  # which was refreshed last
        self._written: int | None = None  # what SQLite counts up when another connection writes
        self._unread: Collection[str] = ()  # files that could not be read
        self._settled = False  # whether the last refresh found nothing to do

    @property
    def in_memory(self) -> bool:
        """Whether the cache ends with this object."""
        return self._database.path is None

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
        touched: Collection[str] | None = None,
    ) -> Refreshed:
        """Bring the cache up to date with ``found``, all the notes there are.

        ``touched`` are the only paths that can be other than at the last refresh, where that is known. ``read`` is
        called for new and changed files and gives a note, or ``None`` for what is not
        one; a file it cannot read (``FileUnreadable``, ``OutsideWorkspace``) is left out and tried
        again the next time. ``progress`` is told how many of how many files are done.
        """
        self._found, self._read = sorted(found, key=itemgetter(0)), read
        return self._healed(lambda db: self._refresh(db, progress, touched))

    def healing(self, work: Callable[[sqlite3.Connection], _T]) -> _T:
        """``work`` done on the database; done again on a new one, refreshed, if this one fails."""

        def attempt(db: sqlite3.Connection) -> _T:
            if self._behind:
                self._refresh(db, None)
            return work(db)

        return self._healed(attempt)

    def _healed(self, work: Callable[[sqlite3.Connection], _T]) -> _T:
        failed = 0
        while True:
            try:
                return work(self._database.connection)
            except Exception as error:
                self._database.heal(error, failed)
                failed += 1

    @property
    def _behind(self) -> bool:
        """Whether the database was replaced since the last refresh."""
        return self._generation != self._database.generation

    def search(
        self,
        query: Query,
        limit: int = 10,
        where: Filter | None = None,
        related: float = ranking_weights.RELATED,
        meaning: Meaning | None = None,
        boosts: Boosts | None = None,
    ) -> SearchHits:
        """The best ``limit`` sections for ``query`` among the files that meet ``where``.

        ``related`` is the weight of what the thesaurus offers for a word, 0 to do without. With ``meaning`` what
        texts mean counts beside their words; with ``boosts`` also what else leads to them.
        """
        from hippocampus_cli.search.ranker import (
            rank,  # not everybody who opens the cache searches it
        )

        ranked = partial(rank, query=query, limit=limit, where=where or Filter(), related=related)
        return self.healing(partial(ranked, meaning=meaning, boosts=boosts))

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
        self,
        db: sqlite3.Connection,
        progress: Progress | None,
        touched: Collection[str] | None = None,
    ) -> Refreshed:
        read = self._read
        if read is None:
            return Refreshed((), (), ())
        written = db.execute("PRAGMA data_version").fetchone()[0]
        # whether nobody else has written since everything was compared
        alone = not self._behind and written == self._written
        self._written = None  # until this one is done
        if touched is not None and alone:
            diff = changes(db, self._found, {*touched, *self._unread})
        else:
            diff = changes(db, self._found)
        self._settled = not diff
        if self._settled:
            self._written, self._unread = written, ()
            self._generation = self._database.generation
            return Refreshed((), (), ())
        from hippocampus_cli.search.refresh import carry_out  # what most queries do without

        done = carry_out(db, diff, read, self._clock, progress)
        self._written, self._unread = written, done.unread
        self._generation = self._database.generation
        return Refreshed(tuple(done.added), tuple(done.changed), tuple(done.removed))


def _digest(value: str) -> str:
    """What shows that a value is as it was kept: other rows are looked at with their file."""
    return f"{zlib.crc32(value.encode('utf-8', 'surrogatepass')):08x}"
