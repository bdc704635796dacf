"""Figures in rows and columns: what every benchmark gives to print, to save as CSV and to draw as SVG.

Only what a benchmark wrote is ever written over.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from hippocampus_cli.errors import ExtraMissing, UsageError
from hippocampus_cli.report.pages import write_over_own

Cell = str | int | float | None


class Column(NamedTuple):
    """``key`` names it in files, ``head`` on a screen; ``shape`` is a format for its numbers ("$" before
    it for money), "" for words."""

    key: str
    head: str
    shape: str = ""


class Sheet(NamedTuple):
    """A table; the first column names the rows."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]


class Findings(NamedTuple):
    """The result of a benchmark.

    ``document`` is what ``--json`` prints, ``sheets`` are for a screen with ``notes`` below them, ``table`` is
    the whole in one sheet for ``--csv``, ``chart`` a Vega-Lite specification for ``--plot``, where
    there is one.
    """

    document: Mapping[str, object]
    sheets: tuple[Sheet, ...]
    notes: tuple[str, ...]
    table: Sheet
    chart: Mapping[str, Any] | None = None


def as_csv(sheet: Sheet) -> str:
    """The sheet with its keys as the head line; numbers in full, what is missing empty."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([column.key for column in sheet.columns])
    writer.writerows([_exact(cell) for cell in row] for row in sheet.rows)
    return text.getvalue()


def _exact(cell: Cell) -> str:
    if cell is None:
        return ""
    return str(round(cell, 6)) if isinstance(cell, float) else str(cell)


_SVG_MARK = "<!-- hippo bench -->"


def check_targets(csv: Path | None, plot: Path | None) -> None:
    """Refuse before anything is measured what could not be written after it.

    Raises :class:`UsageError`, :class:`ExtraMissing`.
    """
    if plot is not None:
        if plot.suffix.lower() != ".svg":
            reason = f"--plot writes SVG, not {plot.suffix or plot.name}"
            raise UsageError(reason=reason, advice="name a file that ends in .svg")
        _renderer()
    for path in (csv, plot):
        if path is not None and not path.absolute().parent.is_dir():
            raise UsageError(
                reason=f"{path}: no such folder", advice="create it, or choose another"
            )


def save(found: Findings, csv: Path | None, plot: Path | None) -> list[Path]:
    """The files that were written; both are made before the first is written.

    Raises :class:`UsageError` where something else is there, :class:`FileUnwritable`,
    :class:`ExtraMissing` for a chart without the extra ``report``.
    """
    table = as_csv(found.table) if csv else ""
    chart = f"{_SVG_MARK}\n{_renderer()(dict(found.chart or {}))}\n" if plot else ""
    if csv:
        head = table.partition("\n")[0].encode()
        write_over_own(csv, table, (head,), "table")
    if plot:
        write_over_own(plot, chart, (_SVG_MARK.encode(),), "chart")
    return [path for path in (csv, plot) if path]


def _renderer() -> Callable[[dict[str, Any]], str]:
    """What turns a specification into SVG. Raises :class:`ExtraMissing`."""
    try:
        from vl_convert import vegalite_to_svg
    except ImportError as error:
        raise ExtraMissing(feature="the chart", extra="report") from error
    return partial(vegalite_to_svg, allowed_base_urls=[])
