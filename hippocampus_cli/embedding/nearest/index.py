"""What a vector index is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hippocampus_cli.embedding.embedder import Vectors


class Found(NamedTuple):
    """The nearest of one search: ``ids`` and their ``cosines``, the nearest first, equally near by id."""

    ids: NDArray[np.int64]
    cosines: NDArray[np.float32]


class NearestIndex(Protocol):
    """Vectors of length 1 by id, a whole number from 0 on."""

    def add(self, ids: Sequence[int], vectors: Vectors) -> None:
        """Take in a row of ``vectors`` for each of ``ids``; one that is there already is replaced."""

    def remove(self, ids: Sequence[int]) -> None:
        """Forget ``ids``; one that is not there is passed over."""

    def search(self, vectors: Vectors, k: int) -> list[Found]:
        """For each row of ``vectors`` the ``k`` nearest at most; fewer where the index holds fewer."""

    def __len__(self) -> int:
        """How many vectors there are."""

    def close(self) -> None:
        """Let go of files and connections."""
