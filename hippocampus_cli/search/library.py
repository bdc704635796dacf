"""The workspace's notes, searchable and up to date with the disk: scan, cache and reading in one place."""

from __future__ import annotations

import time
from collections.abc import Iterator
from operator import itemgetter, methodcaller
from pathlib import Path
from typing import TYPE_CHECKING

from hippocampus_cli.config import Config
from hippocampus_cli.search.sqlite_tables import SqliteEngine
from hippocampus_cli.search.store import PassageStore
from hippocampus_cli.workspace.file_table import FileStat
from hippocampus_cli.workspace.ignore import IgnoreDecisions
from hippocampus_cli.workspace.note import Note
from hippocampus_cli.workspace.own_files import FORGOTTEN, TEXT, cache_path
from hippocampus_cli.workspace.read import read_note
from hippocampus_cli.workspace.scan import Scan, look_again, scan

if TYPE_CHECKING:
    from hippocampus_cli.embedding.embedder import Opener
    from hippocampus_cli.redaction.redactor import Redactor
    from hippocampus_cli.search.meaning import Meaning
    from hippocampus_cli.search.tables import Engine, Progress
    from hippocampus_cli.workspace.change_notifications import ChangeNotifications

_DECISIONS = "ignore-decisions"


def engine_of(root: Path, config: Config) -> Engine:
    """The store of the workspace at ``root``: a file in it, or the database that the user's environment names."""
    path = cache_path(root, TEXT)
    if not config.store.url:
        return SqliteEngine(path)
    from hippocampus_cli.search.postgres.engine import PostgresEngine

    return PostgresEngine.of(root, config, path)


def forget_shared(root: Path, config: Config) -> None:
    """Remove all rows of the workspace from the database that the environment names, in one transaction. Raises
    :class:`StoreUnavailable`, :class:`ExtraMissing`."""
    if config.store.url:
        from hippocampus_cli.search.postgres.engine import PostgresEngine

        PostgresEngine.of(root, config, None).forget()


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
        self.max_bytes = config.scan.max_file_bytes
        self._redactor: Redactor | None = None
        self.progress = progress
        self.store = PassageStore(engine_of(root, config))
        self.found = Scan([], [])
        self.tokens = 0
        """What reading every note would cost (bytes / 4)."""
        self.meaning: Meaning | None = None
        if opener is not None and config.embedding.embedder != "none":
            from hippocampus_cli.search.meaning import Meaning

            self.meaning = Meaning(
                root, config.embedding, opener, self.source, shared=self.store.engine.vectors
            )
        self._still: ChangeNotifications | None = None
        self._forgot = 0  # bytes of what says what was forgotten

    def refresh(self) -> None:
        """Meet every note again; only what changed since the last time is read."""
        self._redactor = None
        # ``seen``: the notes that may have changed; empty for none, ``None`` where only a look at all can tell
        seen, still, stones = None, self._still, self.root / FORGOTTEN
        before, self._forgot = self._forgot, stones.exists() and stones.stat().st_size
        is_stored = self.store.settled and self.store.found is self.found.files
        if before == self._forgot and is_stored and still and still.folders == self.found.folders:
            seen = look_again(self.root, self.found, still.changed(time.monotonic()))
        if seen is None:
            self.look()
        if seen != []:
            self.store.refresh(self.found.files, self.source, self.progress, seen)
            self.tokens = sum(map(itemgetter(1), self.found.files)) // 4

    def __iter__(self) -> Iterator[FileStat]:
        """The files of the last look, which is repeated where it came to no end."""
        if not self.found.folders:
            self.look()
        return iter(self.found.files)

    def look(self) -> None:
        """See which notes there are. Where the last look found nothing new, the kernel is asked to tell of what comes
        after."""
        self._deaf()
        if self.store.settled:
            from hippocampus_cli.workspace.change_notifications import listen

            self._still = listen(self.root, self.found.folders, time.monotonic())
        known = self._known_decisions()
        self.found = Scan([], [])  # many take much memory: let go of them before the next look
        self.store.found = self
        self.found = scan(self.root, self.config.scan, known)
        if self.found.decisions != known:
            self._keep(self.found.decisions)

    def note(self, path: str) -> Note:
        """One note as it is now. Raises :class:`FileUnreadable`, :class:`OutsideWorkspace`."""
        return read_note(self.root, path, self.max_bytes)

    def source(self, path: str) -> Note:
        """One note as anything may be derived from it: without what must not be kept, as of the last refresh. Raises
        as :meth:`note`."""
        return self.without_secrets(self.note(path))

    def without_secrets(self, note: Note) -> Note:
        """A note, or part of one, without what must not be kept."""
        from hippocampus_cli.workspace.redaction import redacted, redactor_for

        self._redactor = self._redactor or redactor_for(self.root)
        return redacted(note, self._redactor)

    def close(self) -> None:
        self._deaf()
        if self.meaning is not None:
            self.meaning.close()
        self.store.close()

    def _deaf(self) -> None:
        if self._still is not None:
            self._still.close()
            self._still = None

    def _known_decisions(self) -> IgnoreDecisions:
        stored = self.store.attempt(methodcaller("get_meta", _DECISIONS))
        if not stored:
            return IgnoreDecisions()
        import json

        return IgnoreDecisions(*json.loads(stored))

    def _keep(self, decisions: IgnoreDecisions) -> None:
        import json

        stored = json.dumps([decisions.fingerprint, {**decisions.ignored}])
        self.store.attempt(methodcaller("set_meta", _DECISIONS, stored))
