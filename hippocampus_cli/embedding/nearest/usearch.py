"""A graph of neighbours (HNSW), by usearch: for so many vectors that a scan takes too long. Not exact."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from hippocampus_cli.embedding.nearest.brute import ranked
from hippocampus_cli.embedding.nearest.index import Found
from hippocampus_cli.errors import ExtraMissing

if TYPE_CHECKING:
    from hippocampus_cli.embedding.embedder import Vectors

# How many candidates a search keeps: with usearch's own 64 one near vector in ten was missed among 10,000.
_EXPANSION = 512


class Usearch:
    """A vector index in memory (:class:`~hippocampus_cli.embedding.nearest.index.NearestIndex`).

    Raises :class:`ExtraMissing` where usearch is not installed.
    """

    def __init__(self, dimensions: int) -> None:
        try:
            from usearch.index import Index
        except ImportError as error:
            raise ExtraMissing(feature="the vector index usearch", extra="usearch") from error
        self._index = Index(ndim=dimensions, metric="ip", dtype="f32", expansion_search=_EXPANSION)

    def __len__(self) -> int:
        return len(self._index)

    def add(self, ids: Sequence[int], vectors: Vectors) -> None:
        """As the protocol says; of an id that is given twice the last counts."""
        last = {one: at for at, one in enumerate(ids)}
        if last:
            self.remove(list(last))
            keys = np.fromiter(last, dtype=np.uint64, count=len(last))
            self._index.add(keys, np.ascontiguousarray(vectors[list(last.values())]))

    def remove(self, ids: Sequence[int]) -> None:
        """As the protocol says."""
        for one in ids:
            if one in self._index:
                self._index.remove(one)

    def search(self, vectors: Vectors, k: int) -> list[Found]:
        """As the protocol says; a near one is missed now and then."""
        k = min(k, len(self._index))
        if not k:
            return [_none() for _ in vectors]
        found: list[Found] = []
        for vector in vectors:
            near = self._index.search(np.ascontiguousarray(vector), k)
            cosines = (1 - near.distances).astype(np.float32)
            found.append(ranked(near.keys.astype(np.int64), cosines, k))
        return found

    def close(self) -> None:
        """Nothing is held."""


def _none() -> Found:
    return Found(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.float32))
