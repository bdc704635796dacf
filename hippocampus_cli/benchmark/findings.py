"""The figures of ``hippo bench workspace`` as a document, as tables and as a chart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import log10

from hippocampus_cli.benchmark.charts import Spec, labelled_points
from hippocampus_cli.benchmark.report import Report
from hippocampus_cli.benchmark.sheet import Cell, Column, Findings, Sheet

_NAME = Column("name", "method")
_SCORES = (
    Column("hit1", "hit@1", ".3f"),
    Column("hit5", "hit@5", ".3f"),
    Column("refused", "refused", ".2f"),
)


def findings(report: Report) -> Findings:
    """The report, whoever reads it."""
    return Findings(
        document=document(report),
        sheets=(_main(report), _by_kind(report), _processes(report)),
        notes=tuple(_notes(report)),
        table=_table(report),
        chart=_chart(report),
    )


def document(report: Report) -> dict[str, object]:
    """What ``--json`` prints."""
    return {
        "benchmark": "workspace",
        **report._asdict(),
        "rows": [
            {
                **_rounded(row._asdict()),
                "by_kind": {kind: _rounded(one._asdict()) for kind, one in row.by_kind.items()},
            }
            for row in report.rows
        ],
        "processes": _rounded(report.processes),
    }


def _rounded(values: Mapping[str, object]) -> dict[str, object]:
    return {key: round(v, 4) if isinstance(v, float) else v for key, v in values.items()}


def _main(report: Report) -> Sheet:
    columns = (
        _NAME,
        Column("tokens", "tokens", ",.0f"),
        Column("cold_ms", "cold ms", ",.0f"),
        Column("warm_ms", "warm ms", ",.1f"),
        *_SCORES,
        Column("cost", "a month", "$,.2f"),
    )
    rows = tuple(
        (r.name, r.tokens, r.cold_ms, r.warm_ms, r.hit1, r.hit5, r.refused, r.cost)
        for r in report.rows
    )
    title = f"{report.questions:,} questions, {report.notes:,} notes, {report.note_tokens:,} tokens"
    return Sheet(title, columns, rows)


def _kinds(report: Report) -> dict[str, int]:
    return {kind: one.questions for kind, one in report.rows[0].by_kind.items()}


def _by_kind(report: Report) -> Sheet:
    kinds = _kinds(report)
    columns = tuple(Column(kind, f"{kind} {count:,}", ".2f") for kind, count in kinds.items())
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (row.name, *(row.by_kind[kind].hit5 for kind in kinds)) for row in report.rows
    )
    return Sheet("hit@5 by kind", (_NAME, *columns), rows)


def _processes(report: Report) -> Sheet:
    base = report.processes["import typer"]
    columns = (
        Column("process", "process"),
        Column("ms", "ms", ",.0f"),
        Column("times", "× import typer", ".2f"),
    )
    rows = tuple((name, ms, ms / base) for name, ms in report.processes.items())
    return Sheet("whole processes", columns, rows)


def _notes(report: Report) -> Iterator[str]:
    yield (
        "tokens: what a question returns (characters / 4). cold: a whole process, warm: a question in a process "
        "that has answered before (grep and BM25 with all notes in memory). hit@1, hit@5: the first place, or the "
        "first five, answer the question. refused: of the questions without an answer, those that got none. "
        f"a month: {report.questions_a_month:,} questions at ${report.price:g} for a million tokens."
    )
    if report.warning:
        yield report.warning


def _table(report: Report) -> Sheet:
    kinds = _kinds(report)
    keys = ("method", "tokens", "cold_ms", "warm_ms", "hit1", "hit5", "refused", "cost")
    columns = (*keys, *(f"hit5_{kind}" for kind in kinds))
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            *(getattr(row, key) for key in keys),
            *(row.by_kind[kind].hit5 for kind in kinds),
        )
        for row in report.rows
    )
    return Sheet("workspace", tuple(Column(key, "") for key in columns), rows)


def _chart(report: Report) -> Spec:
    places: dict[tuple[float, float], list[str]] = {}
    for row in report.rows:  # methods that stand in one place share their words
        place = (round(log10(max(1.0, row.tokens)), 1), round(row.hit5, 2))
        places.setdefault(place, []).append(row.name)
    rows = [
        {"name": ", ".join(names), "tokens": 10**tokens, "hit5": hit5}
        for (tokens, hit5), names in places.items()
    ]
    title = (
        f"{report.questions:,} questions, {report.notes:,} notes: answered, by tokens a question"
    )
    up = ("hit5", "answered by the first five")
    return labelled_points(rows, title, across=("tokens", "tokens a question"), up=up)
