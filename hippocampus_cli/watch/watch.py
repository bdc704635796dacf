"""The watch itself: it waits, syncs, runs cycles when due, and tells of what happened."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import NamedTuple

from hippocampus_cli.config import Config
from hippocampus_cli.errors import HippoError, WorkspaceGone
from hippocampus_cli.watch.backends import WatchPlan
from hippocampus_cli.watch.events import NOTICE, Happened, Status, Tally, View, WatchUpkeep
from hippocampus_cli.watch.mailbox import Mailbox, Redraw, Stop, Touched
from hippocampus_cli.watch.pace import Pace
from hippocampus_cli.watch.presence import sole_watch
from hippocampus_cli.workspace.store import IndexStore

CYCLE_SECONDS = 300.0
"""How often a watch asks which cycles are due."""
RENEW_SECONDS = 0.1
"""How often at most it looks which folders there are, while they come and go."""
_LONGEST_WAIT = 1.0 if os.name == "nt" else None  # Windows wakes no waiting thread for Ctrl-C


class Clock(NamedTuple):
    """``now`` is the present with a time zone; ``seconds`` never goes back."""

    now: Callable[[], datetime]
    seconds: Callable[[], float]


class Terms(NamedTuple):
    """How to watch: ``poll`` in seconds, ``platform`` as in ``sys.platform``, ``pid`` of this process."""

    platform: str
    pid: int
    poll: float | None = None
    maintain: bool = False


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
        terms: Terms,
    ) -> None:
        self.root = root
        self.upkeep = upkeep
        self.view = view
        self.clock = clock
        self.terms = terms
        self._store = IndexStore(root, config.lock.timeout_seconds, config.upkeep.loss_limit)
        self._outlook = WatchPlan(root, config.scan, self._touch)
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
        """Ask it to end; a running sync is finished."""
        self._mailbox.put(Stop(reason))

    def redraw(self) -> None:
        """Say that the screen has another size."""
        self._mailbox.put(Redraw())

    def run(self) -> str:
        """Watch until it is stopped; returns the reason.

        Raises :class:`AlreadyWatched`, :class:`IndexNotFound`, :class:`IndexShrunk`, :class:`IndexRefused`,
        :class:`FileUnreadable`, :class:`FileUnwritable`, and :class:`WorkspaceGone` when the workspace vanishes.
        """
        index = self._store.read()
        self._store.require_whole(index)
        self._entries = len(index.entries)
        self._since = self.clock.now()
        with (
            sole_watch(self.root, self.terms.pid, self._since),
            contextlib.closing(self._outlook),
        ):
            self._begin()
            while self._stopped is None:
                self._turn()
            self.view.end(self.clock.now(), self._status(), self._stopped)
        return self._stopped

    def _begin(self) -> None:
        self._outlook.open(self.terms.platform, self.terms.poll)
        self._way = self._outlook.way
        happened = self._synced()
        self._count()
        self.view.begin(self._status())
        self._tell(happened)
        if self._way.polls:
            self._look_at = self.clock.seconds() + self._way.seconds
        if self.terms.maintain:
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
        yield self._renew_at, partial(self._tell_of, "renew", self._renew)
        yield self._pace.due_at, self._sync
        yield self._cycles_at, self._run_cycles
        yield self._look_at, self._look

    def _receive(self, timeout: float | None) -> bool:
        """Take one message; whether there was one within ``timeout`` seconds."""
        match self._mailbox.take(timeout):
            case None:
                return False
            case Touched(at, ground):
                self._pace = self._pace.touched(at)
                if ground is not None:
                    self._stale.add(ground)
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
        self._tell(self._synced())

    def _synced(self) -> Sequence[Happened]:
        self._pace = self._pace.begun()
        self._syncs += 1
        done, happened = self._attempt("sync", self._in_step)
        at = self.clock.seconds()
        self._pace = self._pace.done(at) if done else self._pace.failed(at)
        return happened

    def _in_step(self) -> Sequence[Happened]:
        if self._stale:
            self._tell(self._renew())
        return self.upkeep.sync(self.clock.now())

    def _renew(self) -> Sequence[Happened]:
        """Observe the folders that there are now: at once, or what goes on in a new one is not seen."""
        self._renew_at = None
        self._renewed_at = self.clock.seconds()
        self._outlook.renew(self._stale)
        self._stale.clear()
        if self._outlook.way == self._way:
            return ()
        self._way = self._outlook.way
        self._look_at = self.clock.seconds() + self._way.seconds
        return [Happened(NOTICE, "", None, self._way.explanation)]

    def _look(self) -> None:
        self._tell_of("look", self._looked)
        self._look_at = self.clock.seconds() + self._way.seconds

    def _looked(self) -> Sequence[Happened]:
        if self._outlook.look():
            self._pace = self._pace.touched(self.clock.seconds())
        return ()

    def _run_cycles(self) -> None:
        self._cycles_at = self.clock.seconds() + CYCLE_SECONDS
        due: list[str] = []
        self._tell_of("due", partial(self._ask, due))
        for cycle in due:
            if self._stopping():
                return
            self._tell_of(cycle, partial(self._run, cycle))

    def _ask(self, due: list[str]) -> Sequence[Happened]:
        due.extend(self.upkeep.due(self.clock.now()))
        return ()

    def _run(self, cycle: str) -> Sequence[Happened]:
        return self.upkeep.run(cycle, self.clock.now())

    def _attempt(
        self, what: str, work: Callable[[], Sequence[Happened]]
    ) -> tuple[bool, Sequence[Happened]]:
        """Whether ``work`` was done, and what to tell of it. A refusal does not end the watch."""
        try:
            happened = work()
        except HippoError as error:
            return False, self._tally.refusal(what, error)
        self._tally.success(what)
        return True, happened

    def _tell_of(self, what: str, work: Callable[[], Sequence[Happened]]) -> None:
        self._tell(self._attempt(what, work)[1])

    def _require_root(self) -> None:
        try:
            self.root.stat()
        except (FileNotFoundError, NotADirectoryError):
            raise WorkspaceGone(path=str(self.root)) from None
        except OSError:  # a share that does not answer for a moment
            return

    def _tell(self, happened: Sequence[Happened]) -> None:
        if happened:
            self._tally.counts.update(one.kind for one in happened)
            self._count()
            self.view.tell(self.clock.now(), happened, self._status())

    def _count(self) -> None:
        with contextlib.suppress(HippoError):  # the last figure stays
            self._entries = len(self._store.read().entries)

    def _status(self) -> Status:
        return Status(
            root=self.root,
            pid=self.terms.pid,
            since=self._since,
            way=self._outlook.way,
            folders=len(self._outlook.found.folders),
            entries=self._entries,
            syncs=self._syncs,
            counts=dict(self._tally.counts),
        )

    def _touch(self, ground: str | None) -> None:
        self._mailbox.put(Touched(self.clock.seconds(), ground))
