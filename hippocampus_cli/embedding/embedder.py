"""What an embedder is, what opens one, and the circuit breaker after a failure: a process that stays outlives a
server's restart."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hippocampus_cli.config.settings import Embedding

    Vectors = NDArray[np.float32]
    Ids = NDArray[np.int64]

_T = TypeVar("_T")


class Embedder(Protocol):
    """A model of one version. Equal ``name`` means equal vectors: it is part of every key they are kept by."""

    @property
    def name(self) -> str:
        """The model with its version, such as ``use-multilingual-3``."""

    @property
    def dimensions(self) -> int:
        """The length of each vector."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One row of length 1 (L2) for each of ``texts``, shape ``(len(texts), dimensions)``.

        Raises ``EmbedderUnavailable`` where the model cannot be had at all, ``EmbeddingFailed`` where
        it did not answer.
        """


def hurried(embedder: object, seconds: float) -> AbstractContextManager[None]:
    """Within, ``embedder`` is asked for a question that somebody waits for: one that asks a server
    gets so many ``seconds`` altogether, and tries nothing twice."""
    within = getattr(embedder, "hurried", None)
    return within(seconds) if within else nullcontext()


Opener = Callable[["Embedding"], "Embedder | None"]
"""Opens what settings name, ``None`` for none. Raises as ``open_embedder`` in ``embedding.open``."""


def batches(
    items: Iterable[_T], size: Callable[[_T], int], most: int, count: int = sys.maxsize
) -> Iterator[list[_T]]:
    """``items`` in their order, at most ``count`` at once, and of ``most`` size together unless it is one."""
    batch: list[_T] = []
    room = most
    for item in items:
        if batch and (len(batch) == count or size(item) > room):
            yield batch
            batch, room = [], most
        batch.append(item)
        room -= size(item)
    if batch:
        yield batch


Clock = Callable[[], float]
"""Seconds of a clock that only goes forward."""
SECONDS = 60.0


class CircuitBreaker:
    """Begun by a failure, over a minute later by ``clock``. It knows of what: an outage that lasts is news once."""

    def __init__(self, clock: Clock = time.monotonic) -> None:
        self._clock = clock
        self._until: float | None = None
        self._why = ""

    def begin(self, why: str = "") -> bool:
        """From now on; whether ``why`` is another failure than the last one, before which all was well again."""
        self._until = self._clock() + SECONDS
        known, self._why = self._why, why
        return why != known

    def end(self) -> None:
        """All is well again: it has answered somebody."""
        self._until, self._why = None, ""

    @property
    def holds(self) -> bool:
        """Whether it is not over yet."""
        return self._until is not None and self._clock() < self._until
