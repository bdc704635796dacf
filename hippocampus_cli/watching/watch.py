"""The watch itself: it waits, syncs, runs cycles when due, and tells of what happened."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import NamedTuple

from hippocampus_cli.config import Config
from hippocampus_cli.errors import HippoError, WorkspaceGone
from hippocampus_cli.watching.outlook import Outlook
from hippocampus_cli.watching.pace import Pace
from hippocampus_cli.watching.presence import sole_watch
from hippocampus_cli.watching.telling import Status, Tally, View
from hippocampus_cli.watching.upkeep import NOTICE, Happened, Upkeep
from hippocampus_cli.workspace.store import IndexStore

CYCLE_SECONDS = 300.0
"""How often a watch asks which cycles are due."""
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


class _Touched(NamedTuple):
    at: float
    ground: str | None


class _Stop(NamedTuple):
    reason: str


class _Redraw(NamedTuple):
    pass


class Watch:
    """A watch over one workspace, run on one thread.

    ``stop`` and ``redraw`` may be called on any, and by signal handlers: a simple queue takes messages in
    the middle of being read.
    """

    def __init__(
        self, root: Path, config: Config, upkeep: Upkeep, view: View, clock: Clock, terms: Terms
    ) -> None:
        self.root = root
        self.upkeep = upkeep
        self.view = view
        self.clock = clock
        self.terms = terms
        self._store = IndexStore(root, config.lock.timeout_seconds)
        self._outlook = Outlook(root, config.scan, self._touch)
        self._mailbox: SimpleQueue[_Touched | _Stop | _Redraw] = SimpleQueue()
        self._pace = Pace()
        self._stale: set[str] = set()
        self._cycles_at: float | None = None
        self._look_at: float | None = None
        self._stopped: str | None = None
        self._tally = Tally()
        self._syncs = 0

    def stop(self, reason: str) -> None:
        """Ask it to end; a running sync is finished."""
        self._mailbox.put(_Stop(reason))

    def redraw(self) -> None:
        """Say that the screen has another size."""
        self._mailbox.put(_Redraw())

    def run(self) -> str:
        """Watch until it is stopped; returns the reason.

        Raises :class:`AlreadyWatched`, :class:`IndexNotFound`, :class:`FileUnreadable`,
        :class:`FileUnwritable`, and :class:`WorkspaceGone` when the workspace vanishes.
        """
        self._entries = len(self._store.read().entries)
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
        self.view.begin(self._status())
        self._sync()
        if self._way.polls:
            self._look_at = self.clock.seconds() + self._way.seconds
        if self.terms.maintain:
            self._cycles_at = self.clock.seconds()

    def _turn(self) -> None:
        """Do what is due, or wait for what comes next."""
        at = self.clock.seconds()
        if self._pace.is_due(at):
            self._sync()
        elif self._cycles_at is not None and at >= self._cycles_at:
            self._run_cycles()
        elif self._look_at is not None and at >= self._look_at:
            self._look()
        else:
            self._receive(self._wait(at))

    def _wait(self, at: float) -> float | None:
        """Seconds until something is due; None: until a message comes."""
        times = (self._pace.due_at, self._cycles_at, self._look_at)
        waits = [max(0.0, time - at) for time in times if time is not None]
        if _LONGEST_WAIT is not None:
            waits.append(_LONGEST_WAIT)
        return min(waits, default=None)

    def _receive(self, timeout: float | None) -> bool:
        """Take one message; whether there was one within ``timeout`` seconds."""
        try:
            message = self._mailbox.get(timeout=timeout)
        except Empty:
            return False
        match message:
            case _Touched(at, ground):
                self._pace = self._pace.touched(at)
                if ground is not None:
                    self._stale.add(ground)
            case _Stop(reason):
                self._stopped = reason
            case _Redraw():
                self.view.redraw()
        return True

    def _stopping(self) -> bool:
        """Whether to end, with every message taken that is there."""
        while self._receive(0):
            pass
        return self._stopped is not None

    def _sync(self) -> None:
        if self._stopping():
            return
        self._require_root()
        self._pace = self._pace.begun()
        self._syncs += 1
        if self._carry_out("sync", self._in_step):
            self._pace = self._pace.done(self.clock.seconds())
        else:
            self._pace = self._pace.failed(self.clock.seconds())

    def _in_step(self) -> Sequence[Happened]:
        if self._stale:
            self._outlook.renew(self._stale)
            self._stale.clear()
        if self._outlook.way != self._way:
            self._way = self._outlook.way
            self._look_at = self.clock.seconds() + self._way.seconds
            self._tell([Happened(NOTICE, "", None, self._way.explanation)])
        return self.upkeep.sync(self.clock.now())

    def _look(self) -> None:
        self._require_root()
        self._carry_out("look", self._looked)
        self._look_at = self.clock.seconds() + self._way.seconds

    def _looked(self) -> Sequence[Happened]:
        if self._outlook.look():
            self._pace = self._pace.touched(self.clock.seconds())
        return ()

    def _run_cycles(self) -> None:
        self._cycles_at = self.clock.seconds() + CYCLE_SECONDS
        due: list[str] = []
        if not self._carry_out("due", partial(self._ask, due)):
            return
        for cycle in due:
            if self._stopping():
                return
            self._carry_out(cycle, partial(self._run, cycle))

    def _ask(self, due: list[str]) -> Sequence[Happened]:
        due.extend(self.upkeep.due(self.clock.now()))
        return ()

    def _run(self, cycle: str) -> Sequence[Happened]:
        return self.upkeep.run(cycle, self.clock.now())

    def _carry_out(self, what: str, work: Callable[[], Sequence[Happened]]) -> bool:
        """Do ``work`` and tell of it; whether it was not refused. A refusal does not end the watch."""
        try:
            happened = work()
        except HippoError as error:
            self._tell(self._tally.refusal(what, error))
            return False
        self._tally.success(what)
        self._tell(happened)
        return True

    def _require_root(self) -> None:
        try:
            self.root.stat()
        except (FileNotFoundError, NotADirectoryError):
            raise WorkspaceGone(path=str(self.root)) from None
        except OSError:  # a share that does not answer for a moment
            return

    def _tell(self, happened: Sequence[Happened]) -> None:
        if not happened:
            return
        self._tally.counts.update(one.kind for one in happened)
        with contextlib.suppress(HippoError):  # the last figure stays
            self._entries = len(self._store.read().entries)
        self.view.tell(self.clock.now(), happened, self._status())

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
        self._mailbox.put(_Touched(self.clock.seconds(), ground))
