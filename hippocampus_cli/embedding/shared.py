"""One embedder for all that a session compares: a model is loaded once, and nobody waits twice for a question."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from hippocampus_cli.embedding.embedder import CircuitBreaker, Clock, hurried
from hippocampus_cli.errors import EmbeddingFailed

if TYPE_CHECKING:
    from hippocampus_cli.config.settings import Embedding
    from hippocampus_cli.embedding.embedder import Embedder, Opener, Vectors

_T = TypeVar("_T")
_QUESTIONS = 32  # whose vectors are kept


class OpenedOnce:
    """As ``opener``, but settings give one embedder, opened once.

    One that could not be opened is tried again.
    """

    def __init__(self, opener: Opener, clock: Clock = time.monotonic) -> None:
        self._opener = opener
        self._clock = clock
        self._known: dict[Embedding, SharedEmbedder] = {}

    def __call__(self, settings: Embedding, /) -> Embedder | None:
        """The embedder, ``None`` for none."""
        if settings not in self._known:
            embedder = self._opener(settings)
            if embedder is None:
                return None
            self._known[settings] = SharedEmbedder(embedder, self._clock)
        return self._known[settings]


class SharedEmbedder:
    """An embedder (:class:`~hippocampus_cli.embedding.embedder.Embedder`) that several ask the same question.

    While somebody waits, a text by itself is a question, whose vector is kept; and one that did not answer is not
    waited for again until it has answered somebody else, or a minute has passed by ``clock``.
    """

    def __init__(self, embedder: Embedder, clock: Clock = time.monotonic) -> None:
        self._embedder = embedder
        self._pause = CircuitBreaker(clock)
        self._waiting = 0
        self._failed: EmbeddingFailed | None = None
        self._questions: dict[str, Vectors] = {}

    @property
    def name(self) -> str:
        """The model and its version."""
        return self._embedder.name

    @cached_property
    def dimensions(self) -> int:
        """The length of a vector. Raises as :meth:`embed`: a server may have to be asked."""
        return self._answered(lambda: self._embedder.dimensions)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One row of length 1 a text. Raises what the embedder raises."""
        if not self._waiting or len(texts) != 1:
            vectors = self._answered(lambda: self._embedder.embed(texts))
            self._pause.end()
            return vectors
        text = texts[0]
        if text not in self._questions:
            vectors = self._answered(lambda: self._embedder.embed(texts))
            if len(self._questions) >= _QUESTIONS:
                self._questions.clear()
            self._questions[text] = vectors
        return self._questions[text]

    @contextmanager
    def hurried(self, seconds: float) -> Iterator[None]:
        """Within, somebody waits for ``seconds`` at most."""
        self._waiting += 1
        try:
            with hurried(self._embedder, seconds):
                yield
        finally:
            self._waiting -= 1

    def _answered(self, ask: Callable[[], _T]) -> _T:
        if self._waiting and self._failed is not None and self._pause.holds:
            raise self._failed.with_traceback(None)
        try:
            return ask()
        except EmbeddingFailed as error:
            if self._waiting:
                self._failed = error
                self._pause.begin()
            raise
