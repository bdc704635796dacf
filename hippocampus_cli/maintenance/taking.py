"""Taking a snapshot of a workspace: the scan, what is new since last time, the journal, the history."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from hippocampus_cli.config.settings import Config
from hippocampus_cli.errors import FileUnreadable, OutsideWorkspace
from hippocampus_cli.index.pointers import Pointer
from hippocampus_cli.maintenance.candidates import NoteFile
from hippocampus_cli.maintenance.history import refused
from hippocampus_cli.maintenance.snapshot import Snapshot
from hippocampus_cli.workspace.defrag import defrag_cycles
from hippocampus_cli.workspace.files import FileStat
from hippocampus_cli.workspace.fingerprints import Fingerprint, fingerprint, load
from hippocampus_cli.workspace.journal_read import read
from hippocampus_cli.workspace.meta import Meta
from hippocampus_cli.workspace.note import Note, Section
from hippocampus_cli.workspace.read import read_note
from hippocampus_cli.workspace.resolve import Resolved, resolve
from hippocampus_cli.workspace.scan import scan

Progress = Callable[[int, int], object]
_JOURNAL_DAYS = 90


@dataclass
class Notes:
    """The notes of a workspace, each read once, when it is needed."""

    root: Path
    most_bytes: int
    _read: dict[str, Note | None] = field(default_factory=dict, init=False)

    def note(self, path: str) -> Note | None:
        """The note at a path; ``None`` for what cannot be read as one."""
        if path not in self._read:
            try:
                self._read[path] = read_note(self.root, path, self.most_bytes)
            except (FileUnreadable, OutsideWorkspace):
                self._read[path] = None
        return self._read[path]

    def follow(self, pointer: Pointer) -> Resolved[Section]:
        """Where a pointer leads."""
        return resolve(self.root, pointer, self._sections)

    def _sections(self, path: str) -> tuple[Section, ...] | None:
        found = self.note(path)
        return None if found is None else found.sections


def take_snapshot(
    root: Path,
    config: Config,
    now: datetime,
    meta: Meta,
    progress: Progress | None = None,
    *,
    journal: bool = True,
) -> Snapshot:
    """The workspace now. Notes that look as they did last time are not read, nor without need the journal."""
    known = load(root)
    notes = Notes(root, config.scan.max_file_bytes)
    found = scan(root, config.scan).files
    unread = [stat for stat in found if _is_new(stat, known.get(stat.path))]
    present = {stat.path: known[stat.path] for stat in found if stat.path in known}
    fresh = []
    for count, stat in enumerate(unread, 1):
        if progress:
            progress(count, len(unread))
        note = notes.note(stat.path)
        if note is None:
            present.pop(stat.path, None)
            continue
        present[stat.path] = fingerprint(note, stat.size, stat.mtime_ns)
        before = known.get(stat.path)
        if before is None or before.text != present[stat.path].text:
            fresh.append(NoteFile(note, modified(stat, now).date()))
    return Snapshot(
        now=now,
        config=config,
        paths=frozenset(stat.path for stat in found),
        note=notes.note,
        follow=notes.follow,
        fresh=fresh,
        known=known,
        present=present,
        events=tuple(read(root, now - timedelta(days=_JOURNAL_DAYS))) if journal else (),
        folded=min(meta.folded, now) if meta.folded else None,
        defrags=[at for at in defrag_cycles(root, now.tzinfo) if at <= now],
        replayed=min(meta.replayed, now) if meta.replayed else None,
        undone=refused(root),
    )


def modified(stat: FileStat, now: datetime) -> datetime:
    """When a file was changed, in the time zone of ``now``; ``now`` where the disk says nonsense."""
    try:
        return datetime.fromtimestamp(stat.mtime_ns / 1e9, now.tzinfo)
    except (ValueError, OverflowError, OSError):
        return now


def _is_new(stat: FileStat, before: Fingerprint | None) -> bool:
    return before is None or (before.size, before.mtime_ns) != (stat.size, stat.mtime_ns)
