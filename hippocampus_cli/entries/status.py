"""The figures of an index and its notes: what ``hippo status`` shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from datetime import date, datetime
from pathlib import Path
from types import MappingProxyType

from hippocampus_cli.config import Config
from hippocampus_cli.entries.kept import waiting_lines
from hippocampus_cli.fast_types import Frozen
from hippocampus_cli.index.archive import is_queued
from hippocampus_cli.index.conflicts import conflict_lines
from hippocampus_cli.index.decay import clock_for
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.metadata import Priority
from hippocampus_cli.index.pointers import Pointer
from hippocampus_cli.markdown.tokens import tokens
from hippocampus_cli.report.assess import strengths
from hippocampus_cli.report.tables import fading
from hippocampus_cli.workspace import resolve
from hippocampus_cli.workspace.meta import PERIODS, read_meta
from hippocampus_cli.workspace.scan import Scan, scan
from hippocampus_cli.workspace.store import IndexStore
from hippocampus_cli.workspace.unread import Unread, unread_notes

GRACE_DAYS = 2
"""How long a cycle may be late before it is worth an alarm."""


class Status(Frozen):
    """Counts of a workspace. Public: the field names are the keys of ``--json``.

    ``bands`` counts entries by band, the strongest first. ``tokens`` is the size of the index and
    ``max_tokens`` its budget; ``note_tokens`` what reading every note would cost. ``unindexed`` are notes
    that no entry points at and that bootstrap would give one, ``missing`` those that entries point at and that are
    gone,
    ``queued`` entries in the Decay Queue, ``bare`` bullets without metadata,
    ``in_topics`` entries of topic files. ``cycles``: when upkeep last ran; ``overdue``: the cycles that should have
    run more than ``GRACE_DAYS`` ago.
    ``high`` counts entries of high priority, ``fades_on`` is the day on which the next entries fall silent if nobody
    asks for them (``None``: none ever does), ``fades_first`` how many do on that day.
    ``unread``: notes that cannot be read, and why. ``lost`` is how many of the ``known`` entries that hippo last
    wrote are gone, where that is more than may be; 0 otherwise. ``waiting``: what was remembered and
    is not in its log, as ``path § heading``. ``conflicts``: where a merge left its
    markers, as ``path:line``. ``mind`` counts episodes, beliefs that are held, and tasks of sessions that wait
    (``hippo curate``).
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
    bare: int
    in_topics: int
    cycles: dict[str, datetime | None]
    overdue: tuple[str, ...]
    unread: tuple[Unread, ...] = ()
    lost: int = 0
    known: int = 0
    missing: tuple[str, ...] = ()
    waiting: tuple[str, ...] = ()
    mind: Mapping[str, int] = MappingProxyType({})
    high: int = 0
    fades_on: date | None = None
    fades_first: int = 0
    conflicts: tuple[str, ...] = ()

    @property
    def fading(self) -> str:
        """When entries fall silent, in words."""
        return fading(self)


def measure_workspace(
    root: Path,
    config: Config,
    store: IndexStore,
    now: datetime,
    wanting: Callable[..., tuple[str, ...]],
) -> Status:
    """The counts of the index and of the notes, and what is due. ``wanting`` tells which notes without an entry
    bootstrap would give one, from the index, the files, what reads them, and the paths."""
    index, meta = store.read(archive=True), read_meta(root)
    scanned, unread = unread_notes(root, scan(root, config.scan))
    header, loss = index.header, store.loss(index)
    clock = clock_for(index, now, config.decay)
    notes = resolve.Notes(root, config.scan.max_file_bytes)
    bands, falls = strengths(index.entries, clock, config.bands)
    missing, unindexed = _unreached(index, scanned, notes)
    if unindexed:
        unindexed = wanting(index, scanned.files, notes, config, clock, unindexed)
    priorities = Counter(located.entry.pri for located in index.entries)
    return Status(
        version=header.version if header else None,
        reindexed=header.reindexed if header else None,
        entries=len(index.entries),
        bands=bands,
        pinned=priorities[Priority.AMYGDALA],
        queued=sum(map(is_queued, index.entries)),
        tokens=tokens(index.master.text),
        max_tokens=index.budget(config.index),
        notes=len(scanned.files),
        note_tokens=sum(stat.size for stat in scanned.files) // 4,
        skipped={reason.value: count for reason, count in sorted(scanned.counts.items())},
        unindexed=unindexed,
        bare=sum(located.entry.hx_span is None for located in index.entries),
        in_topics=len(index.entries) - len(index.master.entries),
        cycles={cycle: meta.cycles.get(cycle) for cycle in PERIODS},
        overdue=tuple(meta.due(now, GRACE_DAYS)),
        unread=unread,
        lost=len(loss.ids) if loss else 0,
        known=loss.total if loss else 0,
        missing=missing,
        waiting=tuple(waiting_lines(root, now)),
        high=priorities[Priority.HIGH],
        fades_on=min(falls, default=None),
        fades_first=falls[min(falls)] if falls else 0,
        conflicts=tuple(
            f"{path}:{line}" for path, text in index.texts.items() for line in conflict_lines(text)
        ),
    )


def _unreached(
    index: Hierarchy, scanned: Scan, notes: resolve.Notes
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The files that living entries point at and that are gone, in file order, and the notes that no entry points
    at, archived or not; a pointer at a folder speaks for all below it."""
    paths = (*index.pointers, *index.archived_pointers)
    leads = {path: notes.follow(Pointer(path)) for path in paths}
    files = {lead.path for lead in leads.values()}
    folders = (lead.path for lead in leads.values() if lead.status is resolve.Status.FOLDER)
    below = tuple(f"{path}/" if path else "" for path in folders)
    missing = (
        path
        for path, lead in leads.items()
        if lead.status is resolve.Status.MISSING_FILE and path in index.pointers
    )
    unindexed = (stat.path for stat in scanned.files if stat.path not in files)
    return tuple(missing), tuple(path for path in unindexed if not path.startswith(below))
