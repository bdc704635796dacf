"""The nearest of very many vectors by the signs of their numbers: a bit a number, 5 MB for a hundred thousand texts.

Where two vectors are near each other most of their numbers have the same sign. That finds who may be nearest, in
milliseconds and without reading the vectors; those few are then compared in full by who asks.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hippocampus_cli.embedding.embedder import Ids, Vectors

WORD = 64  # bits that are compared at once


class BinaryVectors:
    """The signs of vectors of one length, and whose they are. ``ids`` and ``bits`` have a row for each."""

    def __init__(self, ids: Ids, bits: NDArray[np.uint64]) -> None:
        self.ids = ids
        self.bits = bits

    @classmethod
    def of(cls, blocks: Iterable[tuple[Ids, Vectors]], dimensions: int) -> BinaryVectors:
        """The signs of the vectors in ``blocks``, each with their ids."""
        nothing = np.empty(0, np.int64), packed(np.empty((0, dimensions), np.float32))
        made = [nothing, *((ids, packed(vectors)) for ids, vectors in blocks)]
        return cls(*map(np.concatenate, zip(*made, strict=True)))

    def near(self, vector: Vectors, most: int) -> Ids:
        """The ids of the ``most`` whose signs are most like those of ``vector``, in no order."""
        differ = np.bitwise_count(self.bits ^ packed(vector[None])).sum(axis=1, dtype=np.uint32)
        if len(differ) <= most:
            return self.ids
        return self.ids[np.argpartition(differ, most - 1)[:most]]


def packed(vectors: Vectors) -> NDArray[np.uint64]:
    """A bit for each number, filled up to whole words with zeros."""
    rest = -vectors.shape[1] % WORD
    return np.packbits(np.pad(vectors > 0, ((0, 0), (0, rest))), axis=1).view(np.uint64)
