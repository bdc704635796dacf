"""Trees by LightGBM, as the data that :mod:`hippocampus_cli.search.ranker` reads. Seeds are fixed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from bench.samples import ABSENT, Sample, shown
from hippocampus_cli.search.confidence import signs_of
from hippocampus_cli.search.engine import Ranked
from hippocampus_cli.search.ranker import Tree, Trees

SEED = 1
_COMMON = {
    "num_leaves": 8,
    "bagging_fraction": 0.8,
    "bagging_freq": 1,
    "lambda_l2": 5.0,
    "feature_fraction": 0.4,
    "verbose": -1,
    "seed": SEED,
    "num_threads": 1,
    "deterministic": True,
}
RANKING = {
    **_COMMON,
    "objective": "lambdarank",
    "learning_rate": 0.2,
    "min_data_in_leaf": 60,
    "lambdarank_truncation_level": 20,
}
YES_OR_NO = {
    **_COMMON,
    "objective": "binary",
    "learning_rate": 0.05,
    "min_data_in_leaf": 20,
    "num_leaves": 4,
}
RANKING_TREES, CONFIDENCE_TREES = 30, 120
FIVE = 5


def fit_ranking(samples: Iterable[Sample], weights: Mapping[str, float] | None = None) -> Trees:
    """Trees that rank the candidates of each wording as a question of its own."""
    groups = [
        (rows, gold, (weights or {}).get(sample.corpus, 1.0))
        for sample in samples
        for rows, gold in sample.own
        if any(gold)
    ]
    import lightgbm  # of the dependency group `fit`, for this alone

    data = lightgbm.Dataset(
        np.concatenate([rows for rows, _, _ in groups]),
        np.concatenate([gold for _, gold, _ in groups]).astype(int),
        group=[len(rows) for rows, _, _ in groups],
        weight=np.concatenate([np.full(len(rows), weight) for rows, _, weight in groups]),
    )
    return trees_of(lightgbm.train(RANKING, data, RANKING_TREES))


class Judged(NamedTuple):
    """The signs of an answer, whether one of its five places answers, and whether the first does; ``nowhere`` says
    that no note has what was asked for."""

    corpus: str
    signs: Sequence[float]
    any: bool
    first: bool
    nowhere: bool


def fit_confidence(
    answers: Sequence[Judged], right: Sequence[bool], weights: Mapping[str, float]
) -> Trees:
    """Trees that tell from the signs of an answer whether it is ``right``, as if every second question of a corpus
    were of something that its notes do not have."""
    counts = Counter((answer.corpus, answer.nowhere) for answer in answers)
    weight = [
        weights.get(answer.corpus, 1.0)
        * (counts[answer.corpus, False] / counts[answer.corpus, True] if answer.nowhere else 1.0)
        for answer in answers
    ]
    import lightgbm

    rows = np.array([answer.signs for answer in answers])
    data = lightgbm.Dataset(rows, np.array(right).astype(int), weight=np.array(weight))
    return trees_of(lightgbm.train(YES_OR_NO, data, CONFIDENCE_TREES))


def judged(sample: Sample, ranked: Ranked) -> Judged:
    """The answer that ``ranked`` gives."""
    order, nowhere = shown(ranked), sample.kind == ABSENT
    right = [not nowhere and any(sample.gold[number]) for number in order[:FIVE]]
    return Judged(sample.corpus, signs_of(ranked, order), any(right), right[:1] == [True], nowhere)


def trees_of(booster: Any) -> Trees:
    """The trees of a fitted model."""
    return [_tree(found["tree_structure"]) for found in booster.dump_model()["tree_info"]]


def _tree(root: Any) -> Tree:
    features: list[int] = []
    thresholds: list[float] = []
    children: tuple[list[int], list[int]] = ([], [])
    leaves: list[float] = []

    def add(node: Any) -> int:
        """Add a node with all below it; its number, below zero for a leaf."""
        if "split_feature" not in node:
            leaves.append(node["leaf_value"])
            return -len(leaves)
        number = len(features)
        features.append(node["split_feature"])
        thresholds.append(node["threshold"])
        for side in children:
            side.append(0)
        for side, name in zip(children, ("left_child", "right_child"), strict=True):
            side[number] = add(node[name])
        return number

    add(root)
    return Tree(features, thresholds, *children, leaves)
