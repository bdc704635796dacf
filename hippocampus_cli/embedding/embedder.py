"""What an embedder is. Whatever turns texts into vectors comes in through this door."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]
    Ids = NDArray[np.int64]


class Embedder(Protocol):
    """A model of one version. Equal ``name`` means equal vectors: it is part of every key they are kept by."""

    @property
    def name(self) -> str:
        """The model with its version, such as ``minilm-l6-v2``."""

    @property
    def dimensions(self) -> int:
        """The length of each vector."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One row of length 1 (L2) for each of ``texts``, shape ``(len(texts), dimensions)``.

        Raises ``EmbedderUnavailable`` where the model cannot be had at all, ``EmbeddingFailed`` where
        it did not answer.
        """
