"""What a plan is made from: the notes, what was seen of them before, the journal, and the moment."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta
from functools import cached_property, partial
from heapq import merge
from itertools import islice
from pathlib import Path
from types import MappingProxyType

from hippocampus_cli.config.settings import Config
from hippocampus_cli.entries.worth import Frequencies, frequencies
from hippocampus_cli.fast_types import Frozen
from hippocampus_cli.index.decay import DecayClock, clock_for
from hippocampus_cli.index.document import Located
from hippocampus_cli.index.entry import Form
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.metadata import Priority
from hippocampus_cli.index.pointers import Pointer
from hippocampus_cli.maintenance.actions import Kind
from hippocampus_cli.maintenance.candidates import NoteFile
from hippocampus_cli.maintenance.history import refused, were_listed
from hippocampus_cli.maintenance.relocate import Traces
from hippocampus_cli.workspace import descriptions
from hippocampus_cli.workspace.descriptions import Descriptions
from hippocampus_cli.workspace.file_table import Diff, FileStat
from hippocampus_cli.workspace.fingerprints import (
    Changed,
    Fingerprint,
    Fingerprints,
    KeptFingerprints,
    fingerprint,
)
from hippocampus_cli.workspace.journal import Event, read
from hippocampus_cli.workspace.meta import Defrag, latest_defrag, read_meta
from hippocampus_cli.workspace.note import Note
from hippocampus_cli.workspace.resolve import Notes, Resolved
from hippocampus_cli.workspace.scan import Scan, scan, without_forgotten
from hippocampus_cli.workspace.version_control import checked_out


class Snapshot(Frozen):
    """A workspace at one moment, as upkeep sees it. ``now`` has a time zone.

    ``paths`` are the notes there are. ``fresh`` are those that are new or were changed since the last upkeep,
    as read. ``known`` are the fingerprints of the notes as of the last upkeep, ``changed`` those that are other now.
    ``note`` reads one (``None`` for what is no note), ``follow`` says where a pointer leads. ``events`` are
    the journal's, oldest first, those up to ``folded`` are in the index. ``defrag`` is the
    latest defrag cycle up to ``now``; up to ``replayed`` they had their boost. ``undone`` are kinds
    and entries that a person undid: not done again. ``checkout`` is what git has checked out.
    ``described``: what the entries said as of the last upkeep, and of which text. ``listed``: whether upkeep wrote
    generated lists before. ``unread`` is what was found in the folder and not read.
    """

    now: datetime
    config: Config
    paths: frozenset[str]
    note: Callable[[str], Note | None]
    follow: Callable[[Pointer], Resolved]
    fresh: Sequence[NoteFile] = ()
    known: Fingerprints = MappingProxyType({})
    changed: Changed = MappingProxyType({})
    events: Sequence[Event] = ()
    folded: datetime | None = None
    defrag: Defrag | None = None
    replayed: datetime | None = None
    undone: frozenset[tuple[Kind, str]] = frozenset()
    checkout: str = ""
    described: Descriptions = MappingProxyType({})
    listed: Callable[[], bool] = partial(bool, True)
    unread: Scan = Scan([], [])

    @property
    def today(self) -> date:
        """The day, in its time zone."""
        return self.now.date()

    @cached_property
    def frequencies(self) -> Frequencies:
        """Those of some notes, which are enough to tell what many say alike."""
        same = (path for path in self.known if path not in self.changed)
        paths = merge(same, sorted(self.changed))
        prints = (self.changed.get(path) or self.known.get(path) for path in paths)
        return frequencies(islice(filter(None, prints), _SAMPLE))

    @cached_property
    def traces(self) -> Traces:
        """What tells where a pointer leads now whose note or section is gone."""
        return Traces(self.known, self.changed, self.paths, self.note)

    def clock(self, index: Hierarchy) -> DecayClock:
        """The decay clock of an index at this moment."""
        return clock_for(index, self.now, self.config.decay)

    def may(self, kind: Kind, located: Located) -> bool:
        """Whether upkeep may do this to an entry of its own accord.

        Not to what a person undid, to a bullet (it stays where its writer put it), to an entry that cannot be edited,
        or to one of two with the same id. What is consolidated stays where it is; it says what its note says (D29).
        What is pinned is never put away for its weakness, however weak it was pinned.
        """
        entry = located.entry
        stays = kind in _MOVES and entry.values.get("consolidated")
        pinned = kind in _FADES and entry.pri is Priority.AMYGDALA
        return not (stays or pinned) and self.allows(kind, located)

    def allows(self, kind: Kind, located: Located) -> bool:
        """As :meth:`may`, also for what is consolidated or pinned."""
        entry = located.entry
        sound = entry.form is Form.HEADING and entry.closed and located.alone
        return sound and (kind, entry.id) not in self.undone


_FADES = (Kind.MERGE, Kind.QUEUE, Kind.PRUNE, Kind.ARCHIVE)
_MOVES = (*_FADES, Kind.SHARD, Kind.CONSOLIDATE)
Progress = Callable[[int, int], object]
_JOURNAL_DAYS = 90
_SAMPLE = 2000


def take_snapshot(
    root: Path,
    config: Config,
    now: datetime,
    progress: Progress | None = None,
    found: Scan | None = None,
    *,
    journal: bool = True,
    known: KeptFingerprints | None = None,
) -> Snapshot:
    """The workspace now. Notes that look as they did when they were ``known`` are not read, nor without need the
    journal. ``found`` is what a look just found. ``known`` is to be open as long as the snapshot is asked."""
    meta, notes = read_meta(root), Notes(root, config.scan.max_file_bytes)
    folder = without_forgotten(root, found) if found else scan(root, config.scan)
    changes = Diff(folder.files, [], []) if known is None else known.changes(folder.files)
    changed, fresh = _read_changed(notes, known or {}, changes, now, progress)
    missed = [stat for stat in folder.files if not changed.get(stat.path, True)]
    return Snapshot(
        now=now,
        config=config,
        paths=frozenset(stat.path for stat in folder.files),
        note=notes.note,
        follow=notes.follow,
        fresh=fresh,
        known=known or {},
        changed=changed,
        events=tuple(read(root, now - timedelta(days=_JOURNAL_DAYS))) if journal else (),
        folded=min(meta.folded, now) if meta.folded else None,
        defrag=latest_defrag(root, now),
        replayed=min(meta.replayed, now) if meta.replayed else None,
        undone=refused(root),
        checkout=checked_out(root),
        described=descriptions.load(root),
        listed=lambda: were_listed(root),
        unread=folder._replace(files=missed),
    )


def _read_changed(
    notes: Notes,
    known: Fingerprints,
    changes: Diff,
    now: datetime,
    progress: Progress | None,
) -> tuple[dict[str, Fingerprint | None], list[NoteFile]]:
    """The fingerprints that are other now, and the notes whose text is new."""
    unread = sorted([*changes.added, *changes.changed])
    changed: dict[str, Fingerprint | None] = dict.fromkeys(stat.path for stat in changes.removed)
    fresh, read_ns = [], int(now.timestamp() * 1e9)
    for count, stat in enumerate(unread, 1):
        if progress:
            progress(count, len(unread))
        note, before = notes.note(stat.path), known.get(stat.path)
        changed[stat.path] = after = fingerprint(note, stat, read_ns) if note else None
        if note and after and (before is None or before.text != after.text):
            fresh.append(NoteFile(note, modified(stat, now).date()))
    return changed, fresh


def modified(stat: FileStat, now: datetime) -> datetime:
    """When a file was changed, in the time zone of ``now``; ``now`` where the disk says nonsense."""
    try:
        return datetime.fromtimestamp(stat.mtime_ns / 1e9, now.tzinfo)
    except (ValueError, OverflowError, OSError):
        return now
