"""Learned trees as data: how likely each candidate is to answer, by its features.

``python -m bench fit`` writes the file; it says on which corpora they were fitted, of which features, and with which
seed. A file that is missing, damaged or of other features is no error: words alone rank then, and a notice says so.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from hippocampus_cli.fast_types import NamedTuple

FILE = Path(__file__).parent / "data" / "model.txt"
VERSION = "hippo-trees-5"
NOTICE = "ranked by words alone: the learned ranking cannot be read (reinstall hippo)"


class Trees(NamedTuple):
    """Trees over one numbering of their nodes: where each begins, the feature and the threshold of each node, and
    where to go from there; below zero is a leaf."""

    roots: Sequence[int] = ()
    features: Sequence[int] = ()
    thresholds: Sequence[float] = ()
    lower: Sequence[int] = ()
    upper: Sequence[int] = ()
    leaves: Sequence[float] = ()

    def value(self, row: Sequence[float]) -> float:
        """The sum of what a row has in each tree."""
        roots, features, thresholds, lower, upper, leaves = self
        total = 0.0
        for node in roots:
            while node >= 0:
                node = lower[node] if row[features[node]] <= thresholds[node] else upper[node]
            total += leaves[~node]
        return total


class Model(NamedTuple):
    """The trees by what they tell: ``rank`` (which candidate), ``meaning`` (the same by one wording and its vector),
    ``any`` (whether one of those shown answers),
    ``first`` (whether the first does), ``prompt`` (whether to bring them at a prompt that may ask nothing); and
    ``about`` says where they come from."""

    rank: Trees
    meaning: Trees
    any: Trees
    first: Trees
    prompt: Trees
    about: str


def probability(trees: Trees, row: Sequence[float], less: float = 0.0) -> float:
    """What trees that were fitted on yes and no say of a row, 0 to 1; ``less`` of the log of its odds."""
    return 1.0 / (1.0 + math.exp(-max(-50.0, min(50.0, trees.value(row) - less))))


@cache
def model(features: int, file: Path = FILE) -> Model | None:
    """The trees for rows of so many features; ``None`` where they cannot be read."""
    found = read_trees(file, 5, features)
    if found is None:
        return None
    (rank, meaning, any_, first, prompt), about = found
    return Model(rank, meaning, any_, first, prompt, about)


def read_trees(file: Path, count: int, features: int) -> tuple[list[Trees], str] | None:
    """The ``count`` groups of trees of a file, for rows of so many features, and where they come from; ``None`` where
    they cannot be read."""
    try:
        head, _, body = file.read_text(encoding="utf-8").partition("\n")
        version, width, check, about = head.split(" ", 3)
        if version != VERSION or int(width) != features or int(check) != zlib.crc32(body.encode()):
            return None
        lines = iter(body.split("\n"))
        return [_trees(lines) for _ in range(count)], about
    except (OSError, ValueError):
        return None


def _trees(lines: Iterator[str]) -> Trees:
    """The trees of the next lines of the file: one for each of their columns."""
    kinds = (int, int, float, int, int, float)
    pairs = zip(kinds, map(str.split, lines), strict=False)  # takes no line more
    return Trees(*(list(map(*pair)) for pair in pairs))
