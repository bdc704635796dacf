"""What the disk says of a note without opening it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FileStat:
    """``path`` is relative to the workspace and ``/``-separated; ``mtime_ns`` is nanoseconds."""

    path: str
    size: int
    mtime_ns: int
