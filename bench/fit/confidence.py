"""Fit the logistic regression of ``hippocampus_cli/query/confidence.py``.

Questions that have an answer are those of LoCoMo put to their own conversation, or to a workspace of all
conversations but one, and those of the fixture; questions that have none are LoCoMo's put to another conversation or
to all others together, the fixture's put to LoCoMo and the other way round, and the fixture's of kind ``absent``.
Needs numpy. From the root of the repository:

    python -m bench.fit.confidence locomo10.json

Prints what is refused and what is answered for sure, each conversation held out in turn, and the coefficients.

With ``--large FOLDER`` further workspaces take part, each held out in turn: folders of notes NAME in it, with their
questions in NAME.tsv, one a line, a tab after it and the word "here" or "absent". The coefficients that are used
were fitted with three: the manual pages of systemd 252 (145 files), the API documentation of Node.js 20 (60 files
of it), The Rust Programming Language with Cargo's book and the edition guide of Rust 1.95 (239 files); some 30
questions of either kind about each, made up for the purpose. Without them the coefficient of size comes out steeper.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from pathlib import Path

import numpy as np

from bench.dataset import Folder
from bench.fit.ranking import Array, opened
from bench.locomo import read_locomo
from bench.places import ABSENT
from bench.questions import load_questions
from hippocampus_cli.query.confidence import SHOWN_FROM, SURE_FROM, features_of
from hippocampus_cli.search.library import Library
from hippocampus_cli.search.query_parser import parse

_FIXTURE = Path("fixtures")
_BOUNDS = (0.03, 0.05, 0.08, 0.12, 0.2, 0.5, 0.7, 0.75, 0.8, 0.9)
_COUNTS = {
    "own": 650.0,
    "other": 330.0,
    "fixture on locomo": 70.0,
    "among others": 350.0,
    "left out": 250.0,
    "fixture": 325.0,
    "absent": 150.0,
    "locomo on fixture": 50.0,
}
"""What all questions of a kind count for together, however many there are."""
_HERE, _ABSENT = 140.0, 100.0  # the same for those of a large workspace
Case = tuple[int, str, bool, list[float] | None]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path, help="LoCoMo's JSON")
    parser.add_argument(
        "--models", type=Path, help="compare by meaning too, with use-multilingual in here"
    )
    parser.add_argument("--large", type=Path, help="a folder of further workspaces and questions")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="hippo-fit-") as scratch:
        cases = list(_cases(options.file, Path(scratch), options.models))
    if options.large:
        cases += _large(options.large, options.models)
    there = [case for case in cases if case[3] is not None]
    rows = np.array([case[3] for case in there])
    answers = np.array([case[2] for case in there], float)
    weights = _weights(there)
    folds = np.array([case[0] for case in there])
    chances = np.zeros(len(there))
    for fold in sorted(set(folds)):
        fitted = fit_odds(rows[folds != fold], answers[folds != fold], weights[folds != fold])
        chances[folds == fold] = chances_of(rows[folds == fold], fitted)
    _report(cases, there, chances)
    numbers = " ".join(f"{one:.3f}" for one in fit_odds(rows, answers, weights))
    print(f"intercept, score, missing, unknown, undated, size: [{numbers}]")


def _weights(cases: list[Case]) -> Array:
    many = Counter(case[1] for case in cases)
    together = {name: _ABSENT if name.endswith(", absent") else _HERE for name in many} | _COUNTS
    return np.array([together[case[1]] / many[case[1]] for case in cases])


def _cases(file: Path, scratch: Path, models: Path | None) -> list[Case]:
    folders = read_locomo(file).folders
    asked = [folder.cases for folder in folders]
    shutil.copytree(_FIXTURE / "workspace", scratch / "fixture")
    fixture = opened(scratch / "fixture", models)
    known = load_questions(_FIXTURE / "queries.toml", fixture.note)
    cases: list[Case] = []
    for at, folder in enumerate(folders):
        library, today = opened(folder.write(scratch / folder.name), models), _last_day(folder)
        for name, other in (("own", at), ("other", (at + 1) % len(folders))):
            cases += [(at, name, name == "own", _row(library, q.text, today)) for q in asked[other]]
        cases += [(at, "fixture on locomo", False, _row(library, q.text, today)) for q in known]
        library.close()
    for number, one in enumerate(known):
        name = "absent" if one.kind == ABSENT else "fixture"
        cases.append(
            (100 + number % 5, name, one.kind != ABSENT, _row(fixture, one.text, date(2026, 8, 1)))
        )
    for questions in asked:
        cases += [
            (200, "locomo on fixture", False, _row(fixture, q.text, date(2026, 8, 1)))
            for q in questions[::8]
        ]
    return cases + list(_of_many(folders, scratch, models))


def _last_day(folder: Folder) -> date:
    return folder.now.date() - timedelta(days=1)


def _of_many(folders: Sequence[Folder], scratch: Path, models: Path | None) -> Iterator[Case]:
    """All conversations but one in a workspace: what is asked of that one, and of the others."""
    for at, left_out in enumerate(folders):
        root = scratch / f"without-{left_out.name}"
        for other in folders:
            if other is not left_out:
                other.write(root / other.name)
        library, today = opened(root, models), _last_day(left_out)
        for number, folder in enumerate(folders):
            name = "left out" if number == at else "among others"
            for q in folder.cases[:: 2 if number == at else 8]:
                yield at, name, number != at, _row(library, q.text, today)
        library.close()


def _large(folder: Path, models: Path | None) -> Iterator[Case]:
    for at, file in enumerate(sorted(folder.glob("*.tsv"))):
        library = opened(file.with_suffix(""), models)
        for line in file.read_text(encoding="utf-8").splitlines():
            text, there = line.split("\t")
            name = file.stem if there == "here" else f"{file.stem}, absent"
            yield 300 + at, name, there == "here", _row(library, text, date(2026, 8, 1))
        library.close()


def _row(library: Library, text: str, today: date) -> list[float] | None:
    query = parse(text, today)
    found = library.cache.search(query, 10, meaning=library.meaning)
    return list(features_of(found)) if found.hits else None


def fit_odds(rows: Array, answers: Array, weights: Array) -> Array:
    """Newton's method, with a ridge of 1 on standardised features."""
    mean, spread = rows.mean(0), rows.std(0)
    spread[spread == 0] = 1.0  # what never differs, such as the size of small workspaces
    x = np.c_[np.ones(len(rows)), (rows - mean) / spread]
    ridge = np.diag([0.0, *np.ones(rows.shape[1])])
    beta = np.zeros(x.shape[1])
    for _ in range(30):
        p = 1 / (1 + np.exp(-x @ beta))
        step = x.T @ (weights * (answers - p)) - ridge @ beta
        beta += np.linalg.solve((x * (weights * p * (1 - p))[:, None]).T @ x + ridge, step)
    slopes = beta[1:] / spread
    return np.asarray(np.r_[beta[0] - slopes @ mean, slopes])


def chances_of(rows: Array, fitted: Array) -> Array:
    """How likely it is that each answers, by the coefficients ``fitted``."""
    return np.asarray(1 / (1 + np.exp(-(fitted[0] + rows @ fitted[1:]))))


def _report(cases: list[Case], there: list[Case], chances: Array) -> None:
    counts: dict[str, list[float]] = defaultdict(list)
    for case, chance in zip(there, chances, strict=True):
        counts[case[1]].append(chance)
    for name in dict.fromkeys(case[1] for case in cases):
        total = sum(case[1] == name for case in cases)
        shown, sure = (
            sum(c >= bound for c in counts[name]) / total for bound in (SHOWN_FROM, SURE_FROM)
        )
        print(f"{name:20} {total:5}   refused {1 - shown:.3f}   sure {sure:.3f}")
    for bound in _BOUNDS:
        below = (f"{name} {_share_below(bound, counts[name], cases, name):.3f}" for name in counts)
        print(f"below {bound:.2f}:", *below, sep="  ")


def _share_below(bound: float, chances: list[float], cases: list[Case], name: str) -> float:
    return 1 - sum(chance >= bound for chance in chances) / sum(case[1] == name for case in cases)


if __name__ == "__main__":
    main()
