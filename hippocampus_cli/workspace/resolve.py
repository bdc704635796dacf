"""The notes of a workspace, each read once, and what a pointer leads to in them (decision D5).

Nothing outside the workspace is ever read to decide that.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Sequence
from enum import StrEnum
from pathlib import Path

from hippocampus_cli.errors import FileUnreadable, OutsideWorkspace
from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.index.pointers import Pointer
from hippocampus_cli.workspace.note import Note, Section
from hippocampus_cli.workspace.paths import (
    is_absolute,
    is_possible,
    normal,
    real_path,
    relative_to_root,
)
from hippocampus_cli.workspace.read import read_note
from hippocampus_cli.workspace.redaction import redacted, redactor_for
from hippocampus_cli.workspace.sections import names_of


class Notes:
    """Reads notes and follows pointers. Short-lived: it keeps what it read."""

    def __init__(self, root: Path, max_bytes: int) -> None:
        self.root = root
        self.max_bytes = max_bytes
        self.redactor = redactor_for(root)
        self._read: dict[str, Note | None] = {}

    def as_written(self, path: str) -> Note:
        """The note at ``path`` to be shown. Raises :class:`FileUnreadable`, :class:`OutsideWorkspace`."""
        return read_note(self.root, path, self.max_bytes)

    def note(self, path: str) -> Note | None:
        """The note at ``path``, or ``None`` for what cannot be read as one.

        It is without what must not be kept in anything derived from it.
        """
        if path not in self._read:
            try:
                written = self.as_written(path)
            except (FileUnreadable, OutsideWorkspace):
                self._read[path] = None
                return None
            self._read[path] = redacted(written, self.redactor)
        return self._read[path]

    def sections_of(self, path: str) -> Sequence[Section] | None:
        """The sections of a note, ``None`` for what is no note."""
        note = self.note(path)
        return None if note is None else note.sections

    def follow(self, pointer: Pointer) -> Resolved:
        """Where a pointer leads; nothing outside the workspace is opened."""
        return follow(self.root, pointer, self.sections_of)


OTHER_MEMORIES = ("neocortex:", "agent:")
"""What a pointer begins with that leads into another memory: a long-term store, another agent's workspace."""


class Status(StrEnum):
    """What became of a pointer. ``ok``, ``absolute`` and ``folder`` lead somewhere."""

    OK = "ok"
    ABSOLUTE = "absolute"  # it works here, and would not on another machine
    FOLDER = "folder"
    MISSING_FILE = "missing-file"
    MISSING_SECTION = "missing-section"
    OUTSIDE = "outside"
    ELSEWHERE = "elsewhere"  # it names another memory (INDEX §10): kept, and not followed
    UNREADABLE = "unreadable"  # it is there; whether it has the section, nobody can tell


class Resolved(NamedTuple):
    """Where a pointer leads: ``path`` is relative to the root, ``/``-separated, with links resolved.

    Where it leads outside, or no file can have that name, ``path`` is as written.
    ``section`` is set where the pointer names one and it was found; ``fuzzy``: by the likeness of its name.
    """

    status: Status
    path: str
    section: Section | None = None
    fuzzy: bool = False


def follow(
    root: Path, pointer: Pointer, sections_of: Callable[[str], Sequence[Section] | None]
) -> Resolved:
    """Where ``pointer`` leads; ``sections_of`` gives the sections of a file, ``None`` for what is no note."""
    file = _resolve_file(root, pointer)
    if pointer.section is None or file.status not in (Status.OK, Status.ABSOLUTE):
        return file
    sections = sections_of(file.path)
    if sections is None:
        return file._replace(status=Status.UNREADABLE)
    names = names_of(sections)
    exact = names.find(pointer.section)
    section = exact or names.likeliest(pointer.section)
    if section is None:
        return file._replace(status=Status.MISSING_SECTION)
    return file._replace(section=section, fuzzy=exact is None)


def _resolve_file(root: Path, pointer: Pointer) -> Resolved:
    """Which file ``pointer`` leads to, whatever section it names.

    Outside of ``root`` nothing is opened or listed; links are only asked where they lead.
    """
    path, absolute = pointer.path, is_absolute(pointer.path)
    if path.startswith(OTHER_MEMORIES):
        return Resolved(Status.ELSEWHERE, path)
    if not path or not is_possible(path):
        return Resolved(Status.MISSING_FILE, path)
    inside = _inside(os.fspath(root), path, absolute)
    if inside is None:
        return Resolved(Status.OUTSIDE, path)
    try:
        mode = os.lstat(os.path.join(os.path.realpath(root), inside)).st_mode
    except PermissionError:
        return Resolved(Status.UNREADABLE, inside)
    except (OSError, ValueError):
        return Resolved(Status.MISSING_FILE, inside)
    if stat.S_ISDIR(mode):
        return Resolved(Status.FOLDER, inside)
    if not stat.S_ISREG(mode):
        return Resolved(Status.MISSING_FILE, inside)
    return Resolved(Status.ABSOLUTE if absolute else Status.OK, inside)


def _inside(root: str, path: str, absolute: bool) -> str | None:
    """``path`` relative to the resolved root, or ``None`` if it is not inside."""
    relative = relative_to_root(root, path) if absolute else path
    clean = normal(relative) if relative is not None else None
    if relative and "\\" in relative:
        there = clean is not None and os.path.lexists(os.path.join(root, clean))
        if os.name == "nt" or not there:
            clean = normal(relative.replace("\\", "/"))  # written on Windows
    return None if clean is None else real_path(root, clean)
