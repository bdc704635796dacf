"""Finding the workspace: the folder that is named, else the nearest one that looks like one."""

from __future__ import annotations

from pathlib import Path

from hippocampus_cli.errors import WorkspaceNotFound

INDEX_NAME = "HIPPOCAMPUS.md"
_SIGNS = ("MEMORY.md", "AGENTS.md", "memory")


def find_workspace(start: Path, explicit: Path | None, from_env: str | None) -> Path:
    """The workspace's folder: ``explicit``, else ``from_env``, else the nearest one from ``start`` up.

    An index anywhere above outweighs a mere sign of an agent nearer by. Raises WorkspaceNotFound.
    """
    named = explicit or (Path(from_env) if from_env else None)
    if named is not None:
        if not named.is_dir():
            raise WorkspaceNotFound(path=str(named), looked_for="that folder")
        return named.resolve()
    here = start.resolve()
    for signs in ((INDEX_NAME,), _SIGNS):
        for folder in (here, *here.parents):
            if any((folder / sign).exists() for sign in signs):
                return folder
    raise WorkspaceNotFound(path=str(here), looked_for=", ".join((INDEX_NAME, *_SIGNS)))
