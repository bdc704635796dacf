"""The watch itself: it waits for messages, syncs, runs cycles when due, and reports the events."""

from __future__ import annotations

import contextlib
import ctypes
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import NamedTuple

from hippocampus_cli.config import Config
from hippocampus_cli.errors import HippoError, WorkspaceGone
from hippocampus_cli.watch.events import NOTICE, Tally, View, WatchEvent, WatchStatus
from hippocampus_cli.watch.observe import FolderObserver
from hippocampus_cli.watch.pace import IDLE, Pace
from hippocampus_cli.watch.upkeep import IndexUpkeep
from hippocampus_cli.workspace.lock import locked
from hippocampus_cli.workspace.own_files import WATCHING
from hippocampus_cli.workspace.store import IndexStore

_Events = Sequence[WatchEvent]
CYCLE_SECONDS = 300.0
"""How often a watch asks which cycles are due."""
_LONGEST_WAIT = 1.0
"""Seconds: a signal that comes just before a wait begins is handled when it ends."""


class Clock(NamedTuple):
    """``now`` is the present with a time zone; ``seconds`` is monotonic."""

    now: Callable[[], datetime]
    seconds: Callable[[], float]


class WatchOptions(NamedTuple):
    """How to watch: ``poll`` in seconds, ``platform`` as in ``sys.platform``, ``pid`` of this process."""

    platform: str
    pid: int
    poll: float | None
    maintain: bool


class Watch:
    """A watch over one workspace, run on one thread. ``stop`` may be called on any, and by signal handlers."""

    def __init__(
        self,
        root: Path,
        config: Config,
        upkeep: IndexUpkeep,
        view: View,
        clock: Clock,
        options: WatchOptions,
    ) -> None:
        self.root = root
        self.upkeep = upkeep
        self.view = view
        self.clock = clock
        self.options = options
        self._config = config
        self._observer = FolderObserver(root, config.scan, self._touch)
        self._changes: SimpleQueue[float] = SimpleQueue()  # when, by the monotonic clock
        self._pace = Pace()
        self._cycles_at: float | None = None
        self._stopped: str | None = None
        self._tally = Tally()
        self._syncs = 0

    def stop(self, reason: str) -> None:
        """Ask it to end; a running sync is completed."""
        self._stopped = reason
        self._touch()

    def run(self) -> str:
        """Watch until it is stopped; returns the reason.

        Raises :class:`AlreadyWatched`, :class:`IndexNotFound`, :class:`IndexShrunk`, :class:`IndexRefused`,
        :class:`FileUnreadable`, :class:`FileUnwritable`, and :class:`WorkspaceGone` where that is gone.
        """
        store = IndexStore(self.root, self._config)
        index = store.read()
        store.require_whole(index)
        self.upkeep.entries = len(index.entries)
        del store, index  # large ones take much memory
        self._since = self.clock.now()
        with locked(self.root, 0, WATCHING), contextlib.closing(self._observer):
            self._begin()
            while self._stopped is None:
                self._turn()
            self.view.end(self.clock.now(), self._status(), self._stopped)
        return self._stopped

    def _begin(self) -> None:
        self._observer.open(self.options.platform, self.options.poll)
        self._pace = Pace(self._observer.backend.seconds or IDLE)
        events = self._synced()
        self.view.begin(self._status())
        self._show(events)
        if self.options.maintain:
            self._cycles_at = self.clock.seconds()

    def _turn(self) -> None:
        """Do what is due, or wait for what comes next."""
        now = self.clock.seconds()
        sync_at = self._pace.due_at
        if sync_at is not None and sync_at <= now:
            self._require_root()
            self._show(self._synced())
        elif self._cycles_at is not None and self._cycles_at <= now:
            self._require_root()
            self._run_cycles()
        else:
            waits = (sync_at, self._cycles_at, now + _LONGEST_WAIT)
            self._receive(min(at for at in waits if at is not None) - now)

    def _receive(self, timeout: float) -> None:
        """Wait for a change, and take every other one that is there."""
        with contextlib.suppress(Empty):
            self._pace = self._pace.touched(self._changes.get(timeout=max(0.0, timeout)))
            while True:
                self._pace = self._pace.touched(self._changes.get_nowait())

    def _synced(self) -> list[WatchEvent]:
        changed = self._pace.first is not None
        self._pace = self._pace.begun()
        notices = self._renewed_observer()
        events, refusals = self._attempt("sync", self.upkeep.sync)
        with contextlib.suppress(AttributeError, TypeError, OSError):  # of another C library
            libc = ctypes.CDLL(None)
            libc.mallopt(-3, 131_072)  # M_MMAP_THRESHOLD: what is larger goes back when it is freed
            libc.malloc_trim(0)  # or it keeps what the sync took
        self._syncs += changed or bool(events or refusals)
        now = self.clock.seconds()
        self._pace = self._pace.failed(now) if events is None else self._pace.done(now)
        return [*notices, *(events or ()), *refusals]

    def _renewed_observer(self) -> list[WatchEvent]:
        """Observe the present folders; the notice of it where the watch has to poll from now on."""
        before = self._observer.backend
        self._observer.renew()
        backend = self._observer.backend
        if backend == before:
            return []
        self._pace = self._pace._replace(every=backend.seconds)
        return [WatchEvent(NOTICE, "", None, backend.explanation)]

    def _run_cycles(self) -> None:
        self._cycles_at = self.clock.seconds() + CYCLE_SECONDS
        events, refusals = self._attempt("cycle", self.upkeep.run_due)
        self._show([*(events or ()), *refusals])

    def _attempt(
        self, what: str, work: Callable[[datetime], _Events]
    ) -> tuple[_Events | None, list[WatchEvent]]:
        """The events of ``work``, ``None`` and its own where it is refused: that does not end the watch."""
        try:
            events = work(self.clock.now())
        except HippoError as error:
            return None, self._tally.refusal(what, error)
        self._tally.success(what)
        return events, []

    def _require_root(self) -> None:
        try:
            self.root.stat()
        except (FileNotFoundError, NotADirectoryError):
            raise WorkspaceGone(path=str(self.root)) from None
        except OSError:  # a share that does not answer for a moment
            return

    def _show(self, events: Sequence[WatchEvent]) -> None:
        if events:
            self._tally.counts.update(event.kind for event in events)
            self.view.show(self.clock.now(), events, self._status())

    def _status(self) -> WatchStatus:
        return WatchStatus(
            root=self.root,
            pid=self.options.pid,
            since=self._since,
            backend=self._observer.backend,
            entries=self.upkeep.entries,
            syncs=self._syncs,
            counts=dict(self._tally.counts),
        )

    def _touch(self) -> None:
        self._changes.put(self.clock.seconds())
