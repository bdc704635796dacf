"""Bootstrap on disk: scan, read, plan, write."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from datetime import datetime
from pathlib import Path

from hippocampus_cli.config.settings import Config
from hippocampus_cli.errors import (
    IndexGone,
    IndexNotFound,
)
from hippocampus_cli.fast_types import Frozen
from hippocampus_cli.index.decay import DecayClock
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.maintenance.bootstrap import BootstrapPlan, apply, plan_bootstrap
from hippocampus_cli.maintenance.candidates import NoteFile
from hippocampus_cli.maintenance.scrub import scrub
from hippocampus_cli.maintenance.snapshot import Progress, Snapshot, modified, take_snapshot
from hippocampus_cli.maintenance.steps.summaries import described
from hippocampus_cli.markdown.tokens import tokens
from hippocampus_cli.workspace import descriptions, meta
from hippocampus_cli.workspace.atomic import Replacements
from hippocampus_cli.workspace.file_table import FileStat
from hippocampus_cli.workspace.fingerprints import KeptFingerprints
from hippocampus_cli.workspace.own_files import DESCRIPTIONS, INDEX, META
from hippocampus_cli.workspace.resolve import Notes
from hippocampus_cli.workspace.store import Files, IndexStore
from hippocampus_cli.workspace.unread import Unread, unread_notes

_NOTHING = Hierarchy({})


class BootstrapReport(Frozen):
    """What a bootstrap did, or would do. ``tokens`` are the master's, ``in_topics`` the entries beside it,
    ``notices`` what was written of what had waited."""

    plan: BootstrapPlan
    skipped: Mapping[str, int]
    entries: int
    tokens: int
    budget: int
    path: str
    text: str
    unread: tuple[Unread, ...]
    in_topics: int
    created: bool
    changed: bool
    notices: tuple[str, ...] = ()


def bootstrap(
    root: Path,
    config: Config,
    now: datetime,
    *,
    dry_run: bool = False,
    progress: Progress | None = None,
) -> BootstrapReport:
    """Make the workspace's index, or add to it what is new; ``dry_run`` changes nothing on disk.

    ``progress`` is called with the notes read and their number. Raises what reading
    and writing the index raise, also for one that is gone or shrank, whose entries a snapshot may still have; a
    note that cannot be read is counted, not an error.
    """
    if not dry_run:
        scrub(root, config)  # nothing that was forgotten goes in, and nothing stays
    store = IndexStore(root, config)
    before = _read_index(store)
    snapshot = take_snapshot(root, config, now, progress, journal=False)
    first = plan_bootstrap(before, snapshot)

    def change(index: Hierarchy) -> tuple[Hierarchy, BootstrapPlan]:
        plan = first if index == before else plan_bootstrap(index, snapshot)
        return apply(index, plan, config, snapshot.clock(index)), plan

    after, plan = change(before)
    if not dry_run and after != before:
        after, plan = _write(store, change, snapshot)
    if not dry_run:
        with closing(KeptFingerprints(root)) as kept:
            if not kept:
                kept.save(snapshot.changed)
        scrub(root, config)
    scanned, unread = unread_notes(root, snapshot.unread)
    return BootstrapReport(
        plan=plan,
        skipped={str(reason): count for reason, count in sorted(scanned.counts.items())},
        entries=len(after.entries),
        tokens=tokens(after.master.text),
        budget=after.budget(config.index),
        path=INDEX,
        text=after.master.text,
        unread=unread,
        in_topics=len(after.entries) - len(after.master.entries),
        created=before == _NOTHING,
        changed=after != before,
    )


def wanting_entries(
    index: Hierarchy,
    files: Sequence[FileStat],
    notes: Notes,
    config: Config,
    clock: DecayClock,
    paths: Sequence[str],
) -> tuple[str, ...]:
    """Which of the notes at ``paths``, that no entry points at, bootstrap would give one: not what is empty, or
    cannot be read. Only they are read."""
    wanted = {*paths}
    some = [
        NoteFile(note, modified(stat, clock.now).date())
        for stat in files
        if stat.path in wanted and (note := notes.note(stat.path))
    ]
    snapshot = Snapshot(clock.now, config, frozenset(paths), notes.note, notes.follow, some)
    plan = plan_bootstrap(index, snapshot)
    added = {pointer.path for one in plan.additions for pointer in one.draft.pointers}
    return tuple(path for path in paths if path in added)


def _write(
    store: IndexStore,
    change: Callable[[Hierarchy], tuple[Hierarchy, BootstrapPlan]],
    snapshot: Snapshot,
) -> tuple[Hierarchy, BootstrapPlan]:
    """Write what ``change`` makes of the index as it is, and keep a snapshot of it."""

    def beside(
        old: Hierarchy, new: Hierarchy, changes: Replacements, plan: BootstrapPlan
    ) -> tuple[Files, BootstrapPlan]:
        told = described(old, new, (), snapshot)
        made = meta.read_meta(store.root)._replace(made=snapshot.now)
        more = {META: meta.written(made, {})} if old == _NOTHING else {}
        return {DESCRIPTIONS: descriptions.written(told), **more}, plan

    return store.change(change, create=_NOTHING, beside=beside, copied=True, at=snapshot.now)


def _read_index(store: IndexStore) -> Hierarchy:
    try:
        return store.read_whole()
    except IndexGone:
        raise
    except IndexNotFound:
        return _NOTHING
