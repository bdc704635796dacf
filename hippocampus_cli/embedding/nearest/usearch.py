"""A graph of neighbours (HNSW) in a file, by usearch: for so many vectors that a scan takes too long. Not exact."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hippocampus_cli.errors import ExtraMissing, NearestFailed

if TYPE_CHECKING:
    from hippocampus_cli.embedding.embedder import Ids, Vectors

# How many candidates a search keeps: with usearch's own 64 one near vector in ten was missed among 10,000.
_EXPANSION = 512
# A byte a number: a hundred thousand take 53 MB and a third of the time that floats take to build, and among the
# nearest fifty of so many no more were missed (.999 to .997).
_STORED = "i8"


class Usearch:
    """An index in the file ``path`` (:class:`~hippocampus_cli.embedding.nearest.index.NearestIndex`).

    ``path`` is the user's own: usearch trusts the files that it reads. Raises :class:`ExtraMissing` where usearch
    is not installed. A file that is none of its own is begun anew.
    """

    shared = False

    def __init__(self, path: Path, dimensions: int) -> None:
        try:
            from usearch.index import Index
        except ImportError as error:
            raise ExtraMissing(feature="the vector index usearch", extra="usearch") from error
        self._path = path
        engine: Any = Index
        self._index = engine(
            ndim=dimensions, metric="cos", dtype=_STORED, expansion_search=_EXPANSION
        )
        self.place = ""
        """Its file as it was read or written, by its size and its time; none where there is none of its own."""
        with contextlib.suppress(OSError, RuntimeError, ValueError, TypeError, KeyError):
            if engine.metadata(str(path))["dimensions"] == dimensions:
                place = _place(path)
                self._index = engine.restore(str(path))
                self._index.expansion_search = _EXPANSION
                self.place = place

    def __len__(self) -> int:
        return len(self._index)

    def add(self, ids: Ids, vectors: Vectors) -> None:
        """As the protocol says."""
        if len(ids):
            self.remove(ids)
            self._index.add(_keys(ids), np.ascontiguousarray(vectors))

    def remove(self, ids: Ids) -> None:
        """As the protocol says."""
        keys = _keys(ids)
        there = keys[self._index.contains(keys)] if len(keys) and len(self._index) else keys[:0]
        if len(there):
            self._index.remove(there)

    def near(self, vector: Vectors, most: int) -> Ids:
        """As the protocol says."""
        if not most:
            return np.empty(0, np.int64)
        if most >= len(self._index):
            return self.ids()  # a graph may miss some even of these
        found = self._index.search(np.ascontiguousarray(vector), most)
        return np.asarray(found.keys, np.uint64).view(np.int64)

    def ids(self) -> Ids:
        """As the protocol says."""
        return np.array(self._index.keys[:], dtype=np.uint64).view(np.int64)

    def save(self) -> None:
        """Replace the file."""
        beside = self._path.with_name(f"{self._path.name}.{os.getpid()}.new")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._index.save(str(beside))
            self.place = _place(beside, self._path)
            beside.replace(self._path)
        except (OSError, RuntimeError) as error:
            with contextlib.suppress(OSError):
                beside.unlink()
            raise NearestFailed(
                place=str(self._path),
                reason=" ".join(str(error).split())[:300],
                advice="make room there, or choose another: embedding.nearest",
            ) from error

    def close(self) -> None:
        """Let go of the memory."""
        self._index.reset()


def _keys(ids: Ids) -> Any:
    """usearch counts from 0 on."""
    return np.ascontiguousarray(ids, np.int64).view(np.uint64)


def _place(file: Path, name: Path | None = None) -> str:
    status = file.stat()
    return f"usearch {name or file} {status.st_size} {status.st_mtime_ns}"
