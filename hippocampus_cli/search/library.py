"""The workspace's notes, searchable and up to date with the disk: scan, cache and reading in one place."""

from __future__ import annotations

import time
from collections.abc import Collection
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING

from hippocampus_cli.config import Config
from hippocampus_cli.search.source_reader import Progress, SourceReader
from hippocampus_cli.search.store import STORE_FILE, PassageStore, Refreshed
from hippocampus_cli.workspace.ignore import IgnoreDecisions
from hippocampus_cli.workspace.note import Note
from hippocampus_cli.workspace.own_files import CACHE, cache_path
from hippocampus_cli.workspace.read import read_note
from hippocampus_cli.workspace.scan import Reason, Scan, scan

if TYPE_CHECKING:
    from hippocampus_cli.embedding.embedder import Opener
    from hippocampus_cli.search.meaning import Meaning
    from hippocampus_cli.workspace.change_notifications import ChangeNotifications

_DECISIONS = "ignore-decisions"


class Library:
    """All notes of one workspace. Not for two threads at once. ``close`` when done."""

    def __init__(
        self,
        root: Path,
        config: Config,
        progress: Progress | None = None,
        opener: Opener | None = None,
    ) -> None:
        """``progress`` is told how many of how many new notes are read; ``opener`` opens the embedder of the
        settings, without it words alone are compared."""
        self.root = root
        self.config = config
        self.progress = progress
        self.store = PassageStore(cache_path(root, f"{CACHE}/{STORE_FILE}"))
        self.found = Scan([], [])
        self._sources = SourceReader(root, config.scan.max_file_bytes)
        self.meaning: Meaning | None = None
        if opener is not None and config.embedding.embedder != "none":
            from hippocampus_cli.search.meaning import Meaning

            self.meaning = Meaning(root, config.embedding, opener, self._sources.source)
        self._still: ChangeNotifications | None = None
        self._weighed, self._bytes = self.found, 0
        self._passed, self._passed_over = self.found, list[str]()

    def refresh(self) -> Refreshed:
        """Meet every note again; only what changed since the last time is read."""
        self._sources.renew()
        touched = self._still.touched() if self._still else None
        if touched is not None and not touched and self.store.settled:
            return Refreshed((), (), ())
        try:
            if touched is not None and not self._looked_again(touched):
                touched = None
            if touched is None:
                self._look()
            return self.store.refresh(self.found.files, self._sources, self.progress, touched)
        except BaseException:
            self._deaf()  # what the kernel told is told once
            raise

    def _looked_again(self, touched: Collection[str]) -> bool:
        """Whether looking at these files again was enough."""
        from hippocampus_cli.workspace.scan import rescan

        found = rescan(self.root, self.config.scan, self.found, touched)
        self.found = found or self.found
        return found is not None

    def _look(self) -> None:
        self._listen()
        known = self._known_decisions()
        self.found = scan(self.root, self.config.scan, known)
        self._keep_decisions(known, self.found.decisions)
        if self._still and (self.found.linked or self._still.folders != self.found.folders):
            self._deaf()

    def note(self, path: str) -> Note:
        """One note as it is now. Raises :class:`FileUnreadable`, :class:`OutsideWorkspace`."""
        return read_note(self.root, path, self.config.scan.max_file_bytes)

    def source(self, path: str) -> Note:
        """One note as anything may be derived from it: without what must not be kept. Raises as :meth:`note`."""
        return self._sources.source(path)

    @property
    def tokens(self) -> int:
        """What reading every note would cost (bytes / 4)."""
        if self._weighed is not self.found:
            self._weighed, self._bytes = self.found, sum(map(itemgetter(1), self.found.files))
        return self._bytes // 4

    def unread(self) -> list[str]:
        """The notes that no search can find as they could not be read; a folder's path ends in ``/``.

        What is too large was left out by a setting: the status tells of that.
        """
        if self._passed is not self.found:
            self._passed = self.found
            self._passed_over = [
                path for path, why in self.found.skipped if why is Reason.UNREADABLE
            ]
        return sorted({*self._passed_over, *self.store.unread()})

    def close(self) -> None:
        self._deaf()
        if self.meaning is not None:
            self.meaning.close()
        self.store.close()

    def _listen(self) -> None:
        """Where the last look found nothing new, another one may be worth saving."""
        self._deaf()
        if self.store.settled:
            from hippocampus_cli.workspace.change_notifications import listen

            self._still = listen(self.root, self.found, time.monotonic)

    def _deaf(self) -> None:
        if self._still is not None:
            self._still.close()
            self._still = None

    def _known_decisions(self) -> IgnoreDecisions | None:
        stored = self.store.get_meta(_DECISIONS)
        if not stored:
            return None
        import json

        fingerprint, ignored = json.loads(stored)
        return IgnoreDecisions(fingerprint, ignored)

    def _keep_decisions(self, known: IgnoreDecisions | None, now: IgnoreDecisions) -> None:
        if now == (known or IgnoreDecisions()):
            return
        import json

        self.store.set_meta(_DECISIONS, json.dumps([now.fingerprint, now.ignored]))
