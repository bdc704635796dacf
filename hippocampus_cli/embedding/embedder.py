"""What an embedder is. Whatever turns texts into vectors comes in through this door."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Protocol, runtime_checkable

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


@runtime_checkable
class Awaited(Protocol):
    """An embedder that asks a server, for which somebody may have to wait."""

    def hurried(self, seconds: float) -> AbstractContextManager[None]:
        """Within, all that is asked takes ``seconds`` at most altogether, and nothing is tried twice."""


def hurried(embedder: object, seconds: float) -> AbstractContextManager[None]:
    """Within, ``embedder`` is asked for a question that somebody waits for: a server gets so many ``seconds``."""
    return embedder.hurried(seconds) if isinstance(embedder, Awaited) else nullcontext()
