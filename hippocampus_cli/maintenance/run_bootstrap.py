"""Bootstrap on disk: scan, read, plan, write."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from hippocampus_cli.config.settings import Config
from hippocampus_cli.errors import (
    FileUnreadable,
    HippoError,
    IndexGone,
    IndexNotFound,
    OutsideWorkspace,
)
from hippocampus_cli.index.decay import clock_for
from hippocampus_cli.index.document import Document
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.maintenance.bootstrap import BootstrapPlan, apply, plan_bootstrap
from hippocampus_cli.maintenance.candidates import NoteFile
from hippocampus_cli.maintenance.scrub import scrub
from hippocampus_cli.maintenance.snapshot import modified
from hippocampus_cli.markdown.tokens import tokens
from hippocampus_cli.workspace import descriptions
from hippocampus_cli.workspace.descriptions import Description, said_by, text_of
from hippocampus_cli.workspace.file_table import FileStat
from hippocampus_cli.workspace.fingerprints import fingerprint, load, save
from hippocampus_cli.workspace.note import Note
from hippocampus_cli.workspace.own_files import DESCRIPTIONS, INDEX
from hippocampus_cli.workspace.reader import (
    Reader,
    Unread,
    passed_over,
)
from hippocampus_cli.workspace.redaction import redacted, redactor_for
from hippocampus_cli.workspace.scan import Reason, Scan, scan
from hippocampus_cli.workspace.sections import SectionNames
from hippocampus_cli.workspace.store import Files, IndexStore
from hippocampus_cli.workspace.transaction import Replacements

Progress = Callable[[int, int], object]
Timer = Callable[[], float]


@dataclass(frozen=True, slots=True)
class BootstrapReport:
    """What a bootstrap did, or would do. ``seconds`` is 0 without a timer; ``tokens`` are those of the master, and
    ``in_topics`` how many of the ``entries`` are in topic files."""

    plan: BootstrapPlan
    skipped: Mapping[Reason, int]
    entries: int
    tokens: int
    budget: int
    seconds: float
    path: str
    created: bool
    changed: bool
    text: str
    unread: tuple[Unread, ...] = ()
    in_topics: int = 0


def bootstrap(
    root: Path,
    config: Config,
    now: datetime,
    *,
    dry_run: bool = False,
    progress: Progress | None = None,
    timer: Timer | None = None,
) -> BootstrapReport:
    """Make the workspace's index, or add to it what is new; ``dry_run`` changes nothing on disk.

    ``progress`` is called with the notes read and their number, ``timer`` gives seconds. Raises what reading
    and writing the index raise, also for one that is gone or shrank, whose entries a snapshot may still have; a
    note that cannot be read is counted, not an error.
    """
    if dry_run:
        return _bootstrap(root, config, now, True, progress, timer)
    scrub(root, config)  # nothing that was forgotten goes in, and nothing stays
    report = _bootstrap(root, config, now, False, progress, timer)
    scrub(root, config)
    return report


def _bootstrap(
    root: Path,
    config: Config,
    now: datetime,
    dry_run: bool,
    progress: Progress | None,
    timer: Timer | None,
) -> BootstrapReport:
    started = timer() if timer else 0.0
    store = IndexStore(root, config.lock.timeout_seconds, config.upkeep.loss_limit)
    before = _read_index(store)
    found = scan(root, config.scan)
    unread = passed_over(found.skipped)
    notes = list(_read_notes(root, found, config, progress, unread))
    files = [NoteFile(note, modified(stat, now).date()) for stat, note in notes]
    first = plan_bootstrap(before, files, config, clock_for(before, now, config.decay))

    def change(index: Hierarchy | None) -> tuple[Hierarchy, BootstrapPlan]:
        clock = clock_for(index, now, config.decay)
        plan = first if index == before else plan_bootstrap(index, files, config, clock)
        return apply(index, plan, config, clock), plan

    after, plan = change(before)
    if not dry_run and after != before:
        after, plan = _write(store, change, files, now)
    if not dry_run and not load(root):
        read_ns = int(now.timestamp() * 1e9)
        save(root, {stat.path: fingerprint(note, stat, read_ns) for stat, note in notes})
    return BootstrapReport(
        plan=plan,
        skipped=_skipped(found, len(found.files) - len(files)),
        entries=len(after.entries),
        tokens=tokens(after.master.text),
        budget=after.budget(config.index),
        seconds=timer() - started if timer else 0.0,
        path=INDEX,
        created=before is None,
        changed=after != before,
        text=after.master.text,
        unread=tuple(sorted(unread)),
        in_topics=len(after.entries) - len(after.master.entries),
    )


def _write(
    store: IndexStore,
    change: Callable[[Hierarchy | None], tuple[Hierarchy, BootstrapPlan]],
    files: Sequence[NoteFile],
    now: datetime,
) -> tuple[Hierarchy, BootstrapPlan]:
    """Write what ``change`` makes of the index as it is, and keep a snapshot of it."""
    nothing = Hierarchy(Document(()))

    def beside(
        old: Hierarchy, new: Hierarchy, changes: Replacements, plan: BootstrapPlan
    ) -> tuple[Files, BootstrapPlan]:
        told = {**descriptions.load(store.root), **dict(_described(new, plan, files))}
        return {DESCRIPTIONS: descriptions.written(told)}, plan

    written = store.change(
        lambda one: change(None if one == nothing else one),
        create=nothing,
        archive=True,
        beside=beside,
    )
    with contextlib.suppress(HippoError):  # the index is written; the next cycle makes up for it
        store.snapshot(now)
    return written


def _described(
    index: Hierarchy, plan: BootstrapPlan, files: Sequence[NoteFile]
) -> Iterator[tuple[str, Description]]:
    """What the new entries say, and of which text (decision D23)."""
    notes = {one.note.path: one.note for one in files}
    for one in plan.additions:
        located, (pointer, *others) = index.by_key.get(one.draft.id), one.draft.pointers
        if located is None or others:
            continue
        note = notes[pointer.path]
        found = SectionNames(note.sections).find(pointer.section) if pointer.section else None
        text = text_of(note, found.section if found else None)
        yield one.draft.id, Description(said_by(located.entry), text, True, located.entry.tags)


def _skipped(found: Scan, unreadable: int) -> dict[Reason, int]:
    """How many files were skipped, by the reason; those that turned out to be ``unreadable`` too."""
    skipped = Counter(found.counts)
    skipped[Reason.UNREADABLE] += unreadable
    return {reason: count for reason, count in sorted(skipped.items()) if count}


def _read_index(store: IndexStore) -> Hierarchy | None:
    try:
        index = store.read(archive=True)
        store.require_whole(index, archive=True)
        return index
    except IndexGone:
        raise
    except IndexNotFound:
        return None


def _read_notes(
    root: Path, found: Scan, config: Config, progress: Progress | None, unread: list[Unread]
) -> Iterator[tuple[FileStat, Note]]:
    """The notes that can be read; the others are added to ``unread``."""
    redactor = redactor_for(root)
    with contextlib.closing(Reader(root, config.scan.max_file_bytes)) as reader:
        for count, stat in enumerate(found.files, 1):
            try:
                yield stat, redacted(reader.note(stat.path), redactor)
            except (FileUnreadable, OutsideWorkspace) as error:
                unread.append(Unread(stat.path, str(error.facts.get("reason", error.message))))
                continue
            finally:
                if progress:
                    progress(count, len(found.files))
