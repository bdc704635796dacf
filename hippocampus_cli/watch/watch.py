"""The watch itself: it waits for messages, syncs, runs cycles when due, and reports the events."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import NamedTuple

from hippocampus_cli.config import Config
from hippocampus_cli.errors import HippoError, WorkspaceGone
from hippocampus_cli.watch.backends import WatchPlan
from hippocampus_cli.watch.events import NOTICE, Status, Tally, View, WatchEvent, WatchUpkeep
from hippocampus_cli.watch.pace import Pace
from hippocampus_cli.watch.presence import sole_watch
from hippocampus_cli.workspace.store import IndexStore

CYCLE_SECONDS = 300.0
"""How often a watch asks which cycles are due."""
RENEW_SECONDS = 0.1
"""How often at most it scans for folders, while they are added and removed."""
_LONGEST_WAIT = 1.0 if os.name == "nt" else None  # Windows wakes no waiting thread for Ctrl-C


class Clock(NamedTuple):
    """``now`` is the present with a time zone; ``seconds`` is monotonic."""

    now: Callable[[], datetime]
    seconds: Callable[[], float]


class WatchOptions(NamedTuple):
    """How to watch: ``poll`` in seconds, ``platform`` as in ``sys.platform``, ``pid`` of this process."""

    platform: str
    pid: int
    poll: float | None = None
    maintain: bool = False


_PULSE = 1.0  # seconds: a signal that comes just before a wait begins is handled when it ends


class Touched(NamedTuple):
    """A change at ``at`` seconds: of a note, or of the folders, at the path ``folder``."""

    at: float
    folder: str | None


class Stop(NamedTuple):
    """The watch is to end."""

    reason: str


class Redraw(NamedTuple):
    """The screen has another size."""


Message = Touched | Stop | Redraw


class Mailbox:
    """Messages of other threads and signal handlers; ``put`` may be called at any time, during a ``take`` too."""

    def __init__(self) -> None:
        self._messages: SimpleQueue[Message] = SimpleQueue()

    def put(self, message: Message) -> None:
        """Leave a message."""
        self._messages.put(message)

    def take(self, timeout: float | None) -> Message | None:
        """The next message; ``None`` where none came within ``timeout`` seconds (``None``: no limit)."""
        left = timeout
        while True:
            pause = _PULSE if left is None else min(left, _PULSE)
            try:
                return self._messages.get(timeout=max(pause, 0.0))
            except Empty:
                if left is not None and (left := left - pause) <= 0:
                    return None


class Watch:
    """A watch over one workspace, run on one thread.

    ``stop`` and ``redraw`` may be called on any, and by signal handlers.
    """

    def __init__(
        self,
        root: Path,
        config: Config,
        upkeep: WatchUpkeep,
        view: View,
        clock: Clock,
        options: WatchOptions,
    ) -> None:
        self.root = root
        self.upkeep = upkeep
        self.view = view
        self.clock = clock
        self.options = options
        self._store = IndexStore(root, config.lock.timeout_seconds, config.upkeep.loss_limit)
        self._plan = WatchPlan(root, config.scan, self._touch)
        self._mailbox = Mailbox()
        self._pace = Pace()
        self._stale: set[str] = set()
        self._cycles_at: float | None = None
        self._look_at: float | None = None
        self._renew_at: float | None = None
        self._renewed_at = float("-inf")
        self._stopped: str | None = None
        self._tally = Tally()
        self._syncs = 0

    def stop(self, reason: str) -> None:
        """Ask it to end; a running sync is completed."""
        self._mailbox.put(Stop(reason))

    def redraw(self) -> None:
        """Say that the screen has another size."""
        self._mailbox.put(Redraw())

    def run(self) -> str:
        """Watch until it is stopped; returns the reason.

        Raises :class:`AlreadyWatched`, :class:`IndexNotFound`, :class:`IndexShrunk`, :class:`IndexRefused`,
        :class:`FileUnreadable`, :class:`FileUnwritable`, and :class:`WorkspaceGone` where that is gone.
        """
        index = self._store.read()
        self._store.require_whole(index)
        self._entries = len(index.entries)
        self._since = self.clock.now()
        with (
            sole_watch(self.root, self.options.pid, self._since),
            contextlib.closing(self._plan),
        ):
            self._begin()
            while self._stopped is None:
                self._turn()
            self.view.end(self.clock.now(), self._status(), self._stopped)
        return self._stopped

    def _begin(self) -> None:
        self._plan.open(self.options.platform, self.options.poll)
        self._backend = self._plan.backend
        events = self._synced()
        self._count()
        self.view.begin(self._status())
        self._show(events)
        if self._backend.polls:
            self._look_at = self.clock.seconds() + self._backend.seconds
        if self.options.maintain:
            self._cycles_at = self.clock.seconds()

    def _turn(self) -> None:
        """Do the first thing that is due, or wait for what comes next."""
        if self._stopping():
            return
        at = self.clock.seconds()
        jobs = [(due, work) for due, work in self._jobs() if due is not None]
        for due, work in jobs:
            if due <= at:
                self._require_root()
                work()
                return
        waits = [due - at for due, _ in jobs]
        if _LONGEST_WAIT is not None:
            waits.append(_LONGEST_WAIT)
        self._receive(min(waits, default=None))

    def _jobs(self) -> Iterator[tuple[float | None, Callable[[], object]]]:
        """What is to be done, and when."""
        yield self._renew_at, partial(self._report, "renew", self._renew)
        yield self._pace.due_at, self._sync
        yield self._cycles_at, self._run_cycles
        yield self._look_at, self._look

    def _receive(self, timeout: float | None) -> bool:
        """Take one message; whether there was one within ``timeout`` seconds."""
        match self._mailbox.take(timeout):
            case None:
                return False
            case Touched(at, folder):
                self._pace = self._pace.touched(at)
                if folder is not None:
                    self._stale.add(folder)
                    self._renew_at = self._renewed_at + RENEW_SECONDS
            case Stop(reason):
                self._stopped = reason
            case Redraw():
                self.view.redraw()
        return True

    def _stopping(self) -> bool:
        """Whether to end, with every message taken that is there."""
        while self._receive(0):
            pass
        return self._stopped is not None

    def _sync(self) -> None:
        self._show(self._synced())

    def _synced(self) -> Sequence[WatchEvent]:
        self._pace = self._pace.begun()
        self._syncs += 1
        done, events = self._attempt("sync", self._update)
        at = self.clock.seconds()
        self._pace = self._pace.done(at) if done else self._pace.failed(at)
        return events

    def _update(self) -> Sequence[WatchEvent]:
        if self._stale:
            self._show(self._renew())
        return self.upkeep.sync(self.clock.now())

    def _renew(self) -> Sequence[WatchEvent]:
        """Observe the present folders: at once, or changes in a new one are not seen."""
        self._renew_at = None
        self._renewed_at = self.clock.seconds()
        self._plan.renew(self._stale)
        self._stale.clear()
        if self._plan.backend == self._backend:
            return ()
        self._backend = self._plan.backend
        self._look_at = self.clock.seconds() + self._backend.seconds
        return [WatchEvent(NOTICE, "", None, self._backend.explanation)]

    def _look(self) -> None:
        self._report("look", self._looked)
        self._look_at = self.clock.seconds() + self._backend.seconds

    def _looked(self) -> Sequence[WatchEvent]:
        if self._plan.scan():
            self._pace = self._pace.touched(self.clock.seconds())
        return ()

    def _run_cycles(self) -> None:
        self._cycles_at = self.clock.seconds() + CYCLE_SECONDS
        due: list[str] = []
        self._report("due", partial(self._ask, due))
        for cycle in due:
            if self._stopping():
                return
            self._report(cycle, partial(self._run, cycle))

    def _ask(self, due: list[str]) -> Sequence[WatchEvent]:
        due.extend(self.upkeep.due(self.clock.now()))
        return ()

    def _run(self, cycle: str) -> Sequence[WatchEvent]:
        return self.upkeep.run(cycle, self.clock.now())

    def _attempt(
        self, what: str, work: Callable[[], Sequence[WatchEvent]]
    ) -> tuple[bool, Sequence[WatchEvent]]:
        """Whether ``work`` was done, and its events. A refusal does not end the watch."""
        try:
            events = work()
        except HippoError as error:
            return False, self._tally.refusal(what, error)
        self._tally.success(what)
        return True, events

    def _report(self, what: str, work: Callable[[], Sequence[WatchEvent]]) -> None:
        self._show(self._attempt(what, work)[1])

    def _require_root(self) -> None:
        try:
            self.root.stat()
        except (FileNotFoundError, NotADirectoryError):
            raise WorkspaceGone(path=str(self.root)) from None
        except OSError:  # a share that does not answer for a moment
            return

    def _show(self, events: Sequence[WatchEvent]) -> None:
        if events:
            self._tally.counts.update(one.kind for one in events)
            self._count()
            self.view.show(self.clock.now(), events, self._status())

    def _count(self) -> None:
        with contextlib.suppress(HippoError):  # the last figure stays
            self._entries = len(self._store.read().entries)

    def _status(self) -> Status:
        return Status(
            root=self.root,
            pid=self.options.pid,
            since=self._since,
            backend=self._plan.backend,
            folders=len(self._plan.found.folders),
            entries=self._entries,
            syncs=self._syncs,
            counts=dict(self._tally.counts),
        )

    def _touch(self, ground: str | None) -> None:
        self._mailbox.put(Touched(self.clock.seconds(), ground))
