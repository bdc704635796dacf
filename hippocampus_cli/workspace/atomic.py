"""Replacing a file so that a reader, or a crash, sees the old bytes or the new ones and nothing between."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from pathlib import Path
from types import EllipsisType

from hippocampus_cli.errors import FileUnwritable
from hippocampus_cli.workspace.regular import read_regular

_SUFFIX = ".hippo-tmp"


class Overtaken(Exception):
    """Somebody who knows nothing of locks wrote the file since it was read; it is as they left it."""


def replace_bytes(
    path: Path, data: bytes, shown: str, expected: bytes | EllipsisType | None = ...
) -> None:
    """Write ``data`` beside ``path``, sync it, and rename it over ``path``, keeping its permissions.

    Leftovers of writers that were killed are removed; the caller holds the lock, so they are nobody's.
    ``expected`` is what must be there still (``None``: nothing) when all that is left to do is the rename.
    Raises :class:`FileUnwritable` (naming ``shown``) and :class:`Overtaken`, and then ``path`` is as it was.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}{_SUFFIX}")
    try:
        _clear_leftovers(path)
        _write_synced(temporary, data, _mode_of(path))
        check_still(path, expected)
        _rename(temporary, path)
        _sync_folder(path.parent)
    except OSError as error:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise FileUnwritable(path=shown, reason=error.strerror or str(error)) from error
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise


def check_still(path: Path, expected: bytes | EllipsisType | None) -> None:
    """Raises :class:`Overtaken` where ``path`` holds something else; ``...`` is anything."""
    if expected is ...:
        return
    try:
        there = read_regular(path)
    except FileNotFoundError:
        there = None
    if there != expected:
        raise Overtaken


def _mode_of(path: Path) -> int | None:
    try:
        return path.stat().st_mode & 0o7777
    except FileNotFoundError:
        return None


def _write_synced(path: Path, data: bytes, mode: int | None) -> None:
    with path.open("wb") as file:
        if mode is not None and hasattr(os, "fchmod"):
            os.fchmod(file.fileno(), mode)
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _rename(source: Path, target: Path) -> None:
    """Rename over the target. On Windows a reader may hold it open for a moment: try again for a second."""
    for attempt in range(50):
        try:
            source.replace(target)
            return
        except PermissionError:
            if sys.platform != "win32" or attempt == 49:
                raise
            time.sleep(0.02)


def _sync_folder(folder: Path) -> None:
    """Make the rename durable where folders can be synced (not on Windows, not on every file system)."""
    if sys.platform == "win32":
        return
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _clear_leftovers(path: Path) -> None:
    prefix = f".{path.name}."
    for leftover in path.parent.iterdir():
        if leftover.name.startswith(prefix) and is_leftover(leftover.name):
            with contextlib.suppress(OSError):
                leftover.unlink()


def is_leftover(name: str) -> bool:
    """Whether a file's name is that of one that is written before it is renamed."""
    return name.startswith(".") and name.endswith(_SUFFIX)
