"""Whether all that was forgotten is out of every file: a command looks before it begins, so imports are few."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from hippocampus_cli.workspace.atomic import replace_bytes
from hippocampus_cli.workspace.own_files import CACHE, FORGOTTEN, ensure_folder
from hippocampus_cli.workspace.state import IF_SENSIBLE, encoded, read_state, version_of

STATE = f"{CACHE}/forgotten.json"
"""For which tombstones all was done, and what the files looked like after it."""
BEGUN = "begun"
"""In the place of a version of the tombstones: forgetting has begun, and nobody knows what of it is done."""


def keep_state(root: Path, version: str, clean: Mapping[str, list[int]]) -> None:
    """Write down for which version of the tombstones all is out of every file, and what those look like: nothing
    until what was deleted is made again. Raises as :func:`ensure_folder`: without it no run could finish."""
    replace_bytes(ensure_folder(root, STATE), encoded({"of": version, "clean": clean}), STATE)


def is_finished(root: Path) -> bool:
    """Whether everything that was forgotten is out of every file, and what was deleted is made again, as far as is
    known without looking. The tombstones are compared as bytes: to make them out takes longer than most commands."""
    of, clean = finished(root)
    return of == version_of(root, FORGOTTEN) and (not of or bool(clean))


def finished(root: Path) -> tuple[str, dict[str, list[int]]]:
    """For which version of the tombstones all is out of every file, and what those looked like once what had been
    deleted was made again: nothing until then."""
    with IF_SENSIBLE:
        row = read_state(root, STATE)
        return str(row["of"]), dict(row["clean"])
    return "", {}
