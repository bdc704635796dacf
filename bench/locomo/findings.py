"""The figures of ``python -m bench locomo`` as a document, as tables and as a chart."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from bench.arguments import chosen, whole
from bench.intervals import Interval
from bench.locomo.conversation import Conversation
from bench.locomo.reading import read_conversations
from bench.locomo.report import Report, Row
from bench.locomo.run import run
from bench.rankings import EMBEDDINGS, RANKINGS
from hippocampus_cli.benchmark.charts import Spec, dots
from hippocampus_cli.benchmark.metrics import METRICS
from hippocampus_cli.benchmark.sheet import Cell, Column, Findings, Sheet
from hippocampus_cli.cli.context import Session
from hippocampus_cli.config import load
from hippocampus_cli.config.embedding import Embedding
from hippocampus_cli.errors import EmbedderUnavailable, HippoError

_NAME = Column("name", "method")
_COSTS = (
    Column("p50_ms", "p50 ms", ".1f"),
    Column("p95_ms", "p95 ms", ".1f"),
    Column("tokens", "tokens", ",.0f"),
)
_FIGURES = tuple(Column(key, head, ".3f") for key, head in METRICS.items())
_TELLING = ("files_at_5", "turns_at_10", "cov_1000")  # files, lines, and lines within a budget


def findings(report: Report) -> Findings:
    """The report, whoever reads it."""
    return Findings(
        document=document(report),
        sheets=(_main(report), _intervals(report), *(_by_category(report, m) for m in _TELLING)),
        notes=tuple(_notes(report)),
        table=_table(report),
        chart=_chart(report),
    )


def document(report: Report) -> dict[str, object]:
    """What ``--json`` prints."""
    return {
        "benchmark": "locomo",
        **report._asdict(),
        "skipped": report.skipped._asdict(),
        "rows": [_row(row) for row in report.rows],
    }


def _row(row: Row) -> dict[str, object]:
    def rounded(one: Interval) -> dict[str, float]:
        return {key: round(value, 4) for key, value in one._asdict().items()}

    return {
        **row._asdict(),
        "figures": {key: rounded(one) for key, one in row.figures.items()},
        "by_category": {
            kind: {key: round(value, 4) for key, value in values.items()}
            for kind, values in row.by_category.items()
        },
        "p50_ms": round(row.p50_ms, 2),
        "p95_ms": round(row.p95_ms, 2),
        "tokens": round(row.tokens, 1),
    }


def _main(report: Report) -> Sheet:
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (row.name, *(one.value for one in row.figures.values()), *_costs(row))
        for row in report.rows
    )
    title = (
        f"{report.questions:,} questions, {len(report.conversations)} conversations, "
        f"{report.files:,} files, {report.turns:,} turns"
    )
    return Sheet(title, (_NAME, *_FIGURES, *_COSTS), rows)


def _costs(row: Row) -> tuple[Cell, ...]:
    return row.p50_ms, row.p95_ms, row.tokens


def _intervals(report: Report) -> Sheet:
    columns = tuple(Column(key, METRICS[key], "") for key in _TELLING)
    rows = tuple(
        (row.name, *(_between(row.figures[key]) for key in _TELLING)) for row in report.rows
    )
    return Sheet("95 % of the means of resampled questions lie between", (_NAME, *columns), rows)


def _between(one: Interval) -> str:
    return f"{one.low:.3f}–{one.high:.3f}"


def _by_category(report: Report, metric: str) -> Sheet:
    columns = tuple(
        Column(name, f"{name} {count:,}", ".3f") for name, count in report.categories.items()
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (row.name, *(row.by_category[name][metric] for name in report.categories))
        for row in report.rows
    )
    return Sheet(f"{METRICS[metric]} by category", (_NAME, *columns), rows)


def _notes(report: Report) -> Iterator[str]:
    yield (
        "F: share of the right files among the first k files. any, all: whether any of them, or all, are there. "
        "T: share of the right turns among the first k turns. cov: share of the right turns within the first "
        "500, 1,000 and 2,000 tokens (characters / 4): of an answer that hippo makes for so many, of the beginning "
        "of what the others return. ms: one question in a process that has answered before. "
        "tokens: the text of the first five places."
    )
    skipped = report.skipped
    left = {
        "without an answer (category 5)": skipped.without_answer,
        "whose evidence does not exist": skipped.without_evidence,
        "beyond the limit": skipped.beyond_limit,
    }
    said = ", ".join(f"{count:,} {why}" for why, count in left.items() if count)
    if said:
        yield f"Questions left out: {said}."
    if skipped.references:
        yield f"References to turns that do not exist, passed over: {skipped.references:,}."


def _table(report: Report) -> Sheet:
    """A row a method and category; intervals for all questions together only."""
    bounds = (Column(f"{key}{end}", "", ".4f") for key in METRICS for end in ("", "_low", "_high"))
    head = (Column("method", ""), Column("category", ""), Column("questions", "", "d"))
    rows = tuple(row for one in report.rows for row in _rows(report, one))
    return Sheet("locomo", (*head, *bounds, *_COSTS), rows)


def _rows(report: Report, row: Row) -> Iterator[tuple[Cell, ...]]:
    whole = (value for one in row.figures.values() for value in one)
    yield row.method, "all", report.questions, *whole, *_costs(row)
    for name, count in report.categories.items():
        values = (x for key in METRICS for x in (row.by_category[name][key], None, None))
        yield row.method, name, count, *values, None, None, None


def _chart(report: Report) -> Spec:
    rows = [
        {"method": row.name, "metric": METRICS[key], **row.figures[key]._asdict()}
        for row in report.rows
        for key in _TELLING
    ]
    order = [row.name for row in report.rows]
    title = f"LoCoMo: {report.questions:,} questions, with 95 % intervals"
    return dots(rows, order, title, [METRICS[key] for key in _TELLING])


METHODS = tuple(one.key for one in RANKINGS)


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``python -m bench locomo``."""
    add = parser.add_argument
    add("file", type=Path, metavar="FILE", help="LoCoMo's JSON")
    add("--conversation", action="append", metavar="ID", help="only this one; repeatable")
    names = f"only these, with commas between: {', '.join(METHODS)}"
    add("--methods", action="append", metavar="NAMES", help=names)
    add("--limit-questions", type=whole(1), metavar="N", help="so many at most, spread evenly")
    add("--tokens", type=whole(1), default=20_000, help="the budget of each answer of hippo's")


def measure(session: Session, options: argparse.Namespace) -> Findings:
    """Ask LoCoMo's questions about long conversations: which files and turns answer, how early.

    FILE is data/locomo10.json of the repository snap-research/locomo (CC BY-NC 4.0), as it is there. Each
    conversation becomes a workspace of daily notes, a bullet a turn. Nothing is fetched, nothing is kept. The method
    hybrid-embeddings needs an embedder (hippo models install minilm, and HIPPO_EMBEDDING_EMBEDDER=minilm).
    """
    named = chosen(options.methods, METHODS, "--methods")
    talks = chosen_conversations(read_conversations(options.file), options.conversation)
    config = load(None, session.environ)
    keys = _possible(session, config.embedding, named)
    rankings = [one for one in RANKINGS if one.key in keys]
    with session.output.progress("asking") as advance:
        report = run(
            talks,
            rankings,
            config,
            limit=options.limit_questions,
            tokens=options.tokens,
            progress=advance,
            opener=session.opener,
        )
    return findings(report)


def chosen_conversations(
    found: tuple[Conversation, ...], ids: list[str] | None
) -> tuple[Conversation, ...]:
    """Those with these ids, else all; raises :class:`UsageError` for an id that none has."""
    named = chosen(ids, [one.id for one in found], "--conversation")
    return tuple(one for one in found if not named or one.id in named)


def _possible(session: Session, settings: Embedding, named: list[str]) -> list[str]:
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
