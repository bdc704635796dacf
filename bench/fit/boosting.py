"""Trees by LightGBM, as the data that :mod:`hippocampus_cli.search.ranker` reads. Seeds are fixed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

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
    "num_leaves": 6,
}
RANKING_TREES, CONFIDENCE_TREES = 30, 80
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


def fit_confidence(judged: Sequence[tuple[Sequence[float], bool]]) -> Trees:
    """Trees that tell from the signs of an answer whether it is one."""
    rows = np.array([signs for signs, _ in judged])
    import lightgbm

    data = lightgbm.Dataset(rows, np.array([right for _, right in judged]).astype(int))
    return trees_of(lightgbm.train(YES_OR_NO, data, CONFIDENCE_TREES))


def judged(sample: Sample, ranked: Ranked) -> tuple[list[float], bool, bool]:
    """The signs of the answer that ``ranked`` gives, whether one of five places answers, and whether the first
    does."""
    order = shown(ranked)
    right = [any(sample.gold[number]) for number in order[:FIVE]]
    right = [False] if sample.kind == ABSENT else right
    return signs_of(ranked, order), any(right), right[:1] == [True]


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
