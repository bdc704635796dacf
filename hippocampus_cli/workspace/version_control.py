"""What git does to the files of a workspace, as far as hippo has to know it."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

_LONGEST = 4096  # bytes of a file that names a branch or a folder


def checked_out(root: Path) -> str:
    """What git has checked out around ``root``: the name of a branch, else a commit. Empty without a repository."""
    for folder in (root, *root.parents):
        git = folder / ".git"
        try:
            if os.path.lexists(git):
                return _first_bytes(_git_folder(git) / "HEAD").removeprefix("ref:").strip()
        except OSError:
            return ""
    return ""


def _first_bytes(path: Path) -> str:
    with path.open("rb") as file:
        return file.read(_LONGEST).decode("utf-8", "surrogateescape")


def _git_folder(git: Path) -> Path:
    """The repository's own folder; of a linked work tree, ``.git`` is a file that names it."""
    if git.is_file():
        with contextlib.suppress(ValueError):
            name = _first_bytes(git)
            return (git.parent / name.partition("gitdir:")[2].strip()).absolute()
    return git
