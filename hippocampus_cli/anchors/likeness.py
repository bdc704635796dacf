"""What compares anchors, chunks and messages: words alone, or the vectors of an embedder."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

from hippocampus_cli.anchors.anchor import Anchor
from hippocampus_cli.anchors.wording import Worded

NONE = "none"
"""The name of the likeness that works with words alone."""


class Passage(NamedTuple):
    """A chunk to be compared: its text as it stands, and its stems."""

    text: str
    words: Worded


class Scored(NamedTuple):
    """The number of a chunk, and its score from 0 to 1."""

    chunk: int
    score: float


class Likeness(Protocol):
    """A way of comparing. Scores are from 0 to 1 and rounded to four places, as they are written down."""

    @property
    def name(self) -> str:
        """The embedder's name, or ``none``. Equal names give equal scores."""

    @property
    def above(self) -> float:
        """The share of random pairs of an anchor and a chunk without its words that may reach the threshold."""

    def best(
        self, anchors: Sequence[Anchor], most: int, least: float
    ) -> Iterator[Sequence[Scored]]:
        """For each anchor the chunks that score ``least`` or more, at most ``most``: best first, then in order."""

    def sample(
        self, anchors: Sequence[Anchor], pairs: Sequence[tuple[int, int]]
    ) -> Sequence[float]:
        """The scores of pairs of an anchor and a chunk, by their numbers."""


def top(scored: Sequence[Scored], most: int) -> Sequence[Scored]:
    """The best ``most``; of equal ones those that come first."""
    return heapq.nsmallest(most, scored, key=lambda one: (-one.score, one.chunk))
