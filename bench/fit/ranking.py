"""How the weights of the ranking were chosen: ``python -m bench.fit.ranking locomo10.json``.

LoCoMo (``data/locomo10.json`` of the repository snap-research/locomo, not part of hippo) and ``fixtures/`` are put
to hippo's own search, which gives the features of every unit. A linear listwise softmax is fitted to them: of
LoCoMo all right units share the probability, of the fixture any unit of a right section is as good as another.
What is printed first is held out: one conversation, or a fifth of the fixture's questions, at a time. The weights
printed then are fitted to everything; in ``hippocampus_cli/search/weights.py`` they are rounded. With ``--models``, a
folder that has minilm, it is the ranking by words and meaning that is fitted.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

import numpy as np

from bench.fit.ranking_questions import Array, Asked, of_locomo, of_the_fixture
from hippocampus_cli.search.weights import FEATURES, SEMANTIC

FIRST = 120  # units of a question that are fitted: the best by the weights that there are
TIMES = 6.0  # a question of the fixture counts as so many of LoCoMo: there are few of them
SEMANTIC_TIMES = 4.0  # the same where texts are compared by meaning
FOLDS = 5  # of the fixture
STEPS, RATE, RIDGE = 500, 0.1, 1e-3
LOCOMO = {"files_at_5": "F@5", "turns_at_10": "T@10", "cov_1000": "cov1k", "any_at_5": "any@5"}
FIXTURE = {"hit1": "hit@1", "hit5": "hit@5"}


class Lists(NamedTuple):
    """The questions to fit, their units one below the other.

    ``starts`` are the first rows of the questions, ``of`` says of which question a row is; ``right`` are the rows
    that answer and ``counts`` the weight of a row's question, as a share; ``any_of`` as in :class:`Asked`.
    """

    rows: Array
    starts: Array
    of: Array
    right: Array
    counts: Array
    any_of: Array


def lists_of(questions: Iterable[Asked]) -> Lists:
    """The first units of the questions of which a right one is among these."""
    questions = list(questions)
    now = weights_now(questions)
    times = TIMES if len(now) == len(FEATURES) else SEMANTIC_TIMES
    rows, right, lengths, counts, any_of = [], [], [], [], []
    for one in questions:
        first = np.argsort(-(one.rows @ now), kind="stable")[:FIRST]
        if one.right[first].any():
            rows.append(one.rows[first])
            right.append(one.right[first])
            lengths.append(len(first))
            counts.append(times if one.any_of else 1.0)
            any_of.append(one.any_of)
    of = np.repeat(np.arange(len(lengths)), lengths)
    starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
    share = np.array(counts) / sum(counts)
    return Lists(
        np.concatenate(rows), starts, of, np.concatenate(right), share[of], np.array(any_of)[of]
    )


def weights_now(questions: Sequence[Asked]) -> Array:
    """The weights there are for the features that ``questions`` have."""
    features = FEATURES if questions[0].rows.shape[1] == len(FEATURES) else SEMANTIC
    return np.array(list(features.values()))


def fit(questions: Iterable[Asked]) -> Array:
    """The weights under which the right units of ``questions`` are likeliest."""
    lists = lists_of(questions)
    scale = lists.rows.std(axis=0) + 1e-6
    rows = (lists.rows - lists.rows.mean(axis=0)) / scale
    equally = lists.right / np.add.reduceat(lists.right.astype(float), lists.starts)[lists.of]
    weights = np.zeros(rows.shape[1])
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, STEPS + 1):
        likely = softmax(rows @ weights, lists)
        found = likely * lists.right
        total = np.add.reduceat(found, lists.starts)[lists.of]
        target = np.where(lists.any_of, found / np.maximum(total, 1e-12), equally)
        slope = rows.T @ ((likely - target) * lists.counts) + RIDGE * weights
        mean = 0.9 * mean + 0.1 * slope
        square = 0.999 * square + 0.001 * slope**2
        unbiased = mean / (1 - 0.9**step), square / (1 - 0.999**step)
        weights -= RATE * unbiased[0] / (np.sqrt(unbiased[1]) + 1e-8)
    fitted: Array = weights / scale
    return fitted


def softmax(scores: Array, lists: Lists) -> Array:
    """The probability of each unit among those of its question."""
    powers = np.exp(scores - np.maximum.reduceat(scores, lists.starts)[lists.of])
    shares: Array = powers / np.add.reduceat(powers, lists.starts)[lists.of]
    return shares


def held_out(asked: Sequence[Asked], others: Sequence[Asked]) -> Iterator[dict[str, float]]:
    """The figures of each of ``asked`` by weights fitted to all but its fold, and to ``others``."""
    for fold in sorted({one.fold for one in asked}):
        weights = fit([*(one for one in asked if one.fold != fold), *others])
        yield from (one.judge(one, one.rows @ weights) for one in asked if one.fold == fold)


def print_row(title: str, figures: Iterable[dict[str, float]], names: dict[str, str]) -> None:
    rows = list(figures)
    means = (f"{name} {fmean(row[key] for row in rows):.3f}" for key, name in names.items())
    print(f"{title:34}", *means, sep="  ", flush=True)


def main(arguments: Sequence[str]) -> int:
    """Print what weights would reach and what they are."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("file", type=Path, help="LoCoMo's file, as it is in its repository")
    parser.add_argument("--models", type=Path, help="compare by meaning too, with minilm in here")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="hippo-fit-") as scratch:
        locomo = list(of_locomo(options.file, Path(scratch), options.models))
        fixture = list(of_the_fixture(Path(scratch), FOLDS, options.models))
    now, features = weights_now(locomo), SEMANTIC if options.models else FEATURES
    for asked, others, names, what in (
        (locomo, fixture, LOCOMO, f"LoCoMo, {len(locomo)} questions"),
        (fixture, locomo, FIXTURE, f"fixture, {len(fixture)} questions"),
    ):
        print_row(f"{what}: as it is", (one.judge(one, one.rows @ now) for one in asked), names)
        print_row(f"{what}: held out", held_out(asked, others), names)
    print("\nfitted to everything, beside what there is")
    fitted = fit([*locomo, *fixture]).tolist()
    for (name, weight), value in zip(features.items(), fitted, strict=True):
        print(f"{name:20}{value:8.2f}{weight:8.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
