"""The figures of ``hippo bench peers`` as a document, as tables and as a chart."""

from __future__ import annotations

from collections.abc import Iterator

from hippocampus_cli.benchmarks.charts import Spec, labelled_points
from hippocampus_cli.benchmarks.peers.report import HEADS, TOLD, Report, Row
from hippocampus_cli.benchmarks.sheet import Cell, Column, Findings, Sheet

_NAME = Column("name", "tool")
_VERSION = Column("version", "version")
_FIGURES = tuple(Column(key, head, ".3f") for key, head in HEADS.items())
_COSTS = (
    Column("tokens", "tokens", ",.0f"),
    Column("index_s", "index s", ",.1f"),
    Column("cold_ms", "cold ms", ",.0f"),
    Column("warm_ms", "warm ms", ",.1f"),
)


def findings(report: Report) -> Findings:
    """The report, whoever reads it."""
    return Findings(
        document=document(report),
        sheets=tuple(_sheets(report)),
        notes=tuple(_notes(report)),
        table=_table(report),
        chart=_chart(report),
    )


def document(report: Report) -> dict[str, object]:
    """What ``--json`` prints."""
    return {
        "benchmark": "peers",
        **report._asdict(),
        "import_typer_ms": round(report.import_typer_ms, 2),
        "rows": [_row(row) for row in report.rows],
    }


def _row(row: Row) -> dict[str, object]:
    figures = {
        key: {end: round(value, 4) for end, value in one._asdict().items()}
        for key, one in row.figures.items()
    }
    costs = {
        column.key: None if (value := getattr(row, column.key)) is None else round(value, 2)
        for column in _COSTS
    }
    return {**row._asdict(), "figures": figures, **costs}


def _sheets(report: Report) -> Iterator[Sheet]:
    folders = f"{report.folders:,} folder{'' if report.folders == 1 else 's'}"
    title = f"{report.questions:,} questions, {report.files:,} files in {folders}"
    rows = tuple(
        (row.name, row.version or "not installed", *_values(row), *_costs(row))
        for row in report.rows
    )
    yield Sheet(title, (_NAME, _VERSION, *_FIGURES, *_COSTS), rows)
    if troubled := [row for row in report.rows if row.problem]:
        columns = (_NAME, Column("problem", "why it has no figures"), Column("install", "install"))
        yield Sheet(
            "not measured", columns, tuple((r.name, r.problem, r.install) for r in troubled)
        )


def _values(row: Row) -> tuple[Cell, ...]:
    return tuple(row.figures[key].value if row.figures else None for key in TOLD)


def _costs(row: Row) -> tuple[Cell, ...]:
    return tuple(getattr(row, column.key) for column in _COSTS)


def _notes(report: Report) -> Iterator[str]:
    yield (
        "F: share of the right files among the first k files. any: whether any of them is among the first five. "
        "cov1k: share of the right lines within the first 1,000 tokens (characters / 4) of the notes' lines that "
        "were shown. tokens: the text of the first five results. index: until the first answer was there. cold: "
        f"a whole process; `import typer` alone took {report.import_typer_ms:,.0f} ms. warm: a question to a "
        "process that runs already, where there is such a way."
    )
    if not report.embeddings:
        yield (
            "There was no server of embeddings (--embeddings): a tool that needs vectors had its own model, if it "
            "found one without the network."
        )


def _table(report: Report) -> Sheet:
    keys = ("peer", "version", "problem")
    bounds = (f"{key}{end}" for key in TOLD for end in ("", "_low", "_high"))
    columns = tuple(Column(key, "") for key in (*keys, *bounds, *(one.key for one in _COSTS)))
    rows = tuple(
        (row.peer, row.version, row.problem, *_bounds(row), *_costs(row)) for row in report.rows
    )
    return Sheet("peers", columns, rows)


def _bounds(row: Row) -> tuple[Cell, ...]:
    if not row.figures:
        return (None,) * (3 * len(TOLD))
    return tuple(value for key in TOLD for value in row.figures[key])


def _chart(report: Report) -> Spec:
    rows = [
        {
            "name": row.name,
            "tokens": max(1.0, row.tokens or 0.0),
            "files_at_5": row.figures["files_at_5"].value,
        }
        for row in report.rows
        if row.figures
    ]
    title = f"{report.questions:,} questions: files found, by tokens of five results"
    across, up = ("tokens", "tokens of five results"), ("files_at_5", "F@5")
    return labelled_points(rows, title, across=across, up=up)
