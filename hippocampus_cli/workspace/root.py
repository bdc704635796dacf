"""Where the workspace begins."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from hippocampus_cli.errors import WorkspaceNotFound, WorkspaceUnusable
from hippocampus_cli.workspace.own_files import INDEX
from hippocampus_cli.workspace.version_control import main_worktree

_SIGNS = ("MEMORY.md", "AGENTS.md", "memory/")
_MARKDOWN = (".md", ".markdown", ".mdx")


class NoPlainFolder(WorkspaceNotFound):
    """The folder one stands in is not made a workspace unless it is named."""

    what = "no workspace found from {path} upwards, and this folder is not made one: {reason}"
    next = (
        "run `hippo bootstrap` in the folder of your notes; if it is this one, name it:"
        " `hippo bootstrap --workspace .`"
    )


def find_workspace(start: Path, explicit: Path | None, from_env: str | None) -> Path:
    """The absolute root folder: ``explicit``, else ``from_env``, else found from ``start`` upwards.

    Upwards means: the nearest folder with HIPPOCAMPUS.md, else the same of git's main worktree, where this is another
    one of its repository, else the nearest with MEMORY.md, AGENTS.md or a ``memory`` folder. The root of the file
    system is never taken. Relative paths are relative to ``start``.

    Raises:
        WorkspaceUnusable: the folder that was named does not exist, or is not a folder.
        WorkspaceNotFound: nothing was named, and nothing was found.
    """
    if explicit is not None:
        return _named(start, os.fspath(explicit), "--workspace")
    if from_env:
        return _named(start, from_env, "HIPPO_WORKSPACE")
    folders = list(_upwards(start))
    for among, signs in ((folders, (INDEX,)), (_in_main(folders), (INDEX,)), (folders, _SIGNS)):
        for folder in among:
            # A broken HIPPOCAMPUS.md (a folder, a dead link) is a sign too: whoever opens it says what is wrong.
            if any(os.path.lexists(os.path.join(folder, sign)) for sign in signs):
                return Path(folder)
    raise WorkspaceNotFound(path=os.path.abspath(start), looked_for=", ".join((INDEX, *_SIGNS)))


def plain_folder(folder: Path, home: Path, notes: Callable[[Path], Iterable[str]]) -> Path:
    """``folder`` as a new workspace, where none was named and none is found; ``notes`` lists the paths of its notes.

    Raises:
        NoPlainFolder: it has no markdown, or is the user's home or the root of the file system.
    """
    path = os.path.realpath(folder)
    if os.path.dirname(path) == path:
        raise NoPlainFolder(path=path, reason="it is the root of the file system")
    if path == os.path.realpath(home):
        raise NoPlainFolder(path=path, reason="it is your home folder")
    if not any(one.lower().endswith(_MARKDOWN) for one in notes(folder)):
        raise NoPlainFolder(path=path, reason="it has no markdown notes")
    return folder


def _named(start: Path, given: str, origin: str) -> Path:
    folder = os.path.join(start, given)
    if os.path.isdir(folder):
        return Path(os.path.abspath(folder))
    raise WorkspaceUnusable(
        path=os.path.abspath(folder),
        reason="is not a folder" if os.path.lexists(folder) else "does not exist",
        origin=origin,
    )


def _upwards(start: Path) -> Iterator[str]:
    """``start`` and its ancestors, without the root of the file system."""
    folder = os.path.abspath(start)
    while (parent := os.path.dirname(folder)) != folder:
        yield folder
        folder = parent


def _in_main(folders: list[str]) -> Iterator[str]:
    """The same folders in git's main worktree, up to its top; none where this is no worktree beside it."""
    for folder in folders:
        main = main_worktree(folder)
        if main is not None:
            inner = os.path.relpath(folders[0], folder)
            yield from (one for one in _upwards(Path(main, inner)) if len(one) >= len(main))
            return
