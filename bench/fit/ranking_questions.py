"""Questions with the features of every unit that hippo ranks for them, by hippo's own code."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from bench.fit.opened import opened
from bench.locomo.choosing import choose
from bench.locomo.laying_out import lay_out
from bench.locomo.reading import read_conversations
from hippocampus_cli.benchmark.corpus import Corpus, Line, Span
from hippocampus_cli.benchmark.metrics import METRICS, Ranked, figures
from hippocampus_cli.benchmark.questions import (
    Question,
    Returned,
    answered,
    load_questions,
    touches,
)
from hippocampus_cli.retrieval.understanding import read_query
from hippocampus_cli.search import lexical, weights
from hippocampus_cli.search.candidates import candidates
from hippocampus_cli.search.library import Library
from hippocampus_cli.search.lookup import look_up
from hippocampus_cli.search.rows import unit_spans
from hippocampus_cli.search.scoring import pooled
from hippocampus_cli.search.tallying import Averages

Array = np.ndarray[Any, np.dtype[Any]]
Judge = Callable[["Asked", Array], dict[str, float]]

FIXTURES = Path(__file__).parents[2] / "fixtures"
TODAY = datetime(2026, 8, 1, tzinfo=UTC).date()  # the day that the fixture's questions are asked


class Asked(NamedTuple):
    """A question as it is ranked.

    ``rows`` are units by features, ``right`` says which units answer. Unit i stands in ``spans[i]``, in section
    ``sections[i]`` of ``wholes``. ``any_of``: one right unit is as good as all. ``fold``: what it is held out with.
    ``judge`` gives the figures for scores of the units.
    """

    fold: int
    rows: Array
    right: Array
    spans: list[Span]
    sections: list[int]
    wholes: list[Span]
    any_of: bool
    judge: Judge

    def ranked_sections(self, scores: Array) -> list[Span]:
        """The sections, best first, as search ranks them."""
        found: dict[int, list[float]] = {}
        for section, score in zip(self.sections, scores.tolist(), strict=True):
            found.setdefault(section, []).append(score)
        return [self.wholes[at] for at in sorted(found, key=lambda at: -pooled(found[at]))]


def of_locomo(file: Path, scratch: Path, models: Path | None = None) -> Iterator[Asked]:
    """The questions of LoCoMo that have an answer; a fold a conversation. With ``models``, a folder that has minilm,
    texts are compared by meaning too."""
    conversations = read_conversations(file)
    questions = choose(conversations).questions
    for fold, conversation in enumerate(conversations):
        laid = lay_out(conversation, scratch / str(fold))
        library = opened(scratch / str(fold), models)
        for question in questions[fold]:
            gold = frozenset(laid.places[one] for one in question.evidence)
            right = _one_of(gold)
            judge = _judge_lines(gold, laid.corpus)
            yield _asked(library, question.text, laid.now.date(), fold, right, judge, any_of=False)
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
        yield _asked(library, question.text, TODAY, at % folds, right, judge, any_of=True)
    library.close()


def _asked(
    library: Library,
    text: str,
    today: date,
    fold: int,
    right: Callable[[Span], bool],
    judge: Judge,
    *,
    any_of: bool,
) -> Asked:
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
    weighing = weights.SEMANTIC_WEIGHTS if library.meaning else weights.WEIGHTS
    table = np.array(rows, dtype=np.float64).reshape(len(rows), len(weighing))
    return Asked(
        fold, table, np.array(list(map(right, spans)), bool), spans, sections, wholes, any_of, judge
    )


def _ranked(library: Library, text: str, today: date) -> list[lexical._Ranked]:
    """The sections that search looks at closely, with the features of their units, in no order."""
    query = read_query(text, today, library)

    def rank(db: sqlite3.Connection) -> list[lexical._Ranked]:
        sections, units, stems = db.execute("SELECT sections, units, stems FROM totals").fetchone()
        lookup = look_up(db, query, sections, units, weights.RELATED)
        asked = library.meaning.asked(query.text) if library.meaning else None
        ids = candidates(db, query, lookup, None, asked)
        averages = Averages(max(stems / max(units, 1), 1.0), max(stems / max(sections, 1), 1.0))
        loaded = lexical._load(db, ids, query.days)
        return list(lexical._ranked(loaded, query, lookup.wishes, averages, asked))

    return library.cache.healing(rank)


def _one_of(gold: frozenset[Line]) -> Callable[[Span], bool]:
    return lambda span: any((span.path, at) in gold for at in range(span.start, span.end + 1))


def _touching(question: Question) -> Callable[[Span], bool]:
    return lambda span: touches(question, [Returned(span.path, span.start, span.end)])


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
        best = [Returned(one.path, one.start, one.end) for one in ranked]
        return {
            "hit1": float(touches(question, best[:1])),
            "hit5": float(answered(question, best)),
        }

    return judge
