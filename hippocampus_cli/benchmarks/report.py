"""The table that ``make bench`` prints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Row(NamedTuple):
    """One method. Shares are 0 to 1; ``cold`` is a whole process, ``warm`` a call in one; milliseconds."""

    method: str
    hit1: float
    hit5: float
    tokens: float
    cold_ms: float | None
    warm_ms: float
    refused: float
    by_kind: Mapping[str, tuple[float, float, int]]


class Report(NamedTuple):
    """All that was measured. ``rates`` are named figures of speed, ``warning`` a limit of the questions."""

    workspace: str
    files: int
    questions: int
    rows: tuple[Row, ...]
    processes: Mapping[str, float]
    rates: Mapping[str, float]
    warning: str


def print_report(report: Report) -> None:
    """Print the tables."""
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False, width=None if Console().is_terminal else 110)
    title = f"{report.questions} questions, {report.files} notes"
    table = Table(title=title, title_justify="left", box=None, pad_edge=False)
    for name in ("method", "hit@1", "hit@5", "tokens", "cold ms", "warm ms", "refused"):
        table.add_column(name, justify="left" if name == "method" else "right")
    for row in report.rows:
        table.add_row(
            row.method,
            f"{row.hit1:.3f}",
            f"{row.hit5:.3f}",
            f"{row.tokens:,.0f}",
            "–" if row.cold_ms is None else f"{row.cold_ms:.0f}",
            f"{row.warm_ms:.1f}",
            f"{row.refused:.2f}",
        )
    console.print(table)
    console.print(_by_kind(report))
    base = report.processes["import typer"]
    for name, ms in report.processes.items():
        console.print(f"{name:<28} {ms:6.0f} ms   {ms / base:4.2f} × import typer")
    for name, figure in report.rates.items():
        console.print(f"{name:<28} {figure:6,.1f}")
    if report.warning:
        console.print(report.warning)


def _by_kind(report: Report) -> object:
    from rich.table import Table

    kinds = list(dict.fromkeys(kind for row in report.rows for kind in row.by_kind))
    counts = report.rows[0].by_kind
    table = Table(title="\nhit@5 by kind", title_justify="left", box=None, pad_edge=False)
    table.add_column("method")
    for kind in kinds:
        table.add_column(f"{kind} {counts[kind][2]}", justify="right")
    for row in report.rows:
        table.add_row(row.method, *(f"{row.by_kind[kind][1]:.2f}" for kind in kinds))
    return table
