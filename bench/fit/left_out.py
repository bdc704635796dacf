"""The ranking and the confidence on corpora that they were not fitted to: ``python -m bench.fit.left_out``.

Every corpus that is here (``bench.corpora``) is left out in turn: weights are fitted to all others, each corpus
counting the same, and what is printed is how the one that was left out fares with them, beside the weights that there
are and weights fitted to everything. Questions whose answer is known take part in the ranking: a section shows its
best units, and is right if one of these is. The confidence is fitted to whether an answer is among the first five
sections; questions about what is not there are each corpus's own, and some of another's. ``sure`` begins where nine
of ten are right on the corpora that were fitted.

Nothing in hippo is changed. Needs numpy.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

import numpy as np

from bench.arguments import whole
from bench.corpora import CORPORA, data_folder
from bench.dataset import Case, Dataset, Folder, spread
from bench.fit.confidence import chances_of, fit_odds
from bench.fit.ranking import (
    Array,
    Asked,
    Judge,
    asked_of,
    fit,
    one_of,
    opened,
    weights_now,
)
from bench.metrics import Line
from bench.scoring import is_absent
from hippocampus_cli.query.confidence import SHOWN_FROM, SURE_FROM, confidence_of, features_of
from hippocampus_cli.search.hits import SearchHits
from hippocampus_cli.search.library import Library
from hippocampus_cli.search.query_parser import parse

FIVE, UNITS = 5, 3  # sections, and units that each shows
OTHERS = 10  # questions of another corpus that are put to a folder
RIGHT = 0.9  # of the answers that are sure
HEADS = {"hit1": "hit@1", "hit5": "hit@5", "units10": "U@10"}


class Judged(NamedTuple):
    """An answer's features, whether it is right, whether nothing could be, and its confidence as it is now."""

    corpus: str
    row: tuple[float, ...] | None
    right: bool
    absent: bool
    now: float


class Gathered(NamedTuple):
    """A corpus as it is ranked and judged."""

    name: str
    asked: list[Asked]
    judged: list[Judged]


def main(arguments: Sequence[str]) -> int:
    """Print the figures of each corpus when it is left out."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, help="downloaded data (default: $BENCH_DATA)")
    parser.add_argument("--limit", type=whole(1), metavar="N", help="questions of each corpus")
    options = parser.parse_args(arguments)
    data = data_folder(options.data, os.environ)
    with tempfile.TemporaryDirectory(prefix="hippo-fit-") as scratch:
        corpora = list(gather(data, Path(scratch), options.limit))
    report_ranking([one for one in corpora if one.asked])
    report_confidence(corpora)
    return 0


def gather(data: Path, scratch: Path, limit: int | None) -> Iterator[Gathered]:
    """Every corpus that is here."""
    read = {
        name: one.read(data)
        for name, one in CORPORA.items()
        if name not in ("workspaces-cues", "unseen")
    }
    there = {name: one for name, one in read.items() if one is not None}
    following = [*list(there.values())[1:], *list(there.values())[:1]]
    for at, ((name, dataset), other) in enumerate(zip(there.items(), following, strict=True)):
        print(f"reading {name}", file=sys.stderr, flush=True)
        yield _gathered(at, name, dataset.limited(limit), other, scratch / str(at))


def _gathered(at: int, name: str, dataset: Dataset, other: Dataset, scratch: Path) -> Gathered:
    asked: list[Asked] = []
    judged: list[Judged] = []
    strange = [case.text for folder in other.folders for case in folder.cases if case.text.strip()]
    foreign = () if other is dataset else spread(strange, OTHERS * len(dataset.folders))
    for number, folder in enumerate(dataset.folders):
        library = opened(folder.write(scratch / str(number)), None)
        for case in filter(_is_known, folder.cases):
            judged.append(_judged(name, library, folder, case))
            if case.right:
                asked.append(_ranked(at, library, folder, case, any_of=name != "locomo"))
        for text in foreign[number * OTHERS : (number + 1) * OTHERS]:
            judged.append(_judged(name, library, folder, Case(text, ())))
        library.close()
    return Gathered(name, [one._replace(counts=1000 / len(asked)) for one in asked], judged)


def _is_known(case: Case) -> bool:
    """Whether it asks for something, and the lines that answer it are known, or that there are none."""
    return bool(case.text.strip()) and (bool(case.right) or is_absent(case))


def _ranked(at: int, library: Library, folder: Folder, case: Case, *, any_of: bool) -> Asked:
    gold, today = case.lines, folder.now.date()
    return asked_of(library, case.text, today, at, one_of(gold), _judge(gold), any_of=any_of)


def _judge(gold: frozenset[Line]) -> Judge:
    """Whether a right line is among the best units of the first section, of the first five; whether one is among the
    first ten units."""
    right = one_of(gold)

    def judge(asked: Asked, scores: Array) -> dict[str, float]:
        order = np.argsort(-scores, kind="stable")
        best: dict[int, list[bool]] = {}
        for at in order:
            units = best.setdefault(asked.sections[at], [])
            if len(units) < UNITS:
                units.append(right(asked.spans[at]))
        places = {span: any(best[at]) for at, span in enumerate(asked.wholes) if at in best}
        ranked = [places[one] for one in asked.ranked_sections(scores)[:FIVE]]
        units10 = any(right(asked.spans[at]) for at in order[:10])
        return {"hit1": float(any(ranked[:1])), "hit5": float(any(ranked)), "units10": units10}

    return judge


def _judged(name: str, library: Library, folder: Folder, case: Case) -> Judged:
    query = parse(case.text, folder.now.date())
    found = library.cache.search(query, 10, meaning=library.meaning)
    row = tuple(features_of(found)) if found.hits else None
    return Judged(name, row, _is_right(found, case), not case.right, confidence_of(found))


def _is_right(found: SearchHits, case: Case) -> bool:
    wanted = case.lines
    return any(
        (hit.path, line) in wanted
        for hit in found.hits[:FIVE]
        for unit in hit.units[:UNITS]
        for line in range(unit.start, unit.end + 1)
    )


def report_ranking(corpora: Sequence[Gathered]) -> None:
    """Each corpus with the weights there are, with those fitted to the others, and to all."""
    every = [one for corpus in corpora for one in corpus.asked]
    now, fitted = weights_now(every), fit(every)
    print("ranking: a row a corpus and weights")
    for corpus in corpora:
        others = [one for it in corpora if it is not corpus for one in it.asked]
        rows = {"as it is": now, "fitted to all": fitted}
        if others:
            rows["left out"] = fit(others)
        for title, weights in rows.items():
            _print(f"{corpus.name}, {len(corpus.asked)}", title, _means(corpus.asked, weights))


def _means(asked: Sequence[Asked], weights: Array) -> dict[str, float]:
    rows = [one.judge(one, one.rows @ weights) for one in asked]
    return {head: fmean(row[key] for row in rows) for key, head in HEADS.items()}


def report_confidence(corpora: Sequence[Gathered]) -> None:
    """Each corpus with the confidence there is, and with one fitted to the others."""
    print("\nconfidence: a row a corpus and calibration")
    for corpus in corpora:
        title = f"{corpus.name}, {len(corpus.judged)}"
        now = [one.now for one in corpus.judged]
        _print(title, "as it is", promises(corpus.judged, now, SURE_FROM))
        others = [it for it in corpora if it is not corpus]
        if others:
            fitted, sure_from = _calibrated(others)
            chances = [_chance(one, fitted) for one in corpus.judged]
            _print(title, f"left out, {sure_from:.2f}", promises(corpus.judged, chances, sure_from))


def _calibrated(corpora: Sequence[Gathered]) -> tuple[Array, float]:
    """The odds fitted to corpora that count the same, and from which chance on an answer is sure."""
    rows, answers, weights = [], [], []
    for corpus in corpora:
        there = [one for one in corpus.judged if one.row is not None]
        rows += [one.row for one in there]
        answers += [float(one.right) for one in there]
        weights += [1000 / len(there)] * len(there)
    fitted = fit_odds(np.array(rows), np.array(answers), np.array(weights))
    chances = chances_of(np.array(rows), fitted)
    return fitted, _bound(chances, np.array(answers), np.array(weights))


def _bound(chances: Array, answers: Array, weights: Array) -> float:
    """The least chance from which on :data:`RIGHT` of the answers are right."""
    order = np.argsort(-chances)
    share = np.cumsum((answers * weights)[order]) / np.cumsum(weights[order])
    good = np.flatnonzero(share >= RIGHT)
    return float(chances[order][good[-1]]) if len(good) else 1.0


def _chance(one: Judged, fitted: Array) -> float:
    return 0.0 if one.row is None else float(chances_of(np.array([one.row]), fitted)[0])


def promises(
    judged: Iterable[Judged], chances: Iterable[float], sure_from: float
) -> dict[str, float]:
    """What the words are worth: NaN where nothing is called so."""
    rows = list(zip(judged, chances, strict=True))
    sure = [one.right for one, chance in rows if chance >= sure_from]
    right = [chance >= sure_from for one, chance in rows if one.right]
    absent = [chance >= sure_from for one, chance in rows if one.absent]
    none = [one.absent for one, chance in rows if chance < SHOWN_FROM]
    refused = [chance < SHOWN_FROM for one, chance in rows if one.absent]
    shares = {"sure: right": sure, "right: sure": right, "absent: sure": absent}
    shares |= {"none: right": none, "absent: none": refused}
    return {
        head: fmean(map(float, them)) if them else float("nan") for head, them in shares.items()
    }


def _print(corpus: str, title: str, figures: dict[str, float]) -> None:
    print(f"{corpus:26}{title:18}", *(f"{key} {one:.3f}" for key, one in figures.items()), sep="  ")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
