"""What a pointer leads to, decided without ever reading outside the workspace (decision D5)."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Generic, NamedTuple, Protocol

from hippocampus_cli.workspace.paths import (
    is_absolute,
    is_possible,
    normal,
    real_path,
    relative_to_root,
)
from hippocampus_cli.workspace.sections import How, S, find_section


class PointerLike(Protocol):
    """A path relative to the workspace, and maybe a section's name."""

    @property
    def path(self) -> str: ...
    @property
    def section(self) -> str | None: ...


class Status(StrEnum):
    """What became of a pointer. ``ok``, ``absolute`` and ``folder`` lead somewhere."""

    OK = "ok"
    ABSOLUTE = "absolute"  # it works here, and would not on another machine
    FOLDER = "folder"
    MISSING_FILE = "missing-file"
    MISSING_SECTION = "missing-section"
    OUTSIDE = "outside"
    UNREADABLE = "unreadable"  # it is there; whether it has the section, nobody can tell


class Resolved(NamedTuple, Generic[S]):
    """Where a pointer leads: ``path`` is relative to the root, ``/``-separated, with links resolved.

    Where it leads outside, or no file can have that name, ``path`` is as written.
    ``section`` and ``how`` are set where the pointer names a section and it was found.
    """

    status: Status
    path: str
    section: S | None = None
    how: How | None = None


def resolve(
    root: Path, pointer: PointerLike, sections_of: Callable[[str], Sequence[S] | None]
) -> Resolved[S]:
    """Where ``pointer`` leads. ``sections_of`` gives a note's sections, or ``None`` for what is no note.

    Outside of ``root`` nothing is opened or listed; links are only asked where they lead.
    """
    path, absolute = pointer.path, is_absolute(pointer.path)
    if not path or not is_possible(path):
        return Resolved(Status.MISSING_FILE, path)
    base = os.fspath(root)
    inside = _inside(base, path, absolute)
    if inside is None:
        return Resolved(Status.OUTSIDE, path)
    mode = _mode(os.path.join(os.path.realpath(base), inside))
    if mode is None:
        return Resolved(Status.UNREADABLE, inside)
    if stat.S_ISDIR(mode):
        return Resolved(Status.FOLDER, inside)
    if not stat.S_ISREG(mode):
        return Resolved(Status.MISSING_FILE, inside)
    fine = Status.ABSOLUTE if absolute else Status.OK
    if pointer.section is None:
        return Resolved(fine, inside)
    sections = sections_of(inside)
    if sections is None:
        return Resolved(Status.UNREADABLE, inside)
    found = find_section(sections, pointer.section)
    if found is None:
        return Resolved(Status.MISSING_SECTION, inside)
    return Resolved(fine, inside, found.section, found.how)


def _inside(root: str, path: str, absolute: bool) -> str | None:
    """``path`` relative to the resolved root, or ``None`` if it is not inside."""
    relative = relative_to_root(root, path) if absolute else path
    if relative is None:
        return None
    if "\\" in relative and (os.name == "nt" or not _exists(root, relative)):
        relative = relative.replace("\\", "/")  # written on Windows
    clean = normal(relative)
    return None if clean is None else real_path(root, clean)


def _exists(root: str, path: str) -> bool:
    clean = normal(path)
    return clean is not None and os.path.lexists(os.path.join(root, clean))


def _mode(file: str) -> int | None:
    """The file's mode; 0 where there is nothing, ``None`` where it is forbidden to look."""
    try:
        return os.lstat(file).st_mode
    except PermissionError:
        return None
    except (OSError, ValueError):
        return 0
