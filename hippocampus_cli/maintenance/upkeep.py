"""A cycle on disk: snapshot, plan, check, and one write of everything (INDEX §8.2, §9.2, decision D16).

One cycle at a time: a lock of its own, beside the one for writing.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Set
from contextlib import closing
from datetime import datetime
from functools import cached_property
from pathlib import Path
from types import MappingProxyType

from hippocampus_cli.config.settings import Bands, Config
from hippocampus_cli.entries.passages import notices
from hippocampus_cli.errors import HippoError, LossRefused
from hippocampus_cli.fast_types import Frozen
from hippocampus_cli.index.decay import DecayClock
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.maintenance import cycles, history
from hippocampus_cli.maintenance.actions import Action, Kind
from hippocampus_cli.maintenance.cycles import Plan
from hippocampus_cli.maintenance.erasure import Erasure
from hippocampus_cli.maintenance.forgotten_state import is_finished
from hippocampus_cli.maintenance.relocate import paths_of
from hippocampus_cli.maintenance.safety import check_losses, check_plan
from hippocampus_cli.maintenance.scrub import scrub
from hippocampus_cli.maintenance.snapshot import Progress, Snapshot, take_snapshot
from hippocampus_cli.maintenance.steps.lists import month_files
from hippocampus_cli.maintenance.steps.summaries import described
from hippocampus_cli.markdown.tokens import tokens
from hippocampus_cli.report.assess import average, report, strengths
from hippocampus_cli.report.pages import markdown
from hippocampus_cli.workspace import descriptions, meta
from hippocampus_cli.workspace.atomic import Replacements
from hippocampus_cli.workspace.fingerprints import Changed, KeptFingerprints
from hippocampus_cli.workspace.journal import drop_old_months
from hippocampus_cli.workspace.lock import locked
from hippocampus_cli.workspace.meta import Meta
from hippocampus_cli.workspace.own_files import (
    DESCRIPTIONS,
    META,
    REPORTS,
    RUNNING,
)
from hippocampus_cli.workspace.scan import Scan
from hippocampus_cli.workspace.store import Files, IndexStore


def figures(index: Hierarchy, clock: DecayClock, bands: Bands, notes: int) -> dict[str, object]:
    """The health of an index in figures."""
    values = [clock.strength(located.entry) for located in index.entries]
    return {
        "entries": len(values),
        "in_topics": len(index.beyond),
        "archived": len(index.archived),
        "tokens": tokens(index.master.text),
        "notes": notes,
        "strength": average(values),
        "bands": strengths(index.entries, clock, bands)[0],
    }


class Outcome(Frozen):
    """What a cycle did, or with a dry run would do. ``number`` is its record's, where something changed;
    ``notices`` are what a person should know of what follows the notes, ``fresh`` the paths of the notes whose text
    is new since the last upkeep, and whether the note is; ``gone`` those of notes that are gone; ``quiet``: a daily
    cycle without either, so that what is derived from the notes is as it should be."""

    plan: Plan
    stats: Mapping[str, object]
    number: int | None = None
    notices: tuple[str, ...] = ()
    fresh: Mapping[str, bool] = MappingProxyType({})
    gone: Set[str] = frozenset()
    quiet: bool = False

    @property
    def actions(self) -> tuple[Action, ...]:
        return self.plan.actions


class Upkeep(Frozen):
    """The upkeep of one workspace at one moment. ``now`` has a time zone."""

    root: Path
    config: Config
    now: datetime
    progress: Progress | None = None
    found: Scan | None = None
    """What a look at the notes just found; one is taken without it."""

    def due(self) -> list[str]:
        """The cycles that are due."""
        return meta.read_meta(self.root).due(self.now)

    def preview(self, cycle: str) -> Outcome:
        """What a cycle would do now, and whether it would be refused. Nothing is written."""
        index = self._store.read_whole()
        with closing(KeptFingerprints(self.root)) as known:
            snapshot = self._snapshot(cycle, known)
            plan = cycles.plan(cycle, index, snapshot)
            outcome = self._outcome(plan, snapshot)
            try:
                check_losses(plan, snapshot)
            except LossRefused as refused:
                return outcome.replaced(
                    notices=(f"{refused.message}; nothing of this would be done without --force",)
                )
            return outcome

    def run(self, cycle: str, *, force: bool = False) -> Outcome:
        """Carry out a cycle. Raises :class:`LossRefused` (not with ``force``), :class:`UpkeepBusy` where another one
        takes longer than ``lock.timeout_seconds``, and what reading and writing the index raise, also for one that
        shrank or has the markers of a merge; then nothing was changed."""
        with locked(self.root, self.config.lock.timeout_seconds, RUNNING):
            self._store.read()  # no index, no upkeep
            self.finish_forgetting()
            if cycle != cycles.SYNC:
                self._store.snapshot(self.now)
            made = self._carry_out(cycle, force=force)
            if cycle == meta.MONTHLY:
                drop_old_months(self.root, self.now.date())
            for path in history.outdated(self.root, self.config.upkeep.history):
                with contextlib.suppress(OSError):
                    path.unlink()
            scrub(self.root, self.config)
            return made

    def finish_forgetting(self) -> Erasure:
        """Take what has a tombstone out of every file, and make again from the notes what was deleted; what went.

        The caller holds the lock of upkeep. What cannot be made again now is made by the next run. Raises as
        :func:`scrub`.
        """
        done = scrub(self.root, self.config, made=is_finished(self.root))
        if not is_finished(self.root):
            with contextlib.suppress(HippoError):
                if self._store.exists():
                    self._carry_out(cycles.FORGET)
                scrub(self.root, self.config)
        return done

    def _carry_out(self, cycle: str, *, force: bool = False) -> Outcome:
        """Write what a cycle plans, and its record; what was forgotten has none, for it is not to come back."""
        with closing(KeptFingerprints(self.root)) as known:
            snapshot = self._snapshot(cycle, known)

            def change(index: Hierarchy) -> tuple[Hierarchy, Outcome]:
                plan = cycles.plan(cycle, index, snapshot)
                if not force:
                    check_losses(plan, snapshot)
                check_plan(plan)
                return plan.after, self._outcome(plan, snapshot)

            def beside(
                old: Hierarchy, new: Hierarchy, changes: Replacements, made: Outcome
            ) -> tuple[Files, Outcome]:
                files = self._derived(made, new, snapshot)
                is_light = cycle == cycles.SYNC and all(
                    action.kind in _NOT_WEIGHED for action in made.actions
                )
                if old == new or is_light or cycle == cycles.FORGET:
                    return files, made
                stats = {key: value for key, value in made.stats.items() if isinstance(value, int)}
                number, record = history.written(
                    self.root, changes, cycle, self.now, made.actions, stats=stats, forced=force
                )
                return {**files, **record}, made.replaced(number=number)

            made = self._store.change(
                change, beside=beside, copied=cycle != cycles.SYNC, at=self.now
            )[1]
            known.save(_prints(snapshot, made.plan.after))
            return made

    @cached_property
    def _store(self) -> IndexStore:
        return IndexStore(self.root, self.config)

    def _snapshot(self, cycle: str, known: KeptFingerprints) -> Snapshot:
        return take_snapshot(
            self.root,
            self.config,
            self.now,
            self.progress,
            self.found,
            journal=cycle in meta.PERIODS,
            known=known,
        )

    def _outcome(self, plan: Plan, snapshot: Snapshot) -> Outcome:
        stats = figures(
            plan.after, snapshot.clock(plan.after), self.config.bands, len(snapshot.paths)
        )
        fresh = {file.note.path: file.note.path not in snapshot.known for file in snapshot.fresh}
        gone = snapshot.changed.keys() - snapshot.paths
        # what could not be embedded is tried again
        waits = fresh or gone or self.config.embedding.embedder != "none"
        quiet = plan.cycle == meta.DAILY and not waits
        return Outcome(plan, stats, notices=notices(), fresh=fresh, gone=gone, quiet=quiet)

    def _derived(
        self, outcome: Outcome, index: Hierarchy, snapshot: Snapshot
    ) -> dict[str, bytes | None]:
        """The files that can be made again: ``meta.json``, what entries say, the lists by month, the report."""
        cycle, before = outcome.plan.cycle, meta.read_meta(self.root)
        ran = dict.fromkeys(cycles.included(cycle), self.now)
        after = Meta(
            {**before.cycles, **ran},
            self.now if cycle in meta.PERIODS else before.folded,
            snapshot.defrag.at if snapshot.defrag and cycle != cycles.SYNC else before.replayed,
            before.made,
        )
        files: dict[str, bytes | None] = {META: meta.written(after, outcome.stats)}
        told = described(outcome.plan.before, index, outcome.actions, snapshot)
        if told != snapshot.described:
            files[DESCRIPTIONS] = descriptions.written(told)
        if cycle == cycles.SYNC:
            return files
        files |= month_files(self.root, index)
        path = f"{REPORTS}/{self.now:%Y-%m}.md"
        if cycle == meta.MONTHLY and (outcome.plan.changes or not (self.root / path).exists()):
            health = report(
                self.root,
                self.config,
                index,
                snapshot.clock(index),
                snapshot.follow,
                records=history.records(self.root),
            )
            files[path] = markdown(health).encode("utf-8", "replace")
        return files


_NOT_WEIGHED = (Kind.ADD, Kind.FLAG, Kind.CLEAR, Kind.SHARD, Kind.STRENGTH, Kind.LIST)
"""What nobody wants to undo where a sync does nothing else."""


def _prints(snapshot: Snapshot, index: Hierarchy) -> Changed:
    """The fingerprints to save; those of lost notes that entries still point at are kept."""
    kept = snapshot.changed.keys() & paths_of(index.entries)
    return {path: each for path, each in snapshot.changed.items() if each or path not in kept}
