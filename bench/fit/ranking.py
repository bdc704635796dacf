"""How the weights of the ranking were chosen: ``python -m bench.fit.ranking locomo10.json``.

LoCoMo (``data/locomo10.json`` of the repository snap-research/locomo, not part of hippo) and ``fixtures/`` are put
to hippo's own search, which gives the features of every unit. A linear listwise softmax is fitted to them: of
LoCoMo all right units share the probability, of the fixture any unit of a right section is as good as another.
What is printed first is held out: one conversation, or a fifth of the fixture's questions, at a time. The weights
printed then are fitted to everything; in ``search/ranking_weights.py`` they are rounded. With ``--models``, a
folder that has use-multilingual, it is the ranking by words and meaning that is fitted.
"""

from __future__ import annotations

import argparse
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

import numpy as np

from bench.locomo import read_locomo
from bench.metrics import METRICS, Corpus, Line, Ranked, Span, figures
from bench.questions import Place, Question, answered, load_questions, touches
from hippocampus_cli.config import Config
from hippocampus_cli.config.settings import Embedding
from hippocampus_cli.embedding.open import SettingsOpener
from hippocampus_cli.search import ranker, ranking_weights
from hippocampus_cli.search.candidates import candidates
from hippocampus_cli.search.embed import embed_notes
from hippocampus_cli.search.library import Library
from hippocampus_cli.search.query_parser import parse
from hippocampus_cli.search.query_terms import look_up
from hippocampus_cli.search.ranking_weights import FEATURES, SEMANTIC
from hippocampus_cli.search.schema import unit_spans
from hippocampus_cli.search.scoring import pooled
from hippocampus_cli.search.term_statistics import Averages


def opened(root: Path, models: Path | None) -> Library:
    """The notes below ``root``, searchable; embedded where ``models`` is a folder that has use-multilingual."""
    if models is None:
        library = Library(root, Config())
        library.refresh()
        return library
    config = Config(embedding=Embedding(embedder="use-multilingual"))
    library = Library(root, config, opener=SettingsOpener({"HIPPO_MODELS": str(models)}))
    library.refresh()
    assert library.meaning is not None
    embed_notes(library, library.meaning)
    return library


Array = np.ndarray[Any, np.dtype[Any]]
Judge = Callable[["Asked", Array], dict[str, float]]

FIXTURES = Path(__file__).parents[2] / "fixtures"
TODAY = datetime(2026, 8, 1, tzinfo=UTC).date()  # the day that the fixture's questions are asked


class Asked(NamedTuple):
    """A question as it is ranked.

    ``rows`` are units by features, ``right`` says which units answer. Unit i stands in ``spans[i]``, in section
    ``sections[i]`` of ``wholes``. ``any_of``: one right unit is as good as all. ``fold``: what it is held out with.
    ``judge`` gives the figures for scores of the units. ``counts``: the weight it is fitted with, where it has one.
    """

    fold: int
    rows: Array
    right: Array
    spans: list[Span]
    sections: list[int]
    wholes: list[Span]
    any_of: bool
    judge: Judge
    counts: float | None = None

    def ranked_sections(self, scores: Array) -> list[Span]:
        """The sections, best first, as search ranks them."""
        found: dict[int, list[float]] = {}
        for section, score in zip(self.sections, scores.tolist(), strict=True):
            found.setdefault(section, []).append(score)
        return [self.wholes[at] for at in sorted(found, key=lambda at: -pooled(found[at]))]


def of_locomo(file: Path, scratch: Path, models: Path | None = None) -> Iterator[Asked]:
    """The questions of LoCoMo that have an answer; a fold a conversation. With ``models``, a folder that has
    use-multilingual, texts are compared by meaning too."""
    for fold, folder in enumerate(read_locomo(file).folders):
        library = opened(folder.write(scratch / str(fold)), models)
        for case in folder.cases:
            (gold,) = case.right
            right = one_of(gold)
            judge = _judge_lines(gold, folder.corpus)
            yield asked_of(library, case.text, folder.now.date(), fold, right, judge, any_of=False)
        library.close()


def of_the_fixture(scratch: Path, folds: int, models: Path | None = None) -> Iterator[Asked]:
    """The questions of ``fixtures/queries.toml`` that have an answer; ``models`` as in :func:`of_locomo`."""
    root = scratch / "fixture"
    shutil.copytree(FIXTURES / "workspace", root)
    library = opened(root, models)
    questions = load_questions(FIXTURES / "queries.toml", library.note)
    for at, question in enumerate(one for one in questions if one.gold):
        right = _touching(question)
        judge = _judge_sections(question)
        yield asked_of(library, question.text, TODAY, at % folds, right, judge, any_of=True)
    library.close()


def asked_of(
    library: Library,
    text: str,
    today: date,
    fold: int,
    right: Callable[[Span], bool],
    judge: Judge,
    *,
    any_of: bool,
) -> Asked:
    """A question as hippo's search ranks what answers it."""
    rows: list[Sequence[float]] = []
    spans: list[Span] = []
    sections: list[int] = []
    wholes: list[Span] = []
    for one in _ranked(library, text, today):
        path, units = one.candidate.path, unit_spans(one.candidate.units)
        section = (library.cache.sections_of(path) or [])[one.candidate.ordinal]
        whole = Span(path, section.start, section.tree_end if not units.starts else section.end)
        each = [Span(path, *lines) for lines in zip(units.starts, units.ends, strict=True)] or [
            whole
        ]
        rows += one.rows
        spans += each
        sections += [len(wholes)] * len(each)
        wholes.append(whole)
    weighing = ranking_weights.SEMANTIC_WEIGHTS if library.meaning else ranking_weights.WEIGHTS
    table = np.array(rows, dtype=np.float64).reshape(len(rows), len(weighing))
    return Asked(
        fold, table, np.array(list(map(right, spans)), bool), spans, sections, wholes, any_of, judge
    )


def _ranked(library: Library, text: str, today: date) -> list[ranker._Ranked]:
    """The sections that search looks at closely, with the features of their units, in no order."""
    query = parse(text, today)

    def rank(db: sqlite3.Connection) -> list[ranker._Ranked]:
        sections, units, stems = db.execute("SELECT sections, units, stems FROM totals").fetchone()
        lookup = look_up(db, query, sections, units, ranking_weights.RELATED)
        asked = library.meaning.asked(query.text) if library.meaning else None
        ids = candidates(db, query, lookup, None, asked)
        averages = Averages(max(stems / max(units, 1), 1.0), max(stems / max(sections, 1), 1.0))
        loaded = ranker._load(db, ids, query.days)
        return list(ranker._ranked(loaded, query, lookup.wishes, averages, asked))

    return library.cache.healing(rank)


def one_of(gold: frozenset[Line]) -> Callable[[Span], bool]:
    """Whether a span has one of the lines."""
    return lambda span: any((span.path, at) in gold for at in range(span.start, span.end + 1))


def _touching(question: Question) -> Callable[[Span], bool]:
    return lambda span: touches(question, [Place(span.path, span.start, span.end)])


def _judge_lines(gold: frozenset[Line], corpus: Corpus) -> Judge:
    """The figures of ``python -m bench locomo``, were units returned in the order of their scores."""

    def judge(asked: Asked, scores: Array) -> dict[str, float]:
        order = np.argsort(-scores, kind="stable")
        units = tuple(asked.spans[at]._replace(score=float(scores[at])) for at in order)
        files = Ranked(tuple(asked.ranked_sections(scores)), 0)
        by_files = dict(zip(METRICS, figures(files, gold, corpus), strict=True))
        by_units = dict(zip(METRICS, figures(Ranked(units, 0), gold, corpus), strict=True))
        return by_units | {key: by_files[key] for key in ("files_at_5", "any_at_5")}

    return judge


def _judge_sections(question: Question) -> Judge:
    """Whether the first section is right, and whether the first five answer."""

    def judge(asked: Asked, scores: Array) -> dict[str, float]:
        ranked = asked.ranked_sections(scores)[:5]
        best = [Place(one.path, one.start, one.end) for one in ranked]
        return {"hit1": float(touches(question, best[:1])), "hit5": float(answered(question, best))}

    return judge


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
            counts.append(one.counts or (times if one.any_of else 1.0))
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
    parser.add_argument(
        "--models", type=Path, help="compare by meaning too, with use-multilingual in here"
    )
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
