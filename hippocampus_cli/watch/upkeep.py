"""The upkeep of one workspace's index, as a watch runs it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import closing
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from hippocampus_cli.config import Config
from hippocampus_cli.entries.index_writer import IndexWriter
from hippocampus_cli.entries.remember import write_waiting
from hippocampus_cli.index.entry import parse_block
from hippocampus_cli.maintenance.cycles import SYNC
from hippocampus_cli.maintenance.upkeep import Upkeep
from hippocampus_cli.search.embed import keep_vectors
from hippocampus_cli.search.library import Library
from hippocampus_cli.watch.events import NOTICE, WatchEvent, of_cycle, of_sync
from hippocampus_cli.workspace.fingerprints import KeptFingerprints
from hippocampus_cli.workspace.scan import Scan
from hippocampus_cli.workspace.store import IndexStore

if TYPE_CHECKING:
    from hippocampus_cli.embedding.embedder import Opener

_AT_ONCE = 15_000
"""Notes that are read at once where none is known yet: more than those that tell upkeep what many notes
say alike, or a part of the notes would be judged otherwise than all of them."""


class IndexUpkeep:
    """Syncs and cycles by maintenance; the cache of texts is updated too. ``close`` when done."""

    def __init__(self, root: Path, config: Config, opener: Opener | None = None) -> None:
        """``opener`` opens the embedder of the settings."""
        self._root = root
        self._config = config
        self._opener = opener
        self.entries = 0
        self._seen: int | None = None  # a hash, as of the last sync that was not refused

    def sync(self, now: datetime) -> Sequence[WatchEvent]:
        """Update the index; the notes that the first sync finds cause no events. Where the cache that knew them is
        gone, how their files looked tells which of them changed."""
        with closing(KeptFingerprints(self._root)) as known:
            before = None if known else {*self._library.found.files}
        found = self._notes()
        if hash(tuple(found.files)) == self._seen:
            return ()
        events = self._remembered(now)
        if events:
            found = self._notes()
        files = found.files
        parts = () if before is None else range(_AT_ONCE, len(files), _AT_ONCE)
        for count in (*parts, len(files)):
            found = found._replace(files=files[:count])
            outcome = Upkeep(self._root, self._config, now, found=found).run(SYNC)
            self.entries = len(outcome.plan.after.entries)
            if self._seen is None or before is not None:
                fresh = {file.path: False for file in files if before and file not in before}
                outcome, before = outcome.replaced(fresh=fresh, gone=frozenset()), set()
            events += of_sync(outcome)
            parse_block.cache_clear()  # the entries of a large index take much memory
            del outcome
        self._seen = hash(tuple(found.files))  # the files of many notes take much memory
        return [*events, *_notices(keep_vectors(self._library))]

    def run_due(self, now: datetime) -> Sequence[WatchEvent]:
        """Run the largest cycle that is due: it includes the others."""
        upkeep = Upkeep(self._root, self._config, now)
        if not (due := upkeep.due()):
            return ()
        events = self._remembered(now)
        plan = upkeep.run(due[-1]).plan
        self.entries = len(plan.after.entries)
        return [*events, of_cycle(plan)]

    def close(self) -> None:
        """Close the cache."""
        if "_library" in vars(self):
            self._library.close()

    def _remembered(self, now: datetime) -> list[WatchEvent]:
        """What was remembered and a program saved an older copy of the log over is written again."""
        store = IndexStore(self._root, self._config)
        return _notices(write_waiting(IndexWriter(self._root, self._config, store, now)))

    @cached_property
    def _library(self) -> Library:
        return Library(self._root, self._config, opener=self._opener)

    def _notes(self) -> Scan:
        self._library.refresh()
        return self._library.found


def _notices(texts: Iterable[str]) -> list[WatchEvent]:
    return [WatchEvent(NOTICE, "", None, text) for text in texts]
