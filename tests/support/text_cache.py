"""A workspace in memory, for tests of what searches one."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from zlib import crc32

from hippocampus_cli.search.store import Refreshed, TextCache
from hippocampus_cli.workspace.file_table import FileStat
from hippocampus_cli.workspace.note import Note

OLD = 1_000_000_000_000_000_000  # a time of change long before any reading


def stat(path: str, text: str | None) -> FileStat:
    """Text that differs has other stamps."""
    data = b"\0" if text is None else text.encode("utf-8", "surrogateescape")
    return FileStat(path, len(data), OLD + crc32(data))


def refresh(
    cache: TextCache,
    notes: Mapping[str, str | None],
    touched: Collection[str] | None = None,
) -> Refreshed:
    """Bring ``cache`` in step with ``notes``; a text of ``None`` is a file that is no note."""

    def read(path: str) -> Note | None:
        text = notes[path]
        return None if text is None else Note(path, text)

    return cache.refresh([stat(path, text) for path, text in notes.items()], read, None, touched)


def cache_of(notes: Mapping[str, str | None]) -> TextCache:
    """A cache in memory that holds ``notes``."""
    cache = TextCache(None)
    refresh(cache, notes)
    return cache
