"""An upkeep for tests: it finds what changed, writes as hippo writes, and says what it was asked."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from hippocampus_cli.config import Config
from hippocampus_cli.errors import HippoError
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.watch.events import CHANGED, CYCLE, GONE, WatchEvent
from hippocampus_cli.workspace.file_table import FileStat
from hippocampus_cli.workspace.own_files import CACHE, ensure_folder
from hippocampus_cli.workspace.scan import scan
from hippocampus_cli.workspace.store import IndexStore

INDEX = "# HIPPOCAMPUS.md\n\n## Siren\n→ siren.md\n<!-- hx: id=siren | hits=0 | str=0.50 -->\n"
SECONDS = 20.0
"""How long a test waits for what it expects before it fails."""


class Notebook:
    """Every sync puts what it found into ``found``, nothing included; ``refuse`` is raised instead, once each.

    ``began`` holds when each sync began, ``known`` the notes that the last one saw. With ``hold`` a sync
    sets ``held`` and takes until that is set.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.found: queue.Queue[list[WatchEvent]] = queue.Queue()
        self.refuse: list[HippoError] = []
        self.cycles: list[str] = []
        self.hold: threading.Event | None = None
        self.held = threading.Event()
        self.began: list[float] = []
        self.known: list[FileStat] | None = None

    def sync(self, now: datetime) -> Sequence[WatchEvent]:
        self.began.append(time.monotonic())
        if self.hold is not None:
            self.held.set()
            self.hold.wait(SECONDS)
        if self.refuse:
            self.found.put([])
            raise self.refuse.pop(0)
        found = scan(self.root, Config().scan).files
        known = found if self.known is None else self.known
        left = {one.path for one in known} - {one.path for one in found}
        happened = [WatchEvent(CHANGED, one.path, None, "") for one in found if one not in known]
        happened += [WatchEvent(GONE, path, None, "") for path in sorted(left)]
        self.known = found
        self._write()
        self.found.put(happened)
        return happened

    def run_due(self, now: datetime) -> Sequence[WatchEvent]:
        if self.refuse:
            raise self.refuse.pop(0)
        return [WatchEvent(CYCLE, "", None, self.cycles.pop(0))] if self.cycles else ()

    def _write(self) -> None:
        """What upkeep leaves behind: the index, its lock, a temporary file, a cache."""
        IndexStore(self.root).change(_hit)
        ensure_folder(self.root, f"{CACHE}/text.sqlite").write_text("cache")


def _hit(index: Hierarchy) -> tuple[Hierarchy, None]:
    hits = index.by_key["siren"].entry.hits
    return index.set_values({"siren": {"hits": str(hits + 1)}}), None
