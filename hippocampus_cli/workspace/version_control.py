"""What git does to the files of a workspace, as far as hippo has to know it."""

from __future__ import annotations

import os
from pathlib import Path

_LONGEST = 4096  # bytes of a file that names a branch or a folder


def checked_out(root: Path) -> str:
    """What git has checked out around ``root``: the name of a branch, else a commit. Empty without a repository."""
    for folder in (root, *root.parents):
        git = os.path.join(folder, ".git")
        if os.path.lexists(git):
            head = _first_line(os.path.join(_linked_folder(git) or git, "HEAD"))
            return head.removeprefix("ref:").strip()
    return ""


def main_worktree(folder: str) -> str | None:
    """The main worktree of the repository that a folder is another worktree of; git has to know it as one."""
    link = os.path.join(folder, ".git")
    own = _linked_folder(link)
    common = _first_line(os.path.join(own, "commondir")) if own else ""
    known = _first_line(os.path.join(own, "gitdir")) if common else ""
    if not known or os.path.realpath(known) != os.path.realpath(link):
        return None
    shared = os.path.abspath(os.path.join(own, common))
    return os.path.dirname(shared) if os.path.basename(shared) == ".git" else None


def _linked_folder(git: str) -> str:
    """The repository's own folder that ``.git`` of a linked work tree, a file, names; empty where it is none."""
    named = _first_line(git).partition("gitdir:")[2].strip()
    return os.path.abspath(os.path.join(os.path.dirname(git), named)) if named else ""


def _first_line(path: str) -> str:
    """The first line of a small file, empty where there is none."""
    try:
        with open(path, "rb") as file:
            return file.readline(_LONGEST).decode("utf-8", "surrogateescape").strip()
    except (OSError, ValueError):
        return ""
