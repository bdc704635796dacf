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
from bench.dataset import Case, Dataset, Folder, Progress, silent
from bench.methods import EMBEDDINGS, RANKINGS, TOKENS, Ask, Desk, Ranking, by_anchors
from bench.metrics import METRICS, Corpus, Ranked, figures, quantile
from bench.tables import Asked, Comparison, Row, mean, plain, row_of
from hippocampus_cli.api import Workspace
from hippocampus_cli.benchmark.sheet import Column, Findings
from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.config import Config, load
from hippocampus_cli.config.settings import Embedding
from hippocampus_cli.errors import EmbedderUnavailable, HippoError

if TYPE_CHECKING:
    from hippocampus_cli.embedding.embedder import Opener

Q = TypeVar("Q")
A = TypeVar("A")
METHODS = tuple(one.key for one in RANKINGS)
_COSTS = (
    Column("p50_ms", "p50 ms", ".1f"),
    Column("p95_ms", "p95 ms", ".1f"),
    Column("tokens", "tokens", ",.0f"),
)
_TELLING = ("files_at_5", "turns_at_10", "cov_1000")  # files, lines, and lines within a budget
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
    add("file", type=Path, metavar="FILE", help="the file of the data set")
    add("--conversation", action="append", metavar="ID", help="only this one; repeatable")
    names = f"only these, with commas between: {', '.join(METHODS)}"
    add("--methods", action="append", metavar="NAMES", help=names)
    add("--limit-questions", type=whole(1), metavar="N", help="so many at most, spread evenly")
    add("--tokens", type=whole(1), default=TOKENS, help="the budget of each answer of hippo's")


def measure(dataset: Dataset, session: CommandContext, options: argparse.Namespace) -> Findings:
    """Ask what the options choose; raises :class:`UsageError` for what there is not."""
    named = chosen(options.methods, METHODS, "--methods")
    dataset = only(dataset, options.conversation).limited(options.limit_questions)
    config = load(None, session.environ)
    keys = _possible(session, config.embedding, named)
    methods = [one for one in RANKINGS if one.key in keys]
    with session.output.progress("asking") as advance:
        report = run(dataset, methods, config, options.tokens, advance, session.opener)
    return findings(report)


def only(dataset: Dataset, names: list[str] | None) -> Dataset:
    """The folders with these names, else all; raises :class:`UsageError` for a name that none has."""
    named = chosen(names, [one.name for one in dataset.folders], "--conversation")
    kept = (one for one in dataset.folders if not named or one.name in named)
    return dataset._replace(folders=tuple(kept))


def _possible(session: CommandContext, settings: Embedding, named: list[str]) -> list[str]:
    """The methods to compare: those that are named, else all that can be. Raises where a named one cannot."""
    keys = named or list(METHODS)
    if EMBEDDINGS not in keys:
        return keys
    try:
        if session.opener(settings) is None:
            raise EmbedderUnavailable(
                reason="no embedder is configured", advice="set HIPPO_EMBEDDING_EMBEDDER=minilm"
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
    tokens: int = TOKENS,
    progress: Progress = silent,
    opener: Opener | None = None,
) -> Report:
    """Ask in scratch folders, which are gone afterwards.

    ``tokens`` is the budget of each of hippo's answers; ``opener`` opens the embedder of ``config`` for methods that
    want one.
    """
    found: dict[str, list[Asked]] = {method.key: [] for method in methods}
    counts, done = dataset.counts, 0
    total = sum(counts.values()) * len(methods)
    with tempfile.TemporaryDirectory(prefix="hippo-bench-") as scratch:
        for at, folder in enumerate(dataset.folders):
            root = folder.write(Path(scratch) / str(at))
            for key, one in _ask(root, config, tokens, folder, methods, opener):
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
        rows=tuple(_row(method, found[method.key]) for method in methods),
    )


def _ask(
    root: Path,
    config: Config,
    tokens: int,
    folder: Folder,
    methods: Sequence[Ranking],
    opener: Opener | None,
) -> Iterator[tuple[str, Asked]]:
    """Every method's answers to the questions of one folder."""
    if not folder.cases:
        return
    with Workspace(root, by_anchors(config, False)) as workspace, ExitStack() as until_done:
        workspace.bootstrap(now=folder.now)
        desk = Desk(folder.corpus, workspace, folder.now, tokens, opener, until_done)
        for method in methods:
            ask = method.make(desk)
            for case, ranked, ms in answers(partial(_answer, ask), folder.cases):
                values = best_figures(ranked, case, folder.corpus)
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


def best_figures(ranked: Ranked, case: Case, corpus: Corpus) -> tuple[float, ...]:
    """The values of :data:`METRICS`: figure by figure the best that any of the right places gives."""
    each = (figures(ranked, right, corpus) for right in case.right)
    return tuple(map(max, zip(*each, strict=True)))


def percentiles(times: Iterable[float]) -> dict[str, float | None]:
    """``p50_ms`` and ``p95_ms``."""
    ordered = sorted(times)
    return {"p50_ms": quantile(ordered, 0.5), "p95_ms": quantile(ordered, 0.95)}


def _row(method: Ranking, asked: Sequence[Asked]) -> Row:
    tokens = mean([one.tokens for one in asked])
    rest = {**percentiles(one.ms for one in asked), "tokens": tokens}
    return row_of(method.key, method.name, list(METRICS), asked, rest)


def findings(report: Report) -> Findings:
    """The report, whoever reads it."""
    title = (
        f"{report.questions:,} questions, {len(report.conversations)} conversations, "
        f"{report.files:,} files, {report.turns:,} turns"
    )
    table = Comparison(
        title, METRICS, _COSTS, report.categories, report.rows, _TELLING, _TELLING, "category"
    )
    called = {"locomo": "LoCoMo"}.get(report.benchmark, report.benchmark)
    return Findings(
        document={**plain(report), "rows": [_document(row) for row in report.rows]},
        sheets=tuple(table.sheets()),
        notes=tuple(_notes(report)),
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
    yield (
        "F: share of the right files among the first k files. any, all: whether any of them, or all, are there. "
        "T: share of the right turns among the first k turns. cov: share of the right turns within the first "
        "500, 1,000 and 2,000 tokens (characters / 4): of an answer that hippo makes for so many, of the beginning "
        "of what the others return. ms: one question in a process that has answered before. "
        "tokens: the text of the first five places."
    )
    skipped = report.skipped
    said = ", ".join(f"{skipped[key]:,} {why}" for key, why in _WHY.items() if skipped.get(key))
    if said:
        yield f"Questions left out: {said}."
    if skipped.get("references"):
        yield f"References to turns that do not exist, passed over: {skipped['references']:,}."
