"""The twin held open from one call to the next, and another one in its place where it turns out to be of no use."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from hippocampus_cli.anchors import opening
from hippocampus_cli.anchors.twin import Twin
from hippocampus_cli.errors import FileUnwritable, HippoError
from hippocampus_cli.workspace import database
from hippocampus_cli.workspace.own_files import ANCHORS_LOCK

_T = TypeVar("_T")


class HeldTwin:
    """The twin of the anchors at ``root``, opened when it is first needed."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._twin: Twin | None = None

    def close(self) -> None:
        """Let go of it."""
        if self._twin is not None:
            self._twin.close()
            self._twin = None

    def healed(self, work: Callable[[Twin], _T]) -> _T:
        """``work`` done on the twin; done again on another one where this one is of no use.

        In the place of a damaged file there is a new one; where it is locked or cannot be written, one in memory.
        """
        try:
            return work(self._opened())
        except (sqlite3.ProgrammingError, HippoError, OSError, MemoryError):
            raise
        except Exception as error:  # rows that make no sense fail in as many ways as there are
            self._replace(error)
            failed = error
        try:
            return work(self._opened())
        except FileUnwritable as error:
            if error.path != ANCHORS_LOCK:
                raise
            # The disk that was too full for the twin is too full for the lock: the twin is what needs the room.
            raise FileUnwritable(path=opening.TWIN_FILE, reason=str(failed)) from error

    def _opened(self) -> Twin:
        if self._twin is None:
            self._twin = opening.connect(self._root)
        return self._twin

    def _replace(self, error: Exception) -> None:
        damaged = database.is_damage(error, self._root / opening.TWIN_FILE)
        self.close()
        if not damaged:
            self._twin = opening.in_memory()
        else:
            opening.discard(self._root)
