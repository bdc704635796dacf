"""The embedder ``use-multilingual``, from a folder that holds its vocabulary and its weights.

The weights are mapped and not read: only the pages that are used come from disk. Batches run side by side, each on
one core: left alone, the matrix library splits every product over all cores and waits in a loop for the slowest; on a
machine that does something else as well, a question took a hundred times as long.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from threadpoolctl import threadpool_limits

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
        try:
            for member in pinned.MEMBERS:
                if (folder / member.name).stat().st_size != member.size:
                    raise _missing(folder, f"{member.name} is damaged")
            table = np.memmap(folder / pinned.TABLE.name, np.uint8, "r", shape=(PIECES, WIDTH))
            numbers = np.memmap(folder / pinned.WEIGHTS.name, np.dtype("<f4"), "r")
            pieces = (folder / pinned.PIECES.name).read_text(encoding="utf-8").split("\n")
            scores = array("f", (folder / pinned.SCORES.name).read_bytes())
            return cls(Encoder(table, weights_in(numbers)), Pieces(pieces, scores))
        except FileNotFoundError:
            raise _missing(folder, "it is not installed") from None
        except OSError as error:
            raise _missing(folder, error.strerror or str(error)) from None
        except ValueError as error:
            raise _missing(folder, f"it is damaged: {error}") from None

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One row of length 1 a text; what a text holds beyond 510 pieces of words does not count."""
        tokens = [self._pieces.tokens(text) for text in texts]
        made = np.empty((len(texts), self.dimensions), dtype=np.float32)

        def fill(batch: list[int]) -> None:
            made[batch] = self._encoder.vectors([tokens[at] for at in batch])

        _each_on_one_core(fill, list(_batches(tokens)), self._threads)
        return made


def _each_on_one_core(
    work: Callable[[list[int]], None], parts: Sequence[list[int]], threads: int
) -> None:
    """Do ``work`` on each of ``parts``, on ``threads`` at a time at most; raises what it raises."""
    with threadpool_limits(limits=1, user_api="blas"):
        if len(parts) < 2 or threads < 2:
            for part in parts:
                work(part)
            return
        with ThreadPoolExecutor(min(threads, len(parts))) as pool:
            try:
                for _ in pool.map(work, parts):
                    pass
            except BaseException:  # an interrupt does not wait for what has not begun
                pool.shutdown(wait=False, cancel_futures=True)
                raise


def _batches(tokens: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """The positions of ``tokens`` in order of length, about as many a batch as pass through at once."""
    batch: list[int] = []
    size = 0
    for at in sorted(range(len(tokens)), key=lambda at: len(tokens[at])):
        if batch and size + len(tokens[at]) > _BATCH_TOKENS:
            yield batch
            batch, size = [], 0
        batch.append(at)
        size += len(tokens[at])
    if batch:
        yield batch


def _missing(folder: Path, reason: str) -> ModelMissing:
    return ModelMissing(path=str(folder), model=pinned.FOLDER, reason=reason)
