"""A workspace before and after, in memory: the notes as upkeep last saw them, and as they are now."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from pathlib import PurePosixPath

from hippocampus_cli.config.settings import Config
from hippocampus_cli.index.pointers import Pointer
from hippocampus_cli.maintenance.actions import Kind
from hippocampus_cli.maintenance.candidates import NoteFile
from hippocampus_cli.maintenance.snapshot import Snapshot
from hippocampus_cli.workspace.file_table import FileStat
from hippocampus_cli.workspace.fingerprints import Fingerprint, fingerprint
from hippocampus_cli.workspace.note import Note
from hippocampus_cli.workspace.paths import is_absolute, normal
from hippocampus_cli.workspace.resolve import Resolved, Status
from hippocampus_cli.workspace.sections import names_of

NOW = datetime(2026, 3, 9, 2, 30, tzinfo=UTC)


@dataclass
class Notes:
    """Notes by path. ``read`` collects the paths of those that somebody wanted to read."""

    texts: Mapping[str, str]
    read: set[str] = field(default_factory=set)
    _notes: dict[str, Note] = field(default_factory=dict)

    def note(self, path: str) -> Note | None:
        if path not in self.texts:
            return None
        self.read.add(path)
        return self._notes.setdefault(path, Note(path, self.texts[path]))

    @cached_property
    def _folders(self) -> frozenset[str]:
        return frozenset(str(one) for path in self.texts for one in PurePosixPath(path).parents)

    def follow(self, pointer: Pointer) -> Resolved:
        """As on a disk that holds these notes and nothing else."""
        path = normal(pointer.path)
        if path is None or is_absolute(pointer.path):
            return Resolved(Status.OUTSIDE, pointer.path)
        note = self.note(path)
        if note is None:
            folder = path in self._folders
            return Resolved(Status.FOLDER if folder else Status.MISSING_FILE, path)
        if pointer.section is None:
            return Resolved(Status.OK, path)
        names = names_of(note.sections)
        exact = names.find(pointer.section)
        section = exact or names.likeliest(pointer.section)
        status = Status.OK if section else Status.MISSING_SECTION
        return Resolved(status, path, section, fuzzy=section is not exact)


def prints(texts: Mapping[str, str]) -> dict[str, Fingerprint]:
    """The fingerprints of notes."""
    return {
        path: fingerprint(Note(path, text), FileStat(path, len(text), 0), 2**62)
        for path, text in texts.items()
    }


def snapshot_of(
    before: Mapping[str, str],
    after: Mapping[str, str],
    *,
    now: datetime = NOW,
    undone: frozenset[tuple[Kind, str]] = frozenset(),
    notes: Notes | None = None,
) -> Snapshot:
    """What upkeep sees that last ran when the notes were as ``before``; ``{}``: it remembers nothing."""
    notes = notes or Notes(after)
    changed = [path for path, text in after.items() if before.get(path) != text]
    return Snapshot(
        now=now,
        config=Config(),
        paths=frozenset(after),
        note=notes.note,
        follow=notes.follow,
        fresh=tuple(NoteFile(Note(path, after[path]), now.date()) for path in changed),
        known=prints(before),
        changed=dict.fromkeys(before.keys() - after.keys())
        | prints({path: after[path] for path in changed}),
        undone=undone,
    )
