"""Notes in a store of passages, without a disk."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any
from zlib import crc32

from hippocampus_cli.errors import FileUnreadable
from hippocampus_cli.search.engine import Found, SearchRequest, answer
from hippocampus_cli.search.sqlite_tables import SqliteEngine
from hippocampus_cli.search.store import PassageStore
from hippocampus_cli.workspace.file_table import FileStat, restored
from hippocampus_cli.workspace.note import Note
from hippocampus_cli.workspace.read import BINARY

OLD = 1_000_000_000_000_000_000  # a time of change long before any reading


def refresh(store: PassageStore, notes: Mapping[str, str | None]) -> list[str]:
    """Bring ``store`` in step with ``notes``, and say which were read; a text of ``None`` is a file that is no
    note."""
    paths: list[str] = []

    def read(path: str) -> Note:
        paths.append(path)
        if (text := notes[path]) is None:
            raise FileUnreadable(path=path, reason=BINARY)
        return Note(path, text)

    store.refresh([stat(path, text) for path, text in notes.items()], read)
    return paths


def stat(path: str, text: str | None) -> FileStat:
    data = (text or "\0").encode("utf-8", "surrogateescape")
    return FileStat(path, len(data), OLD + crc32(data))


def store_of(notes: Mapping[str, str | None], store: PassageStore | None = None) -> PassageStore:
    """A store of ``notes``, in memory by default."""
    store = store or PassageStore(SqliteEngine(None))
    refresh(store, notes)
    return store


def paths_of(store: PassageStore) -> list[str]:
    """Every file that is known, in path order."""
    return store.healing(lambda db: sorted(restored(row[1]) for row in db.files()))


def ask(store: PassageStore, text: str, **more: Any) -> Found:
    """The answer to ``text`` from what ``store`` has; ``more`` are fields of the request."""
    return store.healing(partial(answer, request=SearchRequest(text, **more)))
