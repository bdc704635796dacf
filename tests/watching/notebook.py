"""An upkeep for tests: it finds what changed, writes as hippo writes, and says what it was asked."""

from __future__ import annotations

import queue
import time
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from hippocampus_cli.config import Config
from hippocampus_cli.errors import HippoError
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.watching.upkeep import CHANGED, CYCLE, GONE, Happened
from hippocampus_cli.workspace.own_files import CACHE, ensure_folder
from hippocampus_cli.workspace.scan import scan
from hippocampus_cli.workspace.store import IndexStore

INDEX = "# HIPPOCAMPUS.md\n\n## Siren\n→ siren.md\n<!-- hx: id=siren | hits=0 | str=0.50 -->\n"
SECONDS = 20.0
"""How long a test waits for what it expects before it fails."""


class Notebook:
    """Every sync puts what it found into ``found``, nothing included; ``refuse`` is raised instead, once each.

    ``began`` holds when each sync began.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.found: queue.Queue[list[Happened]] = queue.Queue()
        self.refuse: list[HippoError] = []
        self.cycles: list[str] = []
        self.began: list[float] = []
        self._known: dict[str, tuple[int, int]] | None = None

    def sync(self, now: datetime) -> Sequence[Happened]:
        self.began.append(time.monotonic())
        if self.refuse:
            self.found.put([])
            raise self.refuse.pop(0)
        files = {one.path: (one.size, one.mtime_ns) for one in scan(self.root, Config().scan).files}
        known = files if self._known is None else self._known
        happened = [Happened(CHANGED, p, None, "") for p in files if files[p] != known.get(p)]
        happened += [Happened(GONE, path, None, "") for path in known if path not in files]
        self._known = files
        self._write()
        self.found.put(happened)
        return happened

    def due(self, now: datetime) -> Sequence[str]:
        if self.refuse:
            raise self.refuse.pop(0)
        return tuple(self.cycles)

    def run(self, cycle: str, now: datetime) -> Sequence[Happened]:
        self.cycles.remove(cycle)
        return [Happened(CYCLE, "", None, cycle)]

    def _write(self) -> None:
        """What upkeep leaves behind: the index, its lock, a temporary file, a cache."""
        IndexStore(self.root).change(_hit)
        ensure_folder(self.root, f"{CACHE}/text.sqlite").write_text("cache")


def _hit(index: Hierarchy) -> Hierarchy:
    hits = index.by_key["siren"].entry.hits
    return index.set_values({"siren": {"hits": str(hits + 1)}})
