"""What opens an embedder and an index of its vectors, wherever its keys and its folders come from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from hippocampus_cli.config.embedding import Embedding
    from hippocampus_cli.embedding.embedder import Embedder
    from hippocampus_cli.embedding.nearest.index import NearestIndex, VectorsOf


class Opener(Protocol):
    """Opens what settings name. Both raise as ``open_embedder`` and ``open_nearest`` in ``embedding.opening``."""

    def __call__(self, settings: Embedding, /) -> Embedder | None:
        """The embedder, ``None`` for none."""

    def nearest(self, settings: Embedding, whose: VectorsOf, seconds: float, /) -> NearestIndex:
        """The index of these vectors, which is asked for so many ``seconds`` at most."""
