"""Taking a snapshot of a workspace: the scan, what is new since last time, the journal, the history."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

from hippocampus_cli.config.settings import Config
from hippocampus_cli.maintenance.candidates import NoteFile
from hippocampus_cli.maintenance.history import refused
from hippocampus_cli.maintenance.snapshot import Snapshot
from hippocampus_cli.workspace.defrag import defrag_cycles
from hippocampus_cli.workspace.files import FileStat
from hippocampus_cli.workspace.fingerprints import Fingerprint, fingerprint, load
from hippocampus_cli.workspace.journal_read import read
from hippocampus_cli.workspace.meta import Meta
from hippocampus_cli.workspace.notes import Notes
from hippocampus_cli.workspace.scan import scan
from hippocampus_cli.workspace.version_control import checkout_stamp

Progress = Callable[[int, int], object]
_JOURNAL_DAYS = 90


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
    unread = [stat for stat in found if not _settled(known.get(stat.path), stat)]
    present = {stat.path: known[stat.path] for stat in found if stat.path in known}
    fresh = []
    for count, stat in enumerate(unread, 1):
        if progress:
            progress(count, len(unread))
        note = notes.note(stat.path)
        if note is None:
            present.pop(stat.path, None)
            continue
        present[stat.path] = fingerprint(note, stat)
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
        kept_out=notes.kept_out,
        redactor=notes.redactor,
        undone=refused(root),
        checkout=checkout_stamp(root),
    )


def modified(stat: FileStat, now: datetime) -> datetime:
    """When a file was changed, in the time zone of ``now``; ``now`` where the disk says nonsense."""
    try:
        return datetime.fromtimestamp(stat.mtime_ns / 1e9, now.tzinfo)
    except (ValueError, OverflowError, OSError):
        return now


def _settled(before: Fingerprint | None, stat: FileStat) -> bool:
    return before is not None and before.settles(stat)
