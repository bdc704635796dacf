"""The embedder ``use-multilingual``, from a folder that holds its vocabulary and its weights.

The weights are mapped and not read: only the pages that are used come from disk. Batches run side by side, each on
one core: left alone, the matrix library splits every product over all cores and waits in a loop for the slowest; on a
machine that does something else as well, a question took a hundred times as long.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from threadpoolctl import threadpool_limits

from hippocampus_cli.embedding.embedder import batches
from hippocampus_cli.embedding.models.places import state_of
from hippocampus_cli.embedding.sentence_encoder import pinned
from hippocampus_cli.embedding.sentence_encoder.encoder import PIECES, WIDTH, Encoder, weights_in
from hippocampus_cli.embedding.sentence_encoder.pieces import Pieces
from hippocampus_cli.errors import ModelMissing

if TYPE_CHECKING:
    from hippocampus_cli.embedding.embedder import Vectors

_BATCH_TOKENS = 512  # in one pass; more gain no speed, and the matrices leave the processor's cache


class SentenceEncoder:
    """An embedder (:class:`~hippocampus_cli.embedding.embedder.Embedder`) that needs no network."""

    name = pinned.NAME
    dimensions = pinned.DIMENSIONS

    def __init__(self, encoder: Encoder, pieces: Pieces, threads: int | None = None) -> None:
        self._encoder = encoder
        self._pieces = pieces
        self._threads = threads or os.cpu_count() or 1

    @classmethod
    def open(cls, folder: Path) -> SentenceEncoder:
        """The model in ``folder``; raises :class:`ModelMissing` where it is not there, or not whole.

        Only the sizes are compared here: an installation is checked to the byte before it counts.
        """
        state = state_of(folder)
        if state != "installed":
            raise _missing(folder, f"it is {state}")
        try:
            table = np.memmap(folder / pinned.TABLE.name, np.uint8, "r", shape=(PIECES, WIDTH))
            numbers = np.memmap(folder / pinned.WEIGHTS.name, np.dtype("<f4"), "r")
            pieces = (folder / pinned.PIECES.name).read_text(encoding="utf-8").split("\n")
            scores = array("f", (folder / pinned.SCORES.name).read_bytes())
            return cls(Encoder(table, weights_in(numbers)), Pieces(pieces, scores))
        except (OSError, ValueError) as error:
            raise _missing(folder, f"it cannot be read: {error}") from None

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One row of length 1 a text; what a text holds beyond 510 pieces of words does not count."""
        tokens = [self._pieces.tokens(text) for text in texts]
        made = np.empty((len(texts), self.dimensions), dtype=np.float32)

        def fill(batch: list[int]) -> None:
            made[batch] = self._encoder.vectors([tokens[at] for at in batch])

        longest_last = sorted(range(len(texts)), key=lambda at: len(tokens[at]))
        parts = batches(longest_last, lambda at: len(tokens[at]), _BATCH_TOKENS)
        with (
            threadpool_limits(limits=1, user_api="blas"),
            ThreadPoolExecutor(self._threads) as pool,
        ):
            list(pool.map(fill, parts))
        return made


def _missing(folder: Path, reason: str) -> ModelMissing:
    return ModelMissing(path=str(folder), model=pinned.FOLDER, reason=reason)
