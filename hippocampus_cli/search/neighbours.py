"""The units nearest to a question: by the signs of their vectors, or by the index that the settings name.

An index is a convenience, as an embedder is: one that is behind or does not answer fails no question, the signs
answer instead. Needs numpy.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hippocampus_cli.embedding.embedder import CircuitBreaker, Clock
from hippocampus_cli.embedding.nearest.index import VectorsOf, bring_in_step
from hippocampus_cli.errors import HippoError, NearestFailed

if TYPE_CHECKING:
    from hippocampus_cli.config.settings import Embedding
    from hippocampus_cli.embedding.embedder import Ids, Opener, Vectors
    from hippocampus_cli.embedding.nearest.index import Nearest, NearestIndex
    from hippocampus_cli.embedding.vectors import VectorCache
    from hippocampus_cli.search.source_reader import Progress


class Left(NamedTuple):
    """An index as it was left: its place, and the ids that it held."""

    place: str
    ids: Ids


class Neighbours:
    """What finds the nearest of one workspace's units. ``close`` when done."""

    def __init__(
        self,
        root: Path,
        settings: Embedding,
        opener: Opener,
        tell: Callable[[str], None],
        clock: Clock = time.monotonic,
    ) -> None:
        """``tell`` is told what a person should know. An index that failed is asked again a minute later, by
        ``clock``."""
        self._root = root
        self._settings = settings
        self._opener = opener
        self._tell = tell
        self._index: NearestIndex | None = None
        self._pause = CircuitBreaker(clock)

    @property
    def name(self) -> str:
        """The index that the settings name, empty where they leave it to the signs."""
        return "" if self._settings.nearest in ("auto", "brute") else self._settings.nearest

    def close(self) -> None:
        """Let go of the index."""
        if self._index is not None:
            _let_go(self._index)
            self._index = None

    def near(self, cache: VectorCache, vector: Vectors, most: int) -> Ids:
        """The ids of ``most`` of the vectors in ``cache`` that are nearest to ``vector``, in no order."""
        signs: Nearest | None = cache.signs
        if signs is None:
            return np.empty(0, np.int64)
        try:
            index = self._indexed(cache)
            found = (signs if index is None else index).near(vector, most)
            if index is not None:
                self._pause.end()
            return found
        except HippoError as error:
            self._give_up(f"{error.message} ({error.advice})")
            return signs.near(vector, most)

    @staticmethod
    def left(cache: VectorCache) -> Left | None:
        """The index that is up to date with the signs of ``cache`` as they are."""
        place, signs = cache.indexed_in, cache.signs
        return Left(place, signs.ids) if place and signs is not None else None

    def step(self, cache: VectorCache, before: Left | None, progress: Progress | None) -> bool:
        """Bring the index up to date with the signs of ``cache``; whether there is one and that changed it.

        ``before`` is which one was up to date last, and what it held. Raises what opening it raises, and
        :class:`~hippocampus_cli.errors.NearestFailed`.
        """
        signs = cache.signs
        if not self.name or signs is None:
            return False
        self.close()
        index = self._opened(cache, self._settings.timeout_seconds)
        try:
            held = before.ids if before and before.place == index.place else None
            changed = bring_in_step(index, signs.ids, held, cache.by_id, progress)
            if index.place != cache.indexed_in:
                cache.note_index(index.place)
        finally:
            _let_go(index)
        return changed

    def _indexed(self, cache: VectorCache) -> NearestIndex | None:
        """The index, if it was updated with what there is; opened again where that is another."""
        if not self.name or self._pause.holds:
            return None
        wanted = cache.indexed_in
        if self._index is not None and self._index.place != wanted:
            self.close()
        if self._index is None:
            if wanted:
                self._index = self._opened(cache, self._settings.question_seconds)
            if self._index is None or self._index.place != wanted:
                self._give_up("it does not hold the notes' vectors (run hippo embed)")
        return self._index

    def _opened(self, cache: VectorCache, seconds: float) -> NearestIndex:
        whose = VectorsOf(self._root.resolve(), *cache.model_of)
        return self._opener.nearest(self._settings, whose, seconds)

    def _give_up(self, why: str) -> None:
        """Go by the signs for a minute. A failure that lasts is told once."""
        self.close()
        if self._pause.begin(why):
            self._tell(f"the vector index {self.name} was not asked: {why}")


def _let_go(index: NearestIndex) -> None:
    """Close ``index``: one that fails at that has done what was wanted of it, or has failed already."""
    with contextlib.suppress(NearestFailed):
        index.close()
