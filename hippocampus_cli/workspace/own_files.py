"""The names of hippo's own files in a workspace, relative to its root (decision D17)."""

from __future__ import annotations

import os
from pathlib import Path

from hippocampus_cli.errors import FileUnwritable, OutsideWorkspace

INDEX = "HIPPOCAMPUS.md"
FOLDER = ".hippocampus"
CONFIG = f"{FOLDER}/config.toml"
LOCK = f"{FOLDER}/lock"
CACHE = f"{FOLDER}/cache"
ARCHIVE = f"{FOLDER}/archive"
JOURNAL = f"{FOLDER}/journal"
_IGNORE = (
    "# hippo: caches and logs; the archive, topics and config.toml belong under version control\n"
)
_IGNORED = "cache/\njournal/\nlock\n"


def ensure_folder(root: Path, name: str) -> Path:
    """The path of an own file, its folder made. Raises :class:`FileUnwritable`, :class:`OutsideWorkspace`."""
    path = root / name
    try:
        _refuse_outside(root)
        path.parent.mkdir(parents=True, exist_ok=True)
        ignore = root / FOLDER / ".gitignore"
        if not ignore.exists():
            ignore.write_text(_IGNORE + _IGNORED, encoding="utf-8")
    except OSError as error:
        raise FileUnwritable(path=name, reason=error.strerror or str(error)) from error
    return path


def _refuse_outside(root: Path) -> None:
    folder = root / FOLDER
    if folder.is_symlink() and not is_inside(root, folder):
        raise OutsideWorkspace(
            path=FOLDER, reason=f"{FOLDER} is a link that leads out of the workspace"
        )


def is_inside(root: Path, path: Path) -> bool:
    """Whether ``path``, links followed, stays within the workspace."""
    real, top = os.path.realpath(path), os.path.realpath(root)
    return real == top or real.startswith(top.rstrip(os.sep) + os.sep)
