"""The store of a search: the passages of every note and where each term stands, up to date with the disk.

Its tables are in SQLite or in PostgreSQL (:mod:`~hippocampus_cli.search.tables`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from typing import TYPE_CHECKING, TypeVar

from hippocampus_cli.workspace.file_table import FileStat

if TYPE_CHECKING:
    from hippocampus_cli.search.tables import Engine, Progress, ReadNote, Tables
    from hippocampus_cli.workspace.note import Section

_T = TypeVar("_T")


class PassageStore:
    """An open store. Processes may share one, each with its own object; threads may take turns.

    Tables that fail are replaced by others, and never fail a search.
    """

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.found: Iterable[FileStat] = ()
        """All the notes there are, for when tables are replaced by others."""
        self._reading: tuple[ReadNote, Progress | None] | None = None
        self._generation = self.engine.generation  # which was refreshed last
        self._settled = False

    @property
    def settled(self) -> bool:
        """Whether the last refresh of all notes found everything known and nothing too fresh to be sure of, and is
        still true. What was written to since then may be too fresh: whoever tells of it tells of it again until the
        next refresh of all."""
        return self._settled and not self._behind

    def close(self) -> None:
        """Let go of the file."""
        self.engine.close()

    def refresh(
        self,
        found: Iterable[FileStat],
        read: ReadNote,
        progress: Progress | None = None,
        changed: Sequence[FileStat] | None = None,
    ) -> None:
        """Bring the store up to date with ``found``, all the notes there are, where it is known with those that may
        have ``changed``.

        ``read`` is called for new and changed files and gives a note; a file it cannot read (``FileUnreadable``,
        ``OutsideWorkspace``) is left out and tried again the next time, unless it holds binary data. ``progress`` is
        told how many of how many files are done.
        """
        self.found, self._reading = found, (read, progress)
        self._changed = changed
        self.attempt(self._refresh)

    def healing(self, work: Callable[[Tables], _T]) -> _T:
        """``work`` done on the tables as of one moment; done again on others, refreshed, if these fail."""

        def refreshed(db: Tables) -> _T:
            if self._behind:
                self._refresh(db)
            with db.snapshot():
                return work(db)

        return self.attempt(refreshed)

    def attempt(self, work: Callable[[Tables], _T]) -> _T:
        """``work`` done on the tables as they are; done again on others if these fail."""
        failed = 0
        while True:
            try:
                return work(self.engine.tables)
            except Exception as error:
                self.engine.heal(error, failed)
                failed += 1

    def sections_of(self, path: str) -> list[Section] | None:
        """The sections of a note in file order; ``None`` if there is no such file."""
        return self.healing(lambda db: db.sections_of(path))

    def newest_day(self, until: date) -> date | None:
        """The last day of the notes that are of one, ``until`` at the latest."""
        day = self.healing(lambda db: db.newest_day(until.toordinal()))
        return None if day is None else date.fromordinal(day)

    @property
    def _behind(self) -> bool:
        """Whether the database was replaced since the last refresh."""
        return self._generation != self.engine.generation

    def _refresh(self, db: Tables) -> None:
        if self._reading is None:
            return
        seen = None if self._behind else self._changed
        self._settled = seen is not None
        diff = db.changes(self.found, seen)
        self._settled = self._settled or not diff
        if diff:
            from hippocampus_cli.search.writer import carry_out  # what most queries do without

            carry_out(db, diff, time.time_ns, *self._reading)
        self._generation = self.engine.generation
