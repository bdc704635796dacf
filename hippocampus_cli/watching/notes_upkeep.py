"""Upkeep that gives new notes their entries and keeps the text cache in step; it has no cycles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path

from hippocampus_cli.config import Config
from hippocampus_cli.errors import IndexNotFound
from hippocampus_cli.maintenance.run_bootstrap import bootstrap
from hippocampus_cli.search.cache import Refreshed
from hippocampus_cli.search.library import Library
from hippocampus_cli.watching.upkeep import ADDED, CHANGED, GONE, Happened
from hippocampus_cli.workspace.own_files import INDEX
from hippocampus_cli.workspace.store import IndexStore


class NotesUpkeep:
    """An :class:`Upkeep` of one workspace. ``close`` when done."""

    def __init__(self, root: Path, config: Config) -> None:
        self._root = root
        self._config = config
        self._store = IndexStore(root, config.lock.timeout_seconds)
        self._library: Library | None = None

    def sync(self, now: datetime) -> Sequence[Happened]:
        """Entries for what is new. What the first sync finds in the cache of texts is no news of today."""
        if not self._store.exists():
            raise IndexNotFound(path=INDEX)
        first = self._library is None
        if self._library is None:
            self._library = Library(self._root, self._config)
        refreshed = self._library.refresh()
        if not first and not any(refreshed):
            return ()
        report = bootstrap(self._root, self._config, now)
        added = [
            Happened(ADDED, one.path, one.draft.id, one.draft.topic)
            for one in report.plan.additions
        ]
        return added if first else [*added, *_notes(refreshed, {one.path for one in added})]

    def due(self, now: datetime) -> Sequence[str]:
        """None."""
        return ()

    def run(self, cycle: str, now: datetime) -> Sequence[Happened]:
        """Nothing."""
        return ()

    def close(self) -> None:
        """Let go of the cache."""
        if self._library is not None:
            self._library.close()


def _notes(refreshed: Refreshed, told: set[str]) -> Iterator[Happened]:
    """The notes that no new entry tells of."""
    for path in refreshed.added:
        if path not in told:
            yield Happened(CHANGED, path, None, "new, without an entry of its own")
    for path in refreshed.changed:
        if path not in told:
            yield Happened(CHANGED, path, None, "")
    for path in refreshed.removed:
        yield Happened(GONE, path, None, "")
