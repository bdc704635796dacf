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

_WORD = 8  # bytes that are compared at once


class BinaryVectors:
    """The signs of vectors of one length, and whose they are. ``ids`` and ``bits`` have a row for each."""

    def __init__(self, ids: Ids, bits: NDArray[np.uint64]) -> None:
        self.ids = ids
        self.bits = bits

    @classmethod
    def of(cls, blocks: Iterable[tuple[Ids, Vectors]], dimensions: int) -> BinaryVectors:
        """The signs of the vectors in ``blocks``, each with their ids."""
        made = [(ids, packed(vectors)) for ids, vectors in blocks]
        if not made:
            return cls(np.empty(0, np.int64), packed(np.empty((0, dimensions), np.float32)))
        return cls(
            np.concatenate([ids for ids, _ in made]), np.concatenate([bits for _, bits in made])
        )

    @classmethod
    def stored(cls, ids: bytes, bits: bytes, dimensions: int) -> BinaryVectors | None:
        """What was written with ``tobytes``; ``None`` where it cannot be of vectors of that length."""
        words = len(packed(np.empty((1, dimensions), np.float32))[0])
        if len(bits) != len(ids) * words or len(ids) % _WORD:
            return None
        rows = np.frombuffer(bits, np.uint64).reshape(-1, words)
        return cls(np.frombuffer(ids, np.int64), rows)

    def near(self, vector: Vectors, most: int) -> Ids:
        """The ids of the ``most`` whose signs are most like those of ``vector``, in no order."""
        differ = np.bitwise_count(self.bits ^ packed(vector[None])).sum(axis=1, dtype=np.uint32)
        if len(differ) <= most:
            return self.ids
        return self.ids[np.argpartition(differ, most - 1)[:most]]


def packed(vectors: Vectors) -> NDArray[np.uint64]:
    """A bit for each number, filled up to whole words with zeros."""
    bits = np.packbits(vectors > 0, axis=1)
    rest = -bits.shape[1] % _WORD
    return np.ascontiguousarray(np.pad(bits, ((0, 0), (0, rest)))).view(np.uint64)
