"""Learned trees as data: how likely each candidate is to answer, by its features.

``python -m bench fit`` writes the file; it says on which corpora they were fitted, of which features, and with which
seed. A file that is missing, damaged or of other features is no error: words alone rank then, and a notice says so.
"""

from __future__ import annotations

import json
import math
import zlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from hippocampus_cli.fast_types import NamedTuple

FILE = Path(__file__).parent / "data" / "model.txt"
VERSION = "hippo-trees-4"
NOTICE = "ranked by words alone: the learned ranking cannot be read (reinstall hippo)"


class Tree(NamedTuple):
    """Nodes by number: the feature and the threshold of each, and where to go from there; below zero is a leaf."""

    features: Sequence[int]
    thresholds: Sequence[float]
    lower: Sequence[int]
    upper: Sequence[int]
    leaves: Sequence[float]

    def values(self, rows: Sequence[Sequence[float]]) -> list[float]:
        """What each row has in this tree."""
        features, thresholds, lower, upper, leaves = self
        found, start = [], 0 if features else -1
        for row in rows:
            node = start
            while node >= 0:
                node = lower[node] if row[features[node]] <= thresholds[node] else upper[node]
            found.append(leaves[~node])
        return found


Trees = Sequence[Tree]


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


def scores(trees: Trees, rows: Sequence[Sequence[float]]) -> list[float]:
    """The sum of all trees for each row."""
    if not trees:
        return [0.0] * len(rows)
    return list(map(sum, zip(*(tree.values(rows) for tree in trees), strict=True)))


def probability(trees: Trees, row: Sequence[float]) -> float:
    """What trees that were fitted on yes and no say of a row, 0 to 1."""
    odds = scores(trees, [row])[0]
    return 1.0 / (1.0 + math.exp(-max(-50.0, min(50.0, odds))))


@cache
def model(features: int, file: Path = FILE) -> Model | None:
    """The trees for rows of so many features; ``None`` where they cannot be read."""
    try:
        head, _, body = file.read_text(encoding="utf-8").partition("\n")
        version, count, check, about = head.split(" ", 3)
        if version != VERSION or int(count) != features or int(check) != zlib.crc32(body.encode()):
            return None
        rank, meaning, any_, first, prompt = (
            [Tree(*columns) for columns in trees] for trees in json.loads(body)
        )
        return Model(rank, meaning, any_, first, prompt, about)
    except (OSError, ValueError, TypeError):
        return None
