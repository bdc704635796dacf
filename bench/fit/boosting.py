"""Trees by LightGBM, as the data that :mod:`hippocampus_cli.search.ranker` reads. Seeds are fixed."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from bench.samples import ABSENT, Sample, shown
from hippocampus_cli.errors import UsageError
from hippocampus_cli.search.confidence import signs_of
from hippocampus_cli.search.engine import Ranked
from hippocampus_cli.search.ranker import VERSION, Trees

SEED = 2
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
    "learning_rate": 0.1,
    "min_data_in_leaf": 60,
    "lambdarank_truncation_level": 20,
}
YES_OR_NO = {
    **_COMMON,
    "objective": "binary",
    "learning_rate": 0.1,
    "feature_fraction": 0.2,
    "min_data_in_leaf": 20,
    "num_leaves": 4,
}
TELLING = {
    **_COMMON,
    "objective": "regression",
    "learning_rate": 0.12,
    "min_data_in_leaf": 30,
    "feature_fraction": 0.6,
}
RANKING_TREES, CONFIDENCE_TREES, TELLING_TREES = 60, 120, 40
MISLEADS = -0.5  # the value of a sentence that misleads, where a good one has 1
SILENCE = 2.0  # what prompts that ask nothing weigh, of all that ask something
FIVE = 5


def _lightgbm() -> Any:
    """The library, which nothing else needs. Raises :class:`UsageError` where it is not installed."""
    try:
        import lightgbm
    except ImportError:
        advice = "pip install --group fit"
        raise UsageError(reason="LightGBM is not installed", advice=advice) from None
    return lightgbm


def fit_ranking(samples: Iterable[Sample]) -> Trees:
    """Trees that rank the candidates of each wording as a question of its own."""
    groups = [(rows, gold) for sample in samples for rows, gold in sample.own if any(gold)]
    lightgbm = _lightgbm()
    data = lightgbm.Dataset(
        np.concatenate([rows for rows, _ in groups]),
        np.concatenate([gold for _, gold in groups]).astype(int),
        group=[len(rows) for rows, _ in groups],
    )
    return trees_of(lightgbm.train(RANKING, data, RANKING_TREES))


class Judged(NamedTuple):
    """The signs of an answer to so many wordings, whether one of its five places answers, and whether the first
    does."""

    corpus: str
    kind: str
    wordings: int
    signs: Sequence[float]
    any: bool = False
    first: bool = False


def fit_confidence(
    answers: Sequence[Judged], right: Sequence[bool], weights: Mapping[str, float]
) -> Trees:
    """Trees that tell from the signs of an answer whether it is ``right``, as if every second question of a corpus
    were of something that its notes do not have."""
    counts = Counter((answer.corpus, answer.kind == ABSENT) for answer in answers)
    balance = {name: counts[name, False] / max(1, counts[name, True]) for name in weights}
    weight = [
        weights[answer.corpus] * (balance[answer.corpus] if answer.kind == ABSENT else 1.0)
        for answer in answers
    ]
    return _yes_or_no(answers, right, weight)


def fit_prompt(answers: Sequence[Judged], prompts: Sequence[Judged]) -> Trees:
    """Trees that tell from the signs of an answer whether to bring it at a prompt: what answers, against what no note
    has and against what is found for ``prompts`` that ask nothing."""
    told = [answer for answer in answers if answer.any or answer.kind == ABSENT]
    each = SILENCE * len(told) / max(1, len(prompts))
    weight = [1.0] * len(told) + [each] * len(prompts)
    both = [*told, *prompts]
    return _yes_or_no(both, [answer.any for answer in both], weight)


def fit_telling(passages: Sequence[tuple[Sequence[Sequence[float]], Sequence[int]]]) -> Trees:
    """Trees that tell the worth of a sentence, from the rows of the sentences of each passage and the verdict on each
    (1 good, -1 bad). A long passage weighs more than a short one, but less than its sentences do."""
    lightgbm = _lightgbm()
    worth = {1: 1.0, 0: 0.0, -1: MISLEADS}
    data = lightgbm.Dataset(
        np.array([row for rows, _ in passages for row in rows]),
        np.array([worth[verdict] for _, verdicts in passages for verdict in verdicts]),
        weight=np.concatenate([np.full(len(rows), len(rows) ** -0.5) for rows, _ in passages]),
    )
    return trees_of(lightgbm.train(TELLING, data, TELLING_TREES))


def _yes_or_no(answers: Sequence[Judged], right: Sequence[bool], weight: Sequence[float]) -> Trees:
    lightgbm = _lightgbm()
    rows = np.array([answer.signs for answer in answers])
    data = lightgbm.Dataset(rows, np.array(right).astype(int), weight=np.array(weight))
    return trees_of(lightgbm.train(YES_OR_NO, data, CONFIDENCE_TREES))


def judged(sample: Sample, ranked: Ranked) -> Judged:
    """The answer that ``ranked`` gives."""
    order = shown(ranked)
    right = [any(sample.gold[number]) for number in order[:FIVE]]
    signs, wordings = signs_of(ranked, order), len(sample.own)
    return Judged(sample.corpus, sample.kind, wordings, signs, any(right), right[:1] == [True])


def trees_of(booster: Any) -> Trees:
    """The trees of a fitted model."""
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

    roots = [add(tree["tree_structure"]) for tree in booster.dump_model()["tree_info"]]
    return Trees(roots, features, thresholds, *children, leaves)


def document(model: Sequence[Trees], about: str, features: int) -> str:
    """The text of a file of trees for so many features, and where they come from."""
    columns = (column for trees in model for column in trees)
    body = "\n".join(" ".join(map(repr, column)) for column in columns)
    return f"{VERSION} {features} {zlib.crc32(body.encode())} {about}\n{body}"
