"""The figures of an index and its notes: what ``hippo status`` shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from pathlib import Path

from hippocampus_cli.config import Config
from hippocampus_cli.entries.check import Follower
from hippocampus_cli.entries.kept import waiting_lines
from hippocampus_cli.errors import FileUnreadable, OutsideWorkspace
from hippocampus_cli.index.archive import is_queued
from hippocampus_cli.index.decay import Band, DecayClock, band, clock_for
from hippocampus_cli.index.entry import Form
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.metadata import Priority
from hippocampus_cli.index.pointers import Pointer
from hippocampus_cli.markdown.tokens import tokens
from hippocampus_cli.workspace import resolve
from hippocampus_cli.workspace.meta import PERIODS, Meta, made_on, read_meta
from hippocampus_cli.workspace.note import MOST_HEADINGS
from hippocampus_cli.workspace.read import read_note
from hippocampus_cli.workspace.resolve import Resolved
from hippocampus_cli.workspace.scan import Scan, scan
from hippocampus_cli.workspace.store import IndexStore
from hippocampus_cli.workspace.unread import Unread, unread_notes

GRACE_DAYS = 2
"""How long a cycle may be late before it is worth an alarm."""


@dataclass(frozen=True, slots=True)
class Status:
    """Counts of a workspace. Public: the field names are the keys of ``--json``.

    ``bands`` counts entries by band, the strongest first. ``tokens`` is the size of the index and
    ``max_tokens`` its budget; ``note_tokens`` what reading every note would cost. ``unindexed`` are notes
    that no entry points at, ``missing`` those that entries point at and that are gone, ``silent_waiting`` entries
    that belong into the Decay Queue, ``queued`` those that are in it, ``bare`` bullets without metadata,
    ``in_topics`` entries of topic files. ``cycles``: when upkeep last ran; ``overdue``: the cycles that should have
    run more than ``GRACE_DAYS`` ago.
    ``high`` counts entries of high priority, ``fades_on`` is the day on which the next entries fall silent if nobody
    asks for them (``None``: none ever does), ``fades_first`` how many do on that day.
    ``unread``: notes that cannot be read, and why; ``coarse``: those with so many headings
    that the last ones open no section. ``lost`` is how many of the ``known`` entries that hippo last
    wrote are gone, where that is more than may be; 0 otherwise. ``waiting``: what was remembered and
    is not in its log, as ``path § heading``. ``mind`` counts episodes, beliefs that are held, and tasks of sessions
    that wait (``hippo curate``).
    """

    version: str | None
    reindexed: str | None
    entries: int
    bands: dict[str, int]
    pinned: int
    queued: int
    tokens: int
    max_tokens: int
    notes: int
    note_tokens: int
    skipped: dict[str, int]
    unindexed: tuple[str, ...]
    silent_waiting: int
    bare: int
    in_topics: int
    cycles: dict[str, datetime | None]
    overdue: tuple[str, ...]
    unread: tuple[Unread, ...] = ()
    coarse: tuple[str, ...] = ()
    lost: int = 0
    known: int = 0
    missing: tuple[str, ...] = ()
    waiting: tuple[str, ...] = ()
    mind: dict[str, int] = field(default_factory=dict)
    high: int = 0
    fades_on: date | None = None
    fades_first: int = 0


def measure(
    index: Hierarchy,
    clock: DecayClock,
    config: Config,
    scan: Scan,
    follow: Callable[[Pointer], Resolved],
    meta: Meta,
    unread: Sequence[Unread] = (),
) -> Status:
    """The counts at the clock's moment."""
    header = index.header
    bands = dict.fromkeys(map(str, Band), 0)
    falls: Counter[date] = Counter()
    queued = waiting = 0
    for located in index.entries:
        curve = clock.curve(located.entry)
        now = band(curve.strength(clock.now), config.bands)
        bands[now.value] += 1
        if now is not Band.SILENT and (day := curve.day_below(config.bands.silent)):
            falls[day] += 1
        in_queue = is_queued(located)
        queued += in_queue
        pinned = located.entry.pri is Priority.AMYGDALA
        movable = located.entry.form is Form.HEADING and not pinned
        waiting += now is Band.SILENT and movable and not in_queue
    return Status(
        version=header.version if header else None,
        reindexed=header.reindexed if header else None,
        entries=len(index.entries),
        bands=bands,
        pinned=sum(one.entry.pri is Priority.AMYGDALA for one in index.entries),
        queued=queued,
        tokens=tokens(index.master.text),
        max_tokens=index.budget(config.index),
        notes=len(scan.files),
        note_tokens=sum(stat.size for stat in scan.files) // 4,
        skipped={reason.value: count for reason, count in sorted(scan.counts.items())},
        unindexed=tuple(_unindexed(index, scan, follow)),
        silent_waiting=waiting,
        bare=sum(located.entry.hx_span is None for located in index.entries),
        in_topics=len(index.entries) - len(index.master.entries),
        cycles={cycle: meta.cycles.get(cycle) for cycle in PERIODS},
        overdue=tuple(meta.due(clock.now, GRACE_DAYS, made_on(index))),
        unread=tuple(unread),
        missing=tuple(_missing(index, follow)),
        high=sum(one.entry.pri is Priority.HIGH for one in index.entries),
        fades_on=min(falls, default=None),
        fades_first=falls[min(falls)] if falls else 0,
    )


def measure_workspace(root: Path, config: Config, store: IndexStore, now: datetime) -> Status:
    """The counts of the index and of the notes, and what is due."""
    index = store.read(archive=True)
    limits = config.scan
    notes = scan(root, limits)
    follow = Follower(root, limits.max_file_bytes).follow
    meta, unread = read_meta(root), unread_notes(root, notes)
    status = measure(
        index, clock_for(index, now, config.decay), config, notes, follow, meta, unread
    )
    coarse = _coarse_notes(root, notes, limits.max_file_bytes)
    status = replace(status, coarse=coarse, waiting=tuple(waiting_lines(root, now)))
    loss = store.loss(index)
    return replace(status, lost=len(loss.ids), known=loss.total) if loss else status


def _coarse_notes(root: Path, scan: Scan, max_bytes: int) -> tuple[str, ...]:
    """The notes with headings that open no section any more; only large ones are read for it."""
    return tuple(
        stat.path
        for stat in scan.files
        if stat.size >= MOST_HEADINGS and _is_coarse(root, stat.path, max_bytes)
    )


def _is_coarse(root: Path, path: str, max_bytes: int) -> bool:
    try:
        return len(read_note(root, path, max_bytes).blocks.headings) >= MOST_HEADINGS
    except (FileUnreadable, OutsideWorkspace):
        return False


def _missing(index: Hierarchy, follow: Callable[[Pointer], Resolved]) -> Iterator[str]:
    """The files that living entries point at and that are not there, in file order."""
    pointers = (pointer for located in index.entries for pointer in located.entry.pointers)
    for path in dict.fromkeys(pointer.path for pointer in pointers):
        if follow(Pointer(path)).status is resolve.Status.MISSING_FILE:
            yield path


def _unindexed(index: Hierarchy, scan: Scan, follow: Callable[[Pointer], Resolved]) -> list[str]:
    """The notes that no entry points at, archived or not; a pointer at a folder speaks for all below it."""
    entries = (*index.entries, *index.archived)
    paths = {pointer.path for located in entries for pointer in located.entry.pointers}
    files: set[str] = set()
    folders: list[str] = []
    for path in paths:
        found = follow(Pointer(path))
        if found.status is resolve.Status.FOLDER:
            folders.append(f"{found.path}/" if found.path else "")
        else:
            files.add(found.path)
    return [
        stat.path
        for stat in scan.files
        if stat.path not in files and not stat.path.startswith(tuple(folders))
    ]
