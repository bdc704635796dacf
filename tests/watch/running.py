"""A watch in a thread of the test."""

from __future__ import annotations

import queue
import sys
import threading
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from hippocampus_cli.config import Config
from hippocampus_cli.errors import HippoError
from hippocampus_cli.watch.events import WatchEvent, WatchStatus
from hippocampus_cli.watch.watch import Clock, Watch, WatchOptions
from tests.watch.notebook import SECONDS, Notebook

NOW = datetime(2026, 8, 1, 9, 14, tzinfo=UTC)


class Told:
    """A view that remembers."""

    def __init__(self) -> None:
        self.begun = threading.Event()
        self.things: queue.Queue[WatchEvent] = queue.Queue()
        self.status: WatchStatus | None = None
        self.reason: str | None = None

    def begin(self, status: WatchStatus) -> None:
        self.status = status
        self.begun.set()

    def show(self, at: datetime, happened: Sequence[WatchEvent], status: WatchStatus) -> None:
        self.status = status
        for one in happened:
            self.things.put(one)

    def end(self, at: datetime, status: WatchStatus, reason: str) -> None:
        self.status, self.reason = status, reason


class Running:
    """A watch that runs until it is stopped."""

    def __init__(self, root: Path, poll: float | None = None, maintain: bool = False) -> None:
        self.root = root
        self.notebook = Notebook(root)
        self.told = Told()
        terms = WatchOptions(sys.platform, 4711, poll, maintain)
        clock = Clock(lambda: NOW, time.monotonic)
        self.watch = Watch(root, Config(), self.notebook, self.told, clock, terms)
        self.error: HippoError | None = None
        self._thread = threading.Thread(target=self._run)

    def start(self) -> Running:
        self._thread.start()
        assert self.told.begun.wait(SECONDS)
        self.synced()
        return self

    def write(self, path: str, text: str = "x") -> None:
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text)

    def synced(self) -> list[WatchEvent]:
        """What the next sync found."""
        return self.notebook.found.get(timeout=SECONDS)

    def next(self) -> WatchEvent:
        return self.told.things.get(timeout=SECONDS)

    def until(self, wanted: Callable[[WatchEvent], bool]) -> list[WatchEvent]:
        """What was told up to what is ``wanted``, which is the last."""
        told = [self.next()]
        while not wanted(told[-1]):
            told.append(self.next())
        return told

    def end(self) -> Told:
        self.watch.stop("a test")
        self.ended()
        return self.told

    def ended(self) -> None:
        """Wait for its end."""
        self._thread.join(SECONDS)
        assert not self._thread.is_alive()

    def _run(self) -> None:
        try:
            self.watch.run()
        except HippoError as error:
            self.error = error
