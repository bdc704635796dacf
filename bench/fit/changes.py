"""What speaks for a change (``query.changes``), fitted with one workspace left out in turn.

The made-up workspaces say of some values what they were once, and what they are now. Two sentences are a pair that is
right if the later has the words that answer today, and the earlier those that did once; all others are wrong. Nothing
in hippo is changed: what is printed is how each workspace fares by the weights of the others, and the weights fitted
to all, by ``python -m bench.fit.changes``. Needs numpy.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np

from bench.corpora.workspaces import read, read_cues
from bench.dataset import Case, Folder, Quote
from bench.fit.ranking import Array, opened
from hippocampus_cli.query.changes import ReadStatement, Signs, signs_of
from hippocampus_cli.query.fusion import NoteReader, from_search
from hippocampus_cli.query.request import read_query
from hippocampus_cli.query.superseding import what_is_said
from hippocampus_cli.search.library import Library

PLACES, OLDER = 14, 6  # places that are compared; of these, the first may be superseded
CHANCES = (0.2, 0.3, 0.4, 0.5)
DECAY = 1.0  # of weights, in fitting


class Pair(NamedTuple):
    """Two sentences of one question's places; ``answers``: the earlier one answers the question today."""

    workspace: str
    question: str
    signs: Signs
    right: bool
    older: str
    answers: bool


def main() -> int:
    """Print what was found by the weights of the others, and the weights fitted to all."""
    pairs = list(gather())
    chances = np.zeros(len(pairs))
    workspaces = np.array([one.workspace for one in pairs])
    rows = np.array([one.signs for one in pairs], float)
    right = np.array([one.right for one in pairs], float)
    for name in set(workspaces):
        own = workspaces == name
        chances[own] = _chances(rows[own], fit(rows[~own], right[~own]))
    there = {one.question for one in pairs if one.right}
    print(f"{len(pairs)} pairs; {len(there)} questions have one that is right")
    for least in CHANCES:
        taken = [one for one, chance in zip(pairs, chances, strict=True) if chance >= least]
        print(f"from {least}: {_summary(taken)}")
    fitted = fit(rows, right)
    for name, weight in zip((*Signs._fields, "constant"), fitted, strict=True):
        print(f"{name:10}{weight:7.2f}")
    return 0


def _summary(taken: Sequence[Pair]) -> str:
    found = {one.question for one in taken if one.right}
    wrong = {(one.question, one.older) for one in taken if not one.right}
    answers = {(one.question, one.older) for one in taken if one.answers and not one.right}
    return f"{len(found)} found, {len(wrong)} marked wrongly, {len(answers)} of these the answer"


def gather() -> Iterator[Pair]:
    """The pairs of all made-up workspaces, by their questions and by their cues."""
    for dataset in filter(None, (read(Path()), read_cues(Path()))):
        for folder in dataset.folders:
            with tempfile.TemporaryDirectory(prefix="hippo-fit-") as scratch:
                library = opened(folder.write(Path(scratch) / "notes"), None)
                for case in folder.cases:
                    yield from _pairs(library, folder, case)
                library.close()


def _pairs(library: Library, folder: Folder, case: Case) -> Iterator[Pair]:
    today = folder.now.date()
    query = read_query(case.text, today, library)
    hits = library.cache.search(query, PLACES, meaning=library.meaning).hits
    said = what_is_said(from_search(hits), NoteReader(library), today)
    reads = [
        (at, ReadStatement(one, today)) for at, place in enumerate(said) for one in place.statements
    ]
    known = [one for one in folder.cases if one.stale]
    for (at, old), (_, new) in product(reads, reads):
        if at >= OLDER or old is new or new.day is None or (old.day and new.day <= old.day):
            continue
        for before, after in product(old.sentences, new.changes):
            signs = signs_of(before, old.around, after, query.stems, old.said.day is None)
            if signs is None:
                continue
            right = any(_says(before.text, o.stale) and _says(after.text, o.gold) for o in known)
            near = any(
                _says(old.said.text, o.stale) and _says(new.said.text, o.gold) for o in known
            )
            if right or not (near or _says(before.text, case.stale)):
                answers = _says(before.text, case.gold)
                yield Pair(folder.name, case.text, signs, right, before.text, answers)


def _says(text: str, quotes: Sequence[Quote]) -> bool:
    return any(one.text in text for one in quotes)


def fit(rows: Array, right: Array) -> Array:
    """Weights of a logistic regression, the constant last."""
    wide = np.c_[rows, np.ones(len(rows))]
    weights = np.zeros(wide.shape[1])
    decay = np.diag([*[DECAY] * rows.shape[1], 1e-6])
    for _ in range(60):
        chances = 1 / (1 + np.exp(-wide @ weights))
        spread = chances * (1 - chances)
        slope = wide.T @ (right - chances) - decay @ weights
        weights += np.linalg.solve((wide * spread[:, None]).T @ wide + decay, slope)
    return weights


def _chances(rows: Array, weights: Array) -> Array:
    chances: Array = 1 / (1 + np.exp(-(np.c_[rows, np.ones(len(rows))] @ weights)))
    return chances


if __name__ == "__main__":
    sys.exit(main())
