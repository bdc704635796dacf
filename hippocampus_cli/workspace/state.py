"""The small JSON files in which hippo keeps what it knows: one way to read them, one to write them."""

from __future__ import annotations

import contextlib
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from hippocampus_cli.errors import FileUnwritable, OutsideWorkspace
from hippocampus_cli.workspace.atomic import replace_bytes
from hippocampus_cli.workspace.own_files import ensure_folder, is_inside
from hippocampus_cli.workspace.regular import MOST_BYTES, read_regular

SENSELESS = (ValueError, TypeError, KeyError, AttributeError, RecursionError, OverflowError)
"""What making a value of somebody's JSON raises where it is not what hippo writes."""
IF_SENSIBLE = contextlib.suppress(*SENSELESS)
"""Around such a making: what follows the block is for JSON that is not."""


def read_state(root: Path, name: str) -> Any:
    """The JSON in an own file; ``None`` where there is none, or none that makes sense. What is made of it may raise
    what :data:`IF_SENSIBLE` keeps back."""
    return next(rows([_bytes(root, name)], lambda value: value), None)


def version_of(root: Path, name: str) -> str:
    """What changes with the bytes of an own file; empty where there is none that can be read."""
    data = _bytes(root, name)
    return f"{len(data)}-{zlib.crc32(data):08x}" if data else ""


def _bytes(root: Path, name: str) -> bytes:
    """The bytes of an own file, of which none is large; nothing where there is none that can be read."""
    with contextlib.suppress(OSError):
        if is_inside(root, root / name):
            return read_regular(root / name, MOST_BYTES, whole=True)
    return b""


def rows(lines: Iterable[bytes], make: Callable[[Any], Any]) -> Iterator[Any]:
    """What is made of each line of JSON; a line of which nothing can be made is skipped."""
    import json  # a query that finds nothing to write needs none

    for line in lines:
        with IF_SENSIBLE:
            yield make(json.loads(line))


def encoded(value: object) -> bytes:
    """A value as such a file holds it."""
    import json

    return f"{json.dumps(value, separators=(',', ':'))}\n".encode()


def keep(root: Path, name: str, data: bytes) -> None:
    """Keep the bytes of such a file; where the disk refuses, nothing is kept."""
    with contextlib.suppress(FileUnwritable, OutsideWorkspace):
        replace_bytes(ensure_folder(root, name), data, name)
