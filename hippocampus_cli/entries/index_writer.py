"""Changes written into an index on disk: read, decided by pure code, and written under the lock."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from hippocampus_cli.config import Config
from hippocampus_cli.errors import IndexRefused
from hippocampus_cli.fast_types import Frozen
from hippocampus_cli.index.decay import DecayClock, clock_for
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.workspace.own_files import INDEX
from hippocampus_cli.workspace.store import IndexStore

if TYPE_CHECKING:
    from hippocampus_cli.embedding.embedder import Opener

_Report = TypeVar("_Report")


class IndexWriter(Frozen):
    """Changes the index of one workspace. ``now`` is when the work is done; ``opener`` opens the embedder of the
    settings, for what follows the notes."""

    root: Path
    config: Config
    store: IndexStore
    now: datetime
    opener: Opener | None = None

    def change(
        self, change: Callable[[Hierarchy], tuple[Hierarchy, _Report]]
    ) -> tuple[Hierarchy, _Report]:
        """Apply ``change`` under the lock; the index as written and the last run's report.

        It runs on what was read first: what fails, or changes nothing, leaves no trace on disk.
        """
        before = self.store.read_whole()
        try:
            after, report = change(before)
            if after == before:
                return after, report
            return self.store.change(change, at=self.now)
        except IndexRefused as refused:
            refused.path = refused.path or INDEX
            raise

    def clock(self, index: Hierarchy) -> DecayClock:
        """What tells how strong the entries of ``index`` are at this moment."""
        return clock_for(index, self.now, self.config.decay)
