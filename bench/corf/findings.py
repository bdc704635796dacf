"""The figures of ``python -m bench corf`` as a document, as tables and as a chart."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from bench.arguments import chosen, several, whole
from bench.corf.methods import ABLATIONS
from bench.corf.reading import read_dataset
from bench.corf.report import Report, Row
from bench.corf.run import AT, Plan, run
from bench.intervals import Interval
from hippocampus_cli.benchmark.charts import Spec, dots
from hippocampus_cli.benchmark.sheet import Cell, Column, Findings, Sheet
from hippocampus_cli.cli.context import Session

_NAME = Column("name", "method")
_REST = (
    Column("recall_updated", "R new", ".3f"),
    Column("iir", "IIR", ".3f"),
    Column("iir_absent", "IIR absent", ".3f"),
    Column("scr", "SCR", ".3f"),
    Column("returned", "chunks", ".1f"),
    Column("p50_ms", "p50 ms", ".1f"),
    Column("p95_ms", "p95 ms", ".1f"),
)


def findings(report: Report) -> Findings:
    """The report, whoever reads it."""
    return Findings(
        document=document(report),
        sheets=(_main(report), _intervals(report), _by_kind(report)),
        notes=tuple(_notes(report)),
        table=_table(report),
        chart=_chart(report),
    )


def document(report: Report) -> dict[str, object]:
    """What ``--json`` prints."""
    return {"benchmark": "corf", **report._asdict(), "rows": [_row(row) for row in report.rows]}


def _row(row: Row) -> dict[str, object]:
    plain = {
        key: round(value, 4) if isinstance(value, float) else value
        for key, value in row._asdict().items()
    }
    recall = {
        f"at_{k}": {key: round(value, 4) for key, value in one._asdict().items()}
        for k, one in row.recall.items()
    }
    by_kind = {
        kind: {f"at_{k}": round(value, 4) for k, value in values.items()}
        for kind, values in row.by_kind.items()
    }
    return {**plain, "recall": recall, "by_kind": by_kind}


def _main(report: Report) -> Sheet:
    recalls = tuple(Column(f"recall_at_{k}", f"R@{k}", ".3f") for k in report.at)
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (row.name, *(one.value for one in row.recall.values()), *_rest(row)) for row in report.rows
    )
    title = (
        f"{report.questions:,} questions, {report.files:,} files, {report.chunks:,} chunks, "
        f"{report.anchors:,} anchors"
    )
    return Sheet(title, (_NAME, *recalls, *_REST), rows)


def _rest(row: Row) -> tuple[Cell, ...]:
    return (
        *(row.recall_updated, row.iir, row.iir_absent, row.scr),
        *(row.returned, row.p50_ms, row.p95_ms),
    )


def _intervals(report: Report) -> Sheet:
    columns = tuple(Column(f"recall_at_{k}", f"R@{k}") for k in report.at)
    rows = tuple((row.name, *map(_between, row.recall.values())) for row in report.rows)
    return Sheet("95 % of the means of resampled questions lie between", (_NAME, *columns), rows)


def _between(one: Interval) -> str:
    return f"{one.low:.3f}–{one.high:.3f}"


def _by_kind(report: Report) -> Sheet:
    most = report.at[-1]
    kinds = tuple(report.rows[0].by_kind)
    columns = tuple(Column(kind, f"{kind} {report.kinds[kind]:,}", ".3f") for kind in kinds)
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (row.name, *(row.by_kind[kind][most] for kind in kinds)) for row in report.rows
    )
    return Sheet(f"R@{most} by kind", (_NAME, *columns), rows)


def _notes(report: Report) -> Iterator[str]:
    most = report.at[-1]
    yield (
        "R@K: questions with a right line among the first K chunks (CORF-Recall). R new: the same at K "
        f"{most} where the answer came after the build. IIR: of the first {most} chunks, those of a file that "
        "does not answer; absent: questions without an answer that got any chunk. SCR: files that answer among "
        "those returned. ms: one question in a process that has answered before."
    )
    if report.made_up:
        yield (
            f"{report.made_up:,} notes of made-up words fill the index: they show what size costs in time, and "
            "are easily told from real ones."
        )
    if not report.updated:
        yield "No answer came after the build, so nightly-only would be the full lookup: it was left out."


def _table(report: Report) -> Sheet:
    """A row a method and kind; what holds for all questions together stands with ``all`` only."""
    bounds = (
        Column(f"recall_at_{k}{end}", "", ".4f") for k in report.at for end in ("", "_low", "_high")
    )
    head = (Column("method", ""), Column("kind", ""), Column("questions", "", "d"))
    rows = tuple(one for row in report.rows for one in _rows(report, row))
    return Sheet("corf", (*head, *bounds, *_REST), rows)


def _rows(report: Report, row: Row) -> Iterator[tuple[Cell, ...]]:
    whole = (value for one in row.recall.values() for value in one)
    yield row.method, "all", report.questions, *whole, *_rest(row)
    for kind, values in row.by_kind.items():
        each = (cell for k in report.at for cell in (values[k], None, None))
        yield row.method, kind, report.kinds[kind], *each, *(None for _ in _REST)


def _chart(report: Report) -> Spec:
    rows = [
        {"method": row.name, "metric": f"R@{k}", **one._asdict()}
        for row in report.rows
        for k, one in row.recall.items()
    ]
    order = [row.name for row in report.rows]
    title = f"CORF: {report.questions:,} questions, with 95 % intervals"
    return dots(rows, order, title, [f"R@{k}" for k in report.at])


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``python -m bench corf``."""
    add = parser.add_argument
    add("file", type=Path, metavar="DATASET", help="questions with the lines that answer them")
    names = f"leave out only these, with commas between: {', '.join(ABLATIONS)}"
    add("--ablation", action="append", metavar="NAMES", help=names)
    add(
        "--at",
        type=several(1, 1_000),
        default=AT,
        metavar="K,K…",
        help="the first chunks that count",
    )
    add("--chunks", type=whole(0, 1_000_000), default=0, help="add made-up notes of so many chunks")


def measure(session: Session, options: argparse.Namespace) -> Findings:
    """Ask questions that retrieval tends to fail, with and without each part of a lookup of anchors.

    A copy of the workspace that DATASET names (or --workspace) is built, without the lines of questions marked
    updated_after_build, then brought in step, and asked; beside it stand a hybrid query and BM25 over the same
    chunks. `python -m bench make-corf` writes questions; those that you write yourself show more:

      {"version": 1, "workspace": "workspace", "queries": [
        {"id": "price", "text": "what did we decide about its price?", "kind": "pronoun",
         "project": "plumbline", "gold": [{"path": "projects/plumbline/DECISIONS.md", "start": 29, "end": 29}],
         "updated_after_build": false}]}

    Kinds: failed, pronoun (has a project), associative, source, silent, paraphrase, absent (has no gold).
    """
    plan = Plan(
        tuple(chosen(options.ablation, ABLATIONS, "--ablation")), options.at, options.chunks
    )
    questions = read_dataset(options.file)
    session.workspace = session.workspace or questions.root
    with session.output.progress("asking") as advance:
        return findings(
            run(questions, session.root(), session.config(), session.now, plan, advance)
        )
