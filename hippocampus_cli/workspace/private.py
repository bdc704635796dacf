"""Files of hippo's own that nobody may read who may not read every note (decision D17, D19).

Of a workspace with notes at 0600, index, caches, sessions and all else that is derived are at 0600 too, and folders
at 0700. What is known of it is the mode of ``.hippocampus``: what is made later follows that. Nothing is ever
loosened. Windows has no such modes, and there folders pass on what they allow.
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from hippocampus_cli.index.document import FOLDER, MASTER

READERS = 0o044
"""Group and others may read."""
_known: dict[str, int] = {}  # by root, of this process: before there is a folder to tell it


def narrow(root: str, readers: int) -> None:
    """Let nobody but ``readers`` (the bits of :data:`READERS` that every note has) read what is hippo's own."""
    if readers == READERS or os.name == "nt":
        return
    _known[root] = readers
    own = os.path.join(root, FOLDER)
    with contextlib.suppress(OSError):
        if os.lstat(own).st_mode & READERS & ~readers:
            for path in (own, os.path.join(root, MASTER), *_below(own)):
                narrow_file(path, readers)


def readers_of(root: str) -> int:
    """Who may read what is hippo's own in ``root``."""
    known = _known.get(root, READERS)
    with contextlib.suppress(OSError):
        known &= os.lstat(os.path.join(root, FOLDER)).st_mode
    return known & READERS


def mode_for(path: Path) -> int | None:
    """The mode of a new file of hippo's own; ``None`` for the usual one, and for what is not its own."""
    if os.name == "nt":
        return None
    for folder in path.parents:
        if folder.name == FOLDER.rstrip("/"):
            return _new(readers_of(os.fspath(folder.parent)))
    return _new(readers_of(os.fspath(path.parent))) if path.name == MASTER else None


def narrow_file(path: str | Path, readers: int) -> None:
    """Take from a file or a folder what ``readers`` do not have; links, and what another owns, are left alone."""
    with contextlib.suppress(OSError):
        mode = os.lstat(path).st_mode
        lost = sum(7 << shift for shift in (0, 3) if not readers & (4 << shift))
        if mode & lost and not stat.S_ISLNK(mode):
            os.chmod(path, stat.S_IMODE(mode) & ~lost)


def _new(readers: int) -> int | None:
    return None if readers == READERS else 0o600 | readers


def _below(folder: str) -> Iterator[str]:
    for where, folders, files in os.walk(folder):
        yield from (os.path.join(where, name) for name in (*folders, *files))
