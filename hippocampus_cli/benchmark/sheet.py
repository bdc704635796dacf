"""Figures in rows and columns: what every benchmark gives to print, to save and to draw."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from typing import Any, NamedTuple

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
    """All that a benchmark gives back, whoever prints it.

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
