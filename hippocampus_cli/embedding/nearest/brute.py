"""Every vector compared: exact, nothing to tune or to keep, and quick enough for a hundred thousand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from hippocampus_cli.embedding.nearest.index import Found

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hippocampus_cli.embedding.embedder import Vectors

_ROWS = 16_384  # vectors compared at a time, so that the cosines of many questions stay small
# Equal vectors can have cosines that differ in the last bit: it depends on the row they stand in.
_EQUAL = np.float32(1e-6)


class BruteForce:
    """A vector index in memory (:class:`~hippocampus_cli.embedding.nearest.index.NearestIndex`)."""

    def __init__(self, dimensions: int) -> None:
        self._rows: Vectors = np.empty((0, dimensions), dtype=np.float32)
        self._ids: NDArray[np.int64] = np.empty(0, dtype=np.int64)

    def __len__(self) -> int:
        return len(self._ids)

    def add(self, ids: Sequence[int], vectors: Vectors) -> None:
        """As the protocol says; of an id that is given twice the last counts."""
        last = {one: at for at, one in enumerate(ids)}
        self.remove(list(last))
        added = np.fromiter(last, dtype=np.int64, count=len(last))
        self._ids = np.concatenate([self._ids, added])
        self._rows = np.concatenate([self._rows, vectors[list(last.values())]])

    def remove(self, ids: Sequence[int]) -> None:
        """As the protocol says."""
        gone = np.isin(self._ids, np.asarray(ids, dtype=np.int64))
        if gone.any():
            self._ids, self._rows = self._ids[~gone], self._rows[~gone]

    def search(self, vectors: Vectors, k: int) -> list[Found]:
        """As the protocol says; exact."""
        best = [_NONE] * len(vectors)
        for at in range(0, len(self._ids), _ROWS):
            ids = self._ids[at : at + _ROWS]
            cosines = vectors @ self._rows[at : at + _ROWS].T
            best = [_merged(found, ids, row, k) for found, row in zip(best, cosines, strict=True)]
        return best

    def close(self) -> None:
        """Nothing is held."""


_NONE = Found(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.float32))


def _merged(found: Found, ids: NDArray[np.int64], cosines: NDArray[np.float32], k: int) -> Found:
    """The ``k`` best of ``found`` and of a further block."""
    if len(ids) > k:
        floor = np.partition(cosines, len(ids) - k)[len(ids) - k] if k else np.inf
        near = cosines >= floor - _EQUAL  # ids decide among those as near as the last
        ids, cosines = ids[near], cosines[near]
    return ranked(np.concatenate([found.ids, ids]), np.concatenate([found.cosines, cosines]), k)


def ranked(ids: NDArray[np.int64], cosines: NDArray[np.float32], k: int) -> Found:
    """The first ``k``: the nearest first, equally near ones by id."""
    order = np.lexsort((ids, -np.rint(cosines / _EQUAL)))[:k]
    return Found(ids[order], cosines[order])
