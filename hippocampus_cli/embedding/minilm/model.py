"""The embedder ``minilm``, from a folder that holds its vocabulary and its weights. These are in the safetensors
format, mapped and not read: only the pages that are used come from disk.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hippocampus_cli.embedding.minilm import pinned
from hippocampus_cli.embedding.minilm.bert import Bert, each_on_one_core
from hippocampus_cli.embedding.minilm.wordpiece import WordPiece
from hippocampus_cli.errors import ModelMissing

if TYPE_CHECKING:
    from hippocampus_cli.embedding.embedder import Vectors


if TYPE_CHECKING:
    from numpy.typing import NDArray

    Weights = Mapping[str, NDArray[np.float32]]

_LENGTH_BYTES = 8
_MAX_HEADER = 100_000_000  # bytes; what the format allows


class WeightsDamaged(ValueError):
    """The file is not in the format, or ends too soon."""


def read_weights(path: Path) -> Weights:
    """Every tensor of 32-bit floats in ``path``, by name; others are left out. Read-only.

    Raises :class:`WeightsDamaged` and :class:`OSError`.
    """
    try:
        mapped = np.memmap(path, dtype=np.uint8, mode="r")
    except ValueError as error:  # an empty file cannot be mapped
        raise WeightsDamaged(str(error)) from None
    header, start = _header(mapped)
    try:
        return {
            name: _tensor(mapped[start:], told["shape"], told["data_offsets"])
            for name, told in header.items()
            if name != "__metadata__" and told["dtype"] == "F32"
        }
    except WeightsDamaged:
        raise
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise WeightsDamaged(f"an entry of the header cannot be read: {error}") from None


def _header(mapped: NDArray[np.uint8]) -> tuple[dict[str, Any], int]:
    """What the header says of each tensor, and where their bytes begin."""
    length = int.from_bytes(mapped[:_LENGTH_BYTES].tobytes(), "little")
    start = _LENGTH_BYTES + length
    if length > _MAX_HEADER or start > len(mapped):
        raise WeightsDamaged("the header is longer than the file")
    try:
        header = json.loads(mapped[_LENGTH_BYTES:start].tobytes())
    except (ValueError, RecursionError):
        raise WeightsDamaged("the header is no JSON") from None
    if not isinstance(header, dict):
        raise WeightsDamaged("the header is no JSON object")
    return header, start


def _tensor(data: NDArray[np.uint8], shape: list[int], offsets: list[int]) -> NDArray[np.float32]:
    first, last = offsets
    if not 0 <= first <= last <= len(data) or last - first != 4 * math.prod(shape):
        raise WeightsDamaged("a tensor lies outside the file")
    return data[first:last].view("<f4").reshape(shape)


_BATCH_TOKENS = (
    1_024  # in one pass; more gain no speed, and the matrices leave the processor's cache
)


class MiniLM:
    """An embedder (:class:`~hippocampus_cli.embedding.embedder.Embedder`) that needs no network."""

    def __init__(
        self, bert: Bert, pieces: WordPiece, name: str = pinned.NAME, threads: int | None = None
    ) -> None:
        self._bert = bert
        self._pieces = pieces
        self._name = name
        self._threads = threads or os.cpu_count() or 1

    @classmethod
    def open(cls, folder: Path) -> MiniLM:
        """The model in ``folder``; raises :class:`ModelMissing` where it is not there, or not whole.

        Only the sizes are compared here: an installation is checked to the byte before it counts.
        """
        try:
            for member in (pinned.WEIGHTS, pinned.VOCABULARY):
                if (folder / member.name).stat().st_size != member.size:
                    raise _missing(folder, f"{member.name} is damaged")
            vocabulary = (folder / pinned.VOCABULARY.name).read_text(encoding="utf-8")
            weights = read_weights(folder / pinned.WEIGHTS.name)
            return cls(Bert(weights, pinned.HEADS), WordPiece(vocabulary.splitlines()))
        except FileNotFoundError:
            raise _missing(folder, "it is not installed") from None
        except OSError as error:
            raise _missing(folder, error.strerror or str(error)) from None
        except (WeightsDamaged, KeyError, ValueError) as error:
            raise _missing(folder, f"it is damaged: {error}") from None

    @property
    def name(self) -> str:
        """The model and its version."""
        return self._name

    @property
    def dimensions(self) -> int:
        """The length of a vector."""
        return self._bert.dimensions

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One row of length 1 a text; what a text holds beyond 254 pieces of words does not count."""
        tokens = [self._pieces.tokens(text) for text in texts]
        made = np.empty((len(texts), self.dimensions), dtype=np.float32)

        def fill(batch: list[int]) -> None:
            made[batch] = self._bert.vectors([tokens[at] for at in batch])

        each_on_one_core(fill, list(_batches(tokens)), self._threads)
        return made


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
