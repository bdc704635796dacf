"""Every folder of a data set is written as a workspace, and every method is asked every question.

What ``python -m bench`` does for any :class:`Dataset`: its options, the run, and what it finds.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from bench.arguments import chosen, whole
from bench.dataset import Case, Dataset, Folder, Progress, Scoring, silent
from bench.methods import EMBEDDINGS, FURTHER, RANKINGS, Ask, Desk, Ranking
from bench.metrics import Ranked, quantile
from bench.scoring import LINES
from bench.sheet import Column, Findings
from bench.tables import Asked, Comparison, Row, mean, plain, row_of
from hippocampus_cli.api import Workspace
from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.config import Config, load
from hippocampus_cli.config.settings import Embedding
from hippocampus_cli.embedding.open import settings_opener
from hippocampus_cli.errors import EmbedderUnavailable, HippoError

if TYPE_CHECKING:
    from hippocampus_cli.embedding.embedder import Opener

Q = TypeVar("Q")
A = TypeVar("A")
EVERY = (*RANKINGS, *FURTHER)
_COSTS = (
    Column("p50_ms", "p50 ms", ".1f"),
    Column("p95_ms", "p95 ms", ".1f"),
    Column("tokens", "tokens", ",.0f"),
)
_WHY = {
    "without_answer": "without an answer (category 5)",
    "without_evidence": "whose evidence does not exist",
    "beyond_limit": "beyond the limit",
}


class Report(NamedTuple):
    """``conversations`` are the names of the folders, ``turns`` the lines that can answer, ``categories`` the
    questions asked by kind."""

    benchmark: str
    conversations: tuple[str, ...]
    files: int
    turns: int
    questions: int
    categories: Mapping[str, int]
    skipped: Mapping[str, int]
    rows: tuple[Row, ...]


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of a data set."""
    add = parser.add_argument
    add("file", type=Path, nargs="?", metavar="FILE", help="the file of the data set")
    add("--conversation", action="append", metavar="ID", help="only this one; repeatable")
    add_choices(parser)


def add_choices(parser: argparse.ArgumentParser) -> None:
    """The options that say what is asked, and how much of it."""
    add = parser.add_argument
    names = f"only these, with commas between: {', '.join(one.key for one in EVERY)}"
    add("--methods", action="append", metavar="NAMES", help=names)
    limit = "so many at most, spread evenly"
    add("--limit", "--limit-questions", dest="limit", type=whole(1), metavar="N", help=limit)
    add("--tokens", type=whole(1), help="the budget of each answer of hippo's")


def measure(dataset: Dataset, session: CommandContext, options: argparse.Namespace) -> Findings:
    """Ask what the options choose; raises :class:`UsageError` for what there is not."""
    scoring = dataset.scoring or LINES
    named = chosen(options.methods, [one.key for one in EVERY], "--methods")
    dataset = only(dataset, getattr(options, "conversation", None)).limited(options.limit)
    config = load(None, session.environ)
    keys = _possible(session, config.embedding, named, scoring)
    methods = [one for one in EVERY if one.key in keys]
    with session.output.progress("asking") as advance:
        report = run(dataset, methods, config, options.tokens, advance, _opener(session))
    return findings(report, scoring)


def _opener(session: CommandContext) -> Opener:
    """What opens the embedder of the settings, with the keys and models that the environment names."""
    return settings_opener(session.environ, session.root_or_none(), session.config_anywhere())


def only(dataset: Dataset, names: list[str] | None) -> Dataset:
    """The folders with these names, else all; raises :class:`UsageError` for a name that none has."""
    named = chosen(names, [one.name for one in dataset.folders], "--conversation")
    kept = (one for one in dataset.folders if not named or one.name in named)
    return dataset._replace(folders=tuple(kept))


def _possible(
    session: CommandContext, settings: Embedding, named: list[str], scoring: Scoring
) -> list[str]:
    """The methods to compare: those that are named, else all that can be. Raises where a named one cannot."""
    keys = named or list(scoring.methods)
    if EMBEDDINGS not in keys:
        return keys
    try:
        if _opener(session)(settings) is None:
            raise EmbedderUnavailable(
                reason="no embedder is configured",
                advice="set HIPPO_EMBEDDING_EMBEDDER=use-multilingual",
            )
    except HippoError as error:
        if named:
            raise
        session.output.note(f"hippo: without {EMBEDDINGS}: {error.message} ({error.advice})")
        return [key for key in keys if key != EMBEDDINGS]
    return keys


def run(
    dataset: Dataset,
    methods: Sequence[Ranking],
    config: Config,
    tokens: int | None = None,
    progress: Progress = silent,
    opener: Opener | None = None,
) -> Report:
    """Ask in scratch folders, which are gone afterwards.

    ``tokens`` is the budget of each of hippo's answers, by default the data set's; ``opener`` opens the embedder of
    ``config`` for methods that want one.
    """
    found: dict[str, list[Asked]] = {method.key: [] for method in methods}
    counts, done, scoring = dataset.counts, 0, dataset.scoring or LINES
    scoring = scoring._replace(tokens=tokens or scoring.tokens)
    total = sum(counts.values()) * len(methods)
    with tempfile.TemporaryDirectory(prefix="hippo-bench-") as scratch:
        for at, folder in enumerate(dataset.folders):
            root = folder.write(Path(scratch) / str(at))
            for key, one in _ask(root, config, scoring, folder, methods, opener):
                found[key].append(one)
                progress(done := done + 1, total)
    corpora = [folder.corpus for folder in dataset.folders]
    return Report(
        benchmark=dataset.name,
        conversations=tuple(folder.name for folder in dataset.folders),
        files=sum(len(corpus.files) for corpus in corpora),
        turns=sum(len(corpus.units) for corpus in corpora),
        questions=sum(counts.values()),
        categories=counts,
        skipped=dataset.skipped,
        rows=tuple(_row(method, list(scoring.heads), found[method.key]) for method in methods),
    )


def _ask(
    root: Path,
    config: Config,
    scoring: Scoring,
    folder: Folder,
    methods: Sequence[Ranking],
    opener: Opener | None,
) -> Iterator[tuple[str, Asked]]:
    """Every method's answers to the questions of one folder."""
    if not folder.cases:
        return
    with Workspace(root, config) as workspace, ExitStack() as until_done:
        workspace.at(folder.now).bootstrap()
        budget = scoring.tokens, opener, until_done, scoring.limit
        desk = Desk(folder.corpus, workspace, folder.now, *budget)
        for method in methods:
            ask = method.make(desk)
            for case, ranked, ms in answers(partial(_answer, ask), folder.cases):
                values = scoring.values(ranked, case, folder.corpus)
                yield method.key, Asked(case.kind, values, ms, ranked.tokens)


def _answer(ask: Ask, case: Case) -> Ranked:
    return ask(case.text)


def answers(ask: Callable[[Q], A], questions: Sequence[Q]) -> Iterator[tuple[Q, A, float]]:
    """Each question, its answer, and the milliseconds that took; the first is asked once before, so that caches
    are built, and warm."""
    for question in questions[:1]:
        ask(question)
    for question in questions:
        started = time.perf_counter()
        answer = ask(question)
        yield question, answer, (time.perf_counter() - started) * 1000


def percentiles(times: Iterable[float]) -> dict[str, float | None]:
    """``p50_ms`` and ``p95_ms``."""
    ordered = sorted(times)
    return {"p50_ms": quantile(ordered, 0.5), "p95_ms": quantile(ordered, 0.95)}


def _row(method: Ranking, metrics: Sequence[str], asked: Sequence[Asked]) -> Row:
    tokens = mean([one.tokens for one in asked])
    rest = {**percentiles(one.ms for one in asked), "tokens": tokens}
    return row_of(method.key, method.name, metrics, asked, rest)


def findings(report: Report, scoring: Scoring = LINES) -> Findings:
    """The report, whoever reads it."""
    title = (
        f"{report.questions:,} questions, {len(report.conversations)} {scoring.folders}, "
        f"{report.files:,} files, {report.turns:,} {scoring.units}"
    )
    counts, split = report.categories, scoring.split
    table = Comparison(
        title, scoring.heads, _COSTS, counts, report.rows, scoring.telling, split, "category"
    )
    called = {"locomo": "LoCoMo"}.get(report.benchmark, report.benchmark)
    return Findings(
        document={**plain(report), "rows": [_document(row) for row in report.rows]},
        sheets=tuple(table.sheets()),
        notes=(scoring.legend, *_notes(report)),
        table=table.table(report.benchmark, report.questions),
        chart=table.chart(f"{called}: {report.questions:,} questions, with 95 % intervals"),
    )


def _document(row: Row) -> dict[str, object]:
    costs = {
        key: round(value or 0.0, 1 if key == "tokens" else 2) for key, value in row.rest.items()
    }
    figures, kinds = plain(row.figures), plain(row.by_kind)
    return {
        "method": row.method,
        "name": row.name,
        "figures": figures,
        "by_category": kinds,
        **costs,
    }


def _notes(report: Report) -> Iterator[str]:
    skipped = report.skipped
    said = ", ".join(f"{skipped[key]:,} {why}" for key, why in _WHY.items() if skipped.get(key))
    if said:
        yield f"Questions left out: {said}."
    if skipped.get("references"):
        yield f"References to turns that do not exist, passed over: {skipped['references']:,}."
