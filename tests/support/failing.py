"""A disk that fills up, a process that dies, an editor that saves: at the n-th file that is replaced from now on."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from unittest.mock import patch

from hippocampus_cli.workspace import atomic


class Killed(BaseException):
    """Stands for a process that is gone: nothing of ours catches it."""


class Fault(StrEnum):
    """What happens at the n-th write."""

    FULL_ONCE = "the disk has no room for one file"
    FULL = "the disk has no room from then on"
    KILLED_BEFORE = "killed before the file takes its place"
    KILLED_AFTER = "killed when the file has taken its place"


KILLS = frozenset((Fault.KILLED_BEFORE, Fault.KILLED_AFTER))


@contextmanager
def failing(fault: Fault, write: int) -> Iterator[None]:
    """Let the ``write``-th replacement of a file (from 1) fail. Nothing is synced meanwhile: it only takes time."""
    rename, count = atomic._rename, 0

    def broken(source: Path, target: Path, how: int = 0) -> None:
        nonlocal count
        count += 1
        if fault in KILLS and count == write:
            if fault is Fault.KILLED_AFTER:
                rename(source, target, how)
            raise Killed
        if count == write or (fault is Fault.FULL and count > write):
            raise OSError(28, "No space left on device")
        rename(source, target, how)

    with patch.object(atomic, "_rename", broken):
        yield


@contextmanager
def interrupted(write: int, act: Callable[[], None]) -> Iterator[None]:
    """Let somebody else act when the ``write``-th file (from 1) is written, and not yet in its place."""
    written, count = atomic._write_synced, 0

    def slow(path: Path, data: bytes, old: os.stat_result | None, mode: int | None) -> None:
        nonlocal count
        count += 1
        written(path, data, old, mode)
        if count == write:
            act()

    with patch.object(atomic, "_write_synced", slow):
        yield
