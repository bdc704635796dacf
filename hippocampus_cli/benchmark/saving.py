"""Figures as files: a table as CSV, a chart as SVG. Only what a benchmark wrote is ever written over."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from hippocampus_cli.benchmark.sheet import Findings, as_csv
from hippocampus_cli.errors import ExtraMissing, UsageError
from hippocampus_cli.reporting.paging import write_over_own

_SVG_MARK = "<!-- hippo bench -->"


def check_targets(csv: Path | None, plot: Path | None) -> None:
    """Refuse before anything is measured what could not be written after it.

    Raises :class:`UsageError`, :class:`ExtraMissing`.
    """
    if plot is not None:
        if plot.suffix.lower() != ".svg":
            advice = "name a file that ends in .svg"
            raise UsageError(
                reason=f"--plot writes SVG, not {plot.suffix or plot.name}", advice=advice
            )
        _drawing()
    for path in (csv, plot):
        if path is not None and not path.absolute().parent.is_dir():
            raise UsageError(reason=f"{path}: no such folder", advice="make it, or name another")


def save(found: Findings, csv: Path | None, plot: Path | None) -> list[Path]:
    """The files that were written; both are drawn up before the first is.

    Raises :class:`UsageError` where something else is there, :class:`FileUnwritable`,
    :class:`ExtraMissing` for a chart without the extra ``report``.
    """
    table = as_csv(found.table) if csv else ""
    chart = _svg(found) if plot else ""
    if csv:
        head = table.partition("\n")[0].encode()
        write_over_own(csv, table, (head,), "table")
    if plot:
        write_over_own(plot, chart, (_SVG_MARK.encode(),), "chart")
    return [path for path in (csv, plot) if path]


def _svg(found: Findings) -> str:
    return f"{_SVG_MARK}\n{_drawing()(dict(found.chart or {}), allowed_base_urls=[])}\n"


def _drawing() -> Callable[..., str]:
    try:
        from vl_convert import vegalite_to_svg
    except ImportError as error:
        raise ExtraMissing(feature="the chart", extra="report") from error
    drawn: Callable[..., str] = vegalite_to_svg
    return drawn
