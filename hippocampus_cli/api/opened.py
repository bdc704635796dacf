"""A workspace as it is opened: its folder, its settings, and the stores below it, each opened when it is needed."""

from __future__ import annotations

import contextlib
import os
from _thread import RLock
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from hippocampus_cli.api.forks import follow_forks
from hippocampus_cli.config import Config
from hippocampus_cli.errors import UsageError

if TYPE_CHECKING:  # a command opens only what it needs
    from hippocampus_cli.embedding.embedder import Opener
    from hippocampus_cli.entries.check import Follower
    from hippocampus_cli.entries.index_writer import IndexWriter
    from hippocampus_cli.index.decay import DecayClock
    from hippocampus_cli.index.hierarchy import Hierarchy
    from hippocampus_cli.query.inquirer import Inquirer
    from hippocampus_cli.query.results import BeliefShown
    from hippocampus_cli.search.library import Library
    from hippocampus_cli.workspace.store import IndexStore

_FIRST_YEAR = 1900  # upkeep looks back, and there are no days before the year 1
_PARTS = ("library", "inquirer")
"""What holds files of the workspace open."""
LEFT: list[object] = []
"""In a child process, what the parent opened: to collect it would be to close it."""


class Opened:
    """What a :class:`Workspace` and its parts share. ``lock`` is held by whoever's turn it is."""

    def __init__(
        self,
        root: Path,
        config: Config,
        progress: Callable[[int, int], None] | None,
        opener: Opener | None,
        environ: Mapping[str, str] | None,
        clock: Callable[[], datetime] | None,
    ) -> None:
        self.root = root
        self.config = config
        self.environ = os.environ if environ is None else environ
        self.clock = clock or present
        self._progress = progress
        self.opener = opener
        self._begin()
        follow_forks(self)

    def __del__(self) -> None:
        with contextlib.suppress(Exception):  # it may never have been opened, or Python is ending
            self.close()

    def _begin(self) -> None:
        self.lock = RLock()

    def begin_anew(self) -> None:
        """In a child process, after a fork: leave the parent's files alone, and open them again when needed."""
        LEFT.append(self._taken_out())
        self._begin()

    def close(self) -> None:
        """Close what is open; it is opened again when it is needed."""
        with self.lock:
            for part in self._taken_out():
                if hasattr(part, "close"):
                    part.close()

    def _taken_out(self) -> list[object]:
        """What is open, which this no longer has."""
        names = [name for name in _PARTS if name in self.__dict__]
        return [self.__dict__.pop(name) for name in names]

    def moment(self, now: datetime | None) -> datetime:
        """``now``, by default the present one. Raises :class:`UsageError` without a time zone, or before 1900."""
        if now is None:
            return self.clock()
        if now.utcoffset() is None or now.year < _FIRST_YEAR:
            advice = "for example datetime.now().astimezone()"
            raise UsageError(reason=f"now must have a time zone, not {now}", advice=advice)
        return now

    @cached_property
    def store(self) -> IndexStore:
        """The index on disk."""
        from hippocampus_cli.workspace.store import IndexStore

        return IndexStore(self.root, self.config)

    @cached_property
    def library(self) -> Library:
        """The notes, as of the last refresh."""
        from hippocampus_cli.search.library import Library

        return Library(self.root, self.config, self._progress, self.opener)

    @cached_property
    def inquirer(self) -> Inquirer:
        """What asks questions of the index and the notes."""
        from hippocampus_cli.query.inquirer import Inquirer

        parts = self.store, self.library, self._beliefs_about
        return Inquirer(self.root, self.config, *parts)

    def decay_clock(self, index: Hierarchy, now: datetime | None) -> DecayClock:
        """What tells how strong the entries of ``index`` are at this moment."""
        from hippocampus_cli.index.decay import clock_for

        return clock_for(index, self.moment(now), self.config.decay)

    def follower(self) -> Follower:
        """What follows pointers."""
        from hippocampus_cli.entries.check import Follower

        return Follower(self.root, self.config.scan.max_file_bytes)

    def writer(self, now: datetime | None = None) -> IndexWriter:
        """What writes entries at this moment."""
        from hippocampus_cli.entries.index_writer import IndexWriter

        moment = self.moment(now)
        return IndexWriter(self.root, self.config, self.store, moment, self.opener)

    def _beliefs_about(self, words: str, now: datetime, write: bool) -> tuple[BeliefShown, ...]:
        from hippocampus_cli.mind.held import beliefs_about

        return beliefs_about(self.root, words, now, self.config.mind.rate, write=write)


def present() -> datetime:
    """The present moment in the local time zone."""
    return datetime.now().astimezone()
