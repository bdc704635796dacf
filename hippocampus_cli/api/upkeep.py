"""The upkeep of a workspace (INDEX §8): cycles, undo, restore, forget, watch, vectors, the report."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from hippocampus_cli.api.turns import WorkspacePart, forwarded, in_turn
from hippocampus_cli.entries.check import Follower
from hippocampus_cli.errors import EmbedderUnset
from hippocampus_cli.index.decay import clock_for
from hippocampus_cli.maintenance import forget
from hippocampus_cli.maintenance.actions import Kind as ActionKind
from hippocampus_cli.maintenance.cycles import check_cycle
from hippocampus_cli.maintenance.forget import finish_forgetting, unforget
from hippocampus_cli.maintenance.history import name_of, records, undone_cycles
from hippocampus_cli.maintenance.restore import repair_index, restore, restore_index
from hippocampus_cli.maintenance.undo import undo
from hippocampus_cli.maintenance.upkeep import Upkeep as Cycles
from hippocampus_cli.markdown.tokens import tokens
from hippocampus_cli.report.assess import report
from hippocampus_cli.report.pages import markdown, require_charts, write_page
from hippocampus_cli.version import __version__
from hippocampus_cli.workspace.guard import snapshots
from hippocampus_cli.workspace.own_files import ANCHOR_INDEX, MIND
from hippocampus_cli.workspace.tombstones import load

if TYPE_CHECKING:
    from hippocampus_cli.api import types
    from hippocampus_cli.maintenance.snapshot import Progress
    from hippocampus_cli.watch.events import View


@in_turn
class Upkeep(WorkspacePart):
    """What ``workspace.upkeep`` can do."""

    def run(
        self,
        cycle: str = "daily",
        *,
        dry_run: bool = False,
        force: bool = False,
    ) -> types.Outcome:
        """Run a cycle: ``daily``, ``weekly``, ``monthly``, ``replay``, or ``sync``, which only follows the notes.

        Weekly includes daily, monthly weekly.

        ``dry_run`` writes nothing. Raises :class:`LossRefused` where it would archive or merge more than
        ``upkeep.loss_limit`` (not with ``force``), :class:`Busy` while another cycle runs,
        :class:`IndexNotFound`; then nothing was changed.
        """
        check_cycle(cycle)
        cycles = Cycles(self._root, self._config, self._now, self._workspace.progress)
        if dry_run:
            return cycles.preview(cycle)
        written = self.write_waiting()
        outcome = cycles.run(cycle, force=force)
        notices = (*written, *outcome.notices, *self._follow(outcome))
        return outcome.replaced(notices=notices)

    def _follow(self, outcome: types.Outcome) -> Iterator[str]:
        """Bring all that is derived from the notes up to date with them; what a person should know."""
        from hippocampus_cli.search.embed import follow_notes

        cycle, workspace = outcome.plan.cycle, self._workspace
        if cycle != "replay" and not outcome.quiet:
            yield from follow_notes(self._root, self._config, workspace.opener)
            if cycle in ("weekly", "monthly") and os.path.lexists(self._root / ANCHOR_INDEX):
                from hippocampus_cli.anchors.export import export_again

                yield from export_again(workspace.library, self._now)
        if cycle not in ("sync", "replay"):
            if os.path.lexists(self._root / MIND):
                yield from workspace.mind.keep_up()
            yield from workspace.curation.keep_up()

    def due(self) -> list[str]:
        """The cycles that are due, the smallest first; the last includes the others."""
        return Cycles(self._root, self._config, self._now).due()

    def write_waiting(self) -> tuple[str, ...]:
        """Write what was remembered and its log lacks: because it could not be written, or because a program saved an
        older copy of the log. What was written, a line each. Every cycle of upkeep does this first."""
        from hippocampus_cli.entries.remember import write_waiting

        return write_waiting(self._workspace._writer)

    def tidy_sessions(self, *, dry_run: bool = False) -> list[str]:
        """End the sessions that nobody uses; their ids (CONTEXT §9.3)."""
        from hippocampus_cli.maintenance.end_session import tidy_sessions

        keeper, opener = self._workspace.context()._sessions, self._workspace.opener
        return tidy_sessions(keeper, dry_run=dry_run, opener=opener)

    undo = forwarded(undo)
    restore = forwarded(restore)
    restore_index = forwarded(restore_index)
    repair = forwarded(repair_index)

    def snapshots(self) -> list[types.Snapshot]:
        """The snapshots of the index that are kept, oldest first."""
        return snapshots(self._root)

    def accept(self) -> int:
        """Take the index as it is for whole, though it lost entries or is gone; the number of its entries.

        Raises :class:`IndexRefused` where a merge left its markers.
        """
        return self._workspace.store.accept()

    def history(self) -> list[types.CycleRecord]:
        """Every cycle that changed something, oldest first."""
        return records(self._root)

    def forget(
        self,
        text: str = "",
        *,
        path: str = "",
        session: str = "",
        notes: bool = False,
        dry_run: bool = False,
        shown: str = "",
    ) -> types.Forgot:
        """Forget a text, a note or folder by its ``path``, or a ``session``: one of them, in everything of hippo's
        own, and with ``notes`` in the notes too.

        Returns what holds it and what is out of reach; ``dry_run`` changes nothing. A tombstone without content keeps
        it from being derived again. ``shown`` stands for it in the commands of what is out of reach. Raises
        :class:`UsageError`, :class:`NothingToForget`, :class:`SessionNotFound`, :class:`Busy`,
        :class:`FileUnwritable`; whatever is left to do then, the next run does.
        """
        from hippocampus_cli.maintenance.holders import Target, find

        target = Target(text, path, session, notes, shown)
        holding = find(self._root, self._config, target, self._workspace.environ)
        if dry_run:
            return forget.Forgot(holding)
        self._workspace.close()
        return forget.forget(self._root, self._config, holding, self._now)

    def forgotten(self) -> list[types.Tombstone]:
        """What was forgotten, oldest first, without any of it."""
        return list(load(self._root).tombstones)

    unforget = forwarded(unforget)
    finish_forgetting = forwarded(finish_forgetting)

    @contextmanager
    def watch(
        self,
        view: View,
        *,
        maintain: bool = False,
        poll: float | None = None,
    ) -> Iterator[types.Watch]:
        """A watch that keeps the index up to date with the notes, for a ``with``; its ``run`` returns when another
        thread or a signal calls its ``stop``. It has parts of its own: other calls need not wait for it.

        ``view`` is told what happens; ``maintain`` also runs the cycles that are due; ``poll`` looks every so many
        seconds instead of being told by the system. ``run`` raises :class:`Busy` where another one watches.
        """
        from hippocampus_cli.watch.upkeep import IndexUpkeep
        from hippocampus_cli.watch.watch import Clock, Watch, WatchOptions

        options = WatchOptions(sys.platform, os.getpid(), poll, maintain)
        moments = Clock(self._workspace.clock, time.monotonic)
        with closing(IndexUpkeep(self._root, self._config, self._workspace.opener)) as upkeep:
            yield Watch(self._root, self._config, upkeep, view, moments, options)

    def report(
        self,
        *,
        html: Path | None = None,
    ) -> types.Health:
        """The health of the index, with queries and growth of the last twelve weeks; also written as a page with
        charts to the file ``html``, if any.

        Raises :class:`UsageError` where something else is in the page's place, :class:`ExtraMissing` where charts
        cannot be drawn.
        """
        from hippocampus_cli.integrations.hook_log import read

        index = self._workspace.store.read()
        clock = clock_for(index, self._now, self._config.decay)
        follow = Follower(self._root, self._config.scan.max_file_bytes).follow
        health = report(
            self._root, self._config, index, clock, follow, self.history(), read(self._root)
        )
        if html:
            write_page(health, __version__, html)
        return health

    def embed(self) -> types.Embedded:
        """Work out the vectors of what is new in the notes, and forget those of what is gone, so that questions find
        what means the same in other words.

        What was done is kept when it is interrupted. Raises
        :class:`EmbedderUnset` where no embedder is configured, :class:`ExtraMissing`, :class:`EmbedderUnavailable`,
        :class:`EmbeddingFailed`, :class:`FileUnwritable` where the vectors cannot be kept.
        """
        from hippocampus_cli.search.embed import embed_notes

        notes = self._workspace.library
        if notes.meaning is None:
            raise EmbedderUnset
        notes.refresh()
        return embed_notes(notes.store, notes.meaning, self._workspace.progress)

    def allow_network(self, allowed: bool) -> str | None:
        """Remember in the user's folder whether this workspace's settings file may have texts sent to the server it
        names; the server, ``None`` where it names none.

        Raises :class:`UsageError` for leave where nothing is sent, :class:`FileUnwritable`.
        """
        from hippocampus_cli.embedding.consent import allow_network

        return allow_network(self._root, self._config.embedding, self._workspace.environ, allowed)
