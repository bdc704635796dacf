"""What git does to the files of a workspace, as far as hippo has to know it."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path


def checkout_stamp(root: Path) -> str:
    """What changes whenever git writes the work tree around ``root`` (checkout, merge, rebase, stash): the look of
    git's own list of files. Empty where no git repository is around it."""
    for folder in (root, *root.parents):
        git = folder / ".git"
        try:
            if not os.path.lexists(git):
                continue
            index = os.stat(_git_folder(git) / "index")
            return f"{index.st_mtime_ns}-{index.st_ino}"
        except OSError:
            return ""
    return ""


def _git_folder(git: Path) -> Path:
    """The repository's own folder; of a linked work tree, ``.git`` is a file that names it."""
    if git.is_file():
        with contextlib.suppress(ValueError):
            name = git.read_bytes()[:4096].decode("utf-8", "surrogateescape")
            return (git.parent / name.partition("gitdir:")[2].strip()).absolute()
    return git
