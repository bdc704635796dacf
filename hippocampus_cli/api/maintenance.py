"""The upkeep of a workspace, as methods (INDEX §8)."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from hippocampus_cli.api.argument_checks import Raw
from hippocampus_cli.api.opened import Opened, present
from hippocampus_cli.errors import UsageError
from hippocampus_cli.workspace.own_files import MIND

if TYPE_CHECKING:
    from hippocampus_cli.config import Config
    from hippocampus_cli.embedding.embedder import Opener
    from hippocampus_cli.index.repair import Repair
    from hippocampus_cli.maintenance.forget import Forgot, Unforgotten
    from hippocampus_cli.maintenance.history import Record
    from hippocampus_cli.maintenance.holders import Surroundings
    from hippocampus_cli.maintenance.restore import IndexRestored, Restored
    from hippocampus_cli.maintenance.undo import Undone
    from hippocampus_cli.maintenance.upkeep import Outcome, Upkeep
    from hippocampus_cli.watch.events import View
    from hippocampus_cli.watch.watch import Watch
    from hippocampus_cli.workspace.snapshots import Snapshot
    from hippocampus_cli.workspace.tombstones import Tombstone


class Maintenance(Opened):
    """What a :class:`Workspace` does to look after its index."""

    def maintain(
        self,
        cycle: str = "daily",
        *,
        dry_run: bool = False,
        force: bool = False,
        now: datetime | None = None,
        progress: Callable[[int, int], object] | None = None,
    ) -> Outcome:
        """Run a cycle: ``daily``, ``weekly``, ``monthly``, ``replay``, or ``sync``, which only follows the notes.

        Weekly includes daily, monthly weekly.

        ``dry_run`` writes nothing. Raises :class:`LossRefused` where it would archive, merge or re-point more
        than ``upkeep.loss_limit`` (not with ``force``), :class:`Busy` while another cycle runs,
        :class:`IndexNotFound`; then nothing was changed.
        """
        from dataclasses import replace

        upkeep = self._upkeep(now, progress)
        if dry_run:
            return self._foreseen(upkeep.preview(cycle), now or present())
        written = self.write_waiting(now=now)
        outcome = upkeep.run(cycle, force=force)
        outcome = replace(outcome, notices=(*written, *outcome.notices))
        return self._followed(outcome, now or present()) if cycle != "replay" else outcome

    def write_waiting(self, *, now: datetime | None = None) -> tuple[str, ...]:
        """Write what was remembered and its log lacks: because it could not be written, or because a program saved an
        older copy of the log. What was written, a line each. Every cycle of upkeep does this first."""
        from hippocampus_cli.entries.index_writer import IndexWriter
        from hippocampus_cli.entries.remember import write_waiting

        parts = self.root, self.config, self._index_store(), now or present(), self._opener
        return write_waiting(IndexWriter(*parts))

    def tidy_sessions(
        self, *, dry_run: bool = False, now: datetime | None = None
    ) -> tuple[list[str], list[str]]:
        """End the sessions that nobody uses, archive those that ended long ago; the ids of both (CONTEXT §9.3)."""
        from hippocampus_cli.api.end_session import tidy_sessions
        from hippocampus_cli.context.lifecycle.context_session import ContextSessions

        keeper = ContextSessions(self.root, self.config, now or present())
        ended, archived = tidy_sessions(keeper, dry_run=dry_run, opener=self._opener)
        return [one.session for one in ended], [one.id for one in archived]

    def due(self, *, now: datetime | None = None) -> list[str]:
        """The cycles that are due, the smallest first; the last includes the others."""
        return list(self._upkeep(now).due())

    def undo(self, number: int | None = None, *, now: datetime | None = None) -> Undone:
        """Take back the latest cycle, or the one with this number; later edits stay.

        Raises :class:`NothingToUndo`.
        """
        from hippocampus_cli.maintenance.undo import undo

        return undo(self.root, self.config, now or present(), number)

    def restore(self, *keys: Raw, now: datetime | None = None) -> list[Restored]:
        """Bring entries back from the Decay Queue or the archive. Raises :class:`EntryNotFound`."""
        from hippocampus_cli.maintenance.restore import restore

        return restore(self.root, self.config, now or present(), keys)

    def restore_index(
        self, number: int | None = None, *, dry_run: bool = False, now: datetime | None = None
    ) -> IndexRestored:
        """Bring back what the newest verified snapshot of the index has, or the one with this number, and the index
        lacks; what came since stays, and :meth:`undo` reverts it.

        Raises :class:`NoSnapshot`, :class:`FileUnreadable` for a damaged one, :class:`IndexRefused` where a merge
        left its markers; then nothing was changed.
        """
        from hippocampus_cli.maintenance.restore import restore_index

        return restore_index(self.root, self.config, now or present(), number, dry_run=dry_run)

    def snapshots(self) -> list[Snapshot]:
        """The snapshots of the index that are kept, oldest first."""
        from hippocampus_cli.workspace.snapshots import snapshots

        return snapshots(self.root)

    def repair(
        self, *, drop: str = "", dry_run: bool = False, now: datetime | None = None
    ) -> tuple[Repair, ...]:
        """Put right what is wrong with the index as far as that is certain; :meth:`undo` reverts it.

        ``drop`` is an entry (its id): only its pointers that lead nowhere are followed or taken out, and where none
        is left it goes to the archive. Raises :class:`EntryNotFound`,
        :class:`IndexRefused` where a merge left its markers; then nothing was changed.
        """
        from hippocampus_cli.maintenance.restore import repair_index

        return repair_index(self.root, self.config, now or present(), drop=drop, dry_run=dry_run)

    def accept(self) -> int:
        """Take the index as it is for whole, though it lost entries or is gone; the number of its entries.

        Raises :class:`IndexRefused` where a merge left its markers.
        """
        return self._index_store().accept()

    def history(self) -> list[Record]:
        """Every cycle that changed something, oldest first."""
        from hippocampus_cli.maintenance.history import records

        return records(self.root)

    def forget(
        self,
        text: Raw = "",
        *,
        path: Raw = "",
        session: str = "",
        since: date | None = None,
        until: date | None = None,
        notes: bool = False,
        dry_run: bool = False,
        shown: Raw = "",
        home: Path | None = None,
        now: datetime | None = None,
    ) -> Forgot:
        """Forget a text, a note or folder by its ``path``, a ``session`` or the days from ``since`` to ``until``: one
        of them, in everything of hippo's own, and with ``notes`` in the notes too.

        Returns what holds it and what is out of reach; ``dry_run`` changes nothing. A tombstone without content keeps
        it from being derived again. ``shown`` stands for it in the commands of what is out of reach; ``home`` is the
        user's folder, in which agents keep transcripts. Raises :class:`UsageError`, :class:`NothingToForget`,
        :class:`SessionNotFound`, :class:`Busy`, :class:`FileUnwritable`; whatever is left to do then, the next run
        does.
        """
        from hippocampus_cli.maintenance import forget
        from hippocampus_cli.maintenance.holders import Target

        target = Target(text, path, session, since, until, notes, shown)
        if sum(map(bool, (text, path, session, since or until))) != 1:
            advice = "give one of: a text, a path, a session, days since and until"
            raise UsageError(reason="there must be one thing to forget", advice=advice)
        moment, around = now or present(), _surroundings(home, self._environ)
        found = forget.find(self.root, self.config, target, moment, around)
        if dry_run:
            return forget.Forgot(found)
        self._close()
        with self._mind_following(moment):
            return forget.forget(self.root, self.config, found, moment, around)

    @contextmanager
    def _mind_following(self, now: datetime) -> Iterator[None]:
        """What is forgotten within is listed where it was an episode's, so that the others still verify."""
        if not os.path.lexists(self.root / MIND):
            yield
            return
        from hippocampus_cli.mind.erase import intact_texts, list_forgotten

        before = intact_texts(self.root)
        yield
        list_forgotten(self.root, before, now, self.config.lock.timeout_seconds)

    def forgotten(self) -> list[Tombstone]:
        """What was forgotten, oldest first, without any of it."""
        from hippocampus_cli.workspace.tombstones import load

        found = load(self.root)
        return list(found.tombstones) if found else []

    def is_forgetting_done(self) -> bool:
        """Whether nothing is left to do of what was to be forgotten."""
        from hippocampus_cli.maintenance.scrub import is_finished

        return is_finished(self.root)

    def unforget(self, number: int) -> Unforgotten:
        """Take a tombstone away: what it stands for may be derived again from notes that hold it. Returns it, with
        the numbers of other tombstones that stand for some of the same.

        Raises :class:`NothingToForget` where there is none of this number.
        """
        from hippocampus_cli.maintenance.forget import unforget

        return unforget(self.root, self.config, number)

    def watch(
        self,
        view: View,
        *,
        maintain: bool = False,
        poll: float | None = None,
        clock: Callable[[], datetime] = present,
    ) -> AbstractContextManager[Watch]:
        """A watch that keeps the index up to date with the notes, for a ``with``; its ``run`` returns when another
        thread or a signal calls its ``stop``. It has parts of its own: other calls need not wait for it.

        ``view`` is told what happens; ``maintain`` also runs the cycles that are due; ``poll`` looks every so many
        seconds instead of being told by the system. ``run`` raises :class:`Busy` where another one watches.
        """
        return _watch(self.root, self.config, self._opener, view, (maintain, poll, clock))

    def _foreseen(self, outcome: Outcome, now: datetime) -> Outcome:
        """The outcome with what the mind would do then."""
        from dataclasses import replace

        if not os.path.lexists(self.root / MIND) or outcome.plan.cycle in ("sync", "replay"):
            return outcome
        from hippocampus_cli.api.mind import would_keep_up

        return replace(outcome, notices=(*outcome.notices, *would_keep_up(self, now)))

    def _followed(self, outcome: Outcome, now: datetime) -> Outcome:
        """The outcome once all that is derived from the notes is up to date with them."""
        from dataclasses import replace

        from hippocampus_cli.anchors.follow_notes import follow_notes_at

        anew = outcome.plan.cycle in ("weekly", "monthly")
        notices = follow_notes_at(self.root, self.config, now, self._opener, anew=anew)
        if os.path.lexists(self.root / MIND) and outcome.plan.cycle != "sync":
            from hippocampus_cli.api.mind import keep_up

            notices = (*notices, *keep_up(self, now))
        return replace(outcome, notices=(*outcome.notices, *notices))

    def _upkeep(
        self, now: datetime | None, progress: Callable[[int, int], object] | None = None
    ) -> Upkeep:
        from hippocampus_cli.maintenance.upkeep import Upkeep

        return Upkeep(self.root, self.config, now or present(), progress)


@contextmanager
def _watch(
    root: Path,
    config: Config,
    opener: Opener | None,
    view: View,
    how: tuple[bool, float | None, Callable[[], datetime]],
) -> Iterator[Watch]:
    from hippocampus_cli.watch.upkeep import IndexUpkeep
    from hippocampus_cli.watch.watch import Clock, Watch, WatchOptions

    maintain, poll, clock = how
    options = WatchOptions(sys.platform, os.getpid(), poll, maintain)
    with closing(IndexUpkeep(root, config, opener)) as upkeep:
        yield Watch(root, config, upkeep, view, Clock(clock, time.monotonic), options)


def _surroundings(home: Path | None, environ: Mapping[str, str]) -> Surroundings:
    from hippocampus_cli.maintenance.holders import surroundings
    from hippocampus_cli.workspace.user_folders import cache_folder, data_folder

    home = home or Path("~").expanduser()
    named = (environ.get(name) for name in ("CLAUDE_CONFIG_DIR", "PI_CODING_AGENT_DIR"))
    found = surroundings(home, cache_folder(environ, sys.platform, home), *named)
    folder = data_folder(environ, sys.platform, home)
    copies = ("hippo outside of workspaces", folder)
    return found._replace(transcripts=(*found.transcripts, copies), copies=folder)
