"""Whether all that was forgotten is out of every file: a command looks before it begins, so imports are few."""

from __future__ import annotations

from pathlib import Path

from hippocampus_cli.workspace.own_files import CACHE, FORGOTTEN
from hippocampus_cli.workspace.state import IF_SENSIBLE, read_state, version_of

STATE = f"{CACHE}/forgotten.json"
"""For which tombstones all was done, and what the files looked like after it."""


def is_finished(root: Path) -> bool:
    """Whether everything that was forgotten is out of every file, as far as is known without looking. The tombstones
    are compared as bytes: to make them out takes longer than most commands."""
    return finished(root)[0] == version_of(root, FORGOTTEN)


def finished(root: Path) -> tuple[str, dict[str, list[int]]]:
    """For which version of the tombstones the last scrub was finished, and what the files looked like after it."""
    with IF_SENSIBLE:
        row = read_state(root, STATE)
        return str(row["of"]), dict(row["clean"])
    return "", {}
