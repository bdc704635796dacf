"""The small JSON files in which hippo keeps what it knows: one way to read them, one to write them."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from hippocampus_cli.errors import FileUnwritable, OutsideWorkspace
from hippocampus_cli.workspace.atomic import replace_bytes
from hippocampus_cli.workspace.own_files import ensure_folder, is_inside
from hippocampus_cli.workspace.regular import read_regular

_Value = TypeVar("_Value")
SENSELESS = (ValueError, TypeError, KeyError, AttributeError, RecursionError, OverflowError)
"""What making a value of somebody's JSON raises where it is not what hippo writes."""


def read_state(root: Path, name: str, make: Callable[[Any], _Value]) -> _Value | None:
    """What ``make`` makes of the JSON in an own file; ``None`` where there is none, or none that makes sense."""
    import json  # a query that finds nothing to write needs none

    try:
        path = root / name
        return make(json.loads(read_regular(path))) if is_inside(root, path) else None
    except (OSError, *SENSELESS):
        return None


def encoded(value: object) -> bytes:
    """A value as such a file holds it."""
    import json

    return f"{json.dumps(value, separators=(',', ':'))}\n".encode()


def write_state(root: Path, name: str, value: object) -> None:
    """Keep a value; where the disk refuses, nothing is kept."""
    with contextlib.suppress(FileUnwritable, OutsideWorkspace):
        replace_bytes(ensure_folder(root, name), encoded(value), name)
