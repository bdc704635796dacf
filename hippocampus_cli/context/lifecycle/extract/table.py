"""Tables: CSV, tab-separated, markdown."""

from __future__ import annotations

import csv

from hippocampus_cli.context.lifecycle.extract.extract import Extract, Value, short

_LEAST_ROWS = 3
_SHARE = 0.9
_LONGEST = 100_000  # characters of a row
_MOST = 40


def extract(text: str, hint: str) -> Extract | None:
    """The extract of a table, ``None`` for other text."""
    lines = [line.rstrip("\r") for line in text.split("\n") if line.strip()]
    if len(lines) < _LEAST_ROWS or any(len(line) > _LONGEST for line in lines):
        return None
    rows = _markdown(lines) or _separated(lines, hint)
    return _described(rows) if rows else None


def _described(rows: list[list[str]]) -> Extract:
    head, body = rows[0], rows[1:]
    columns = [short(name, 60) for name in head]
    summary = [
        f"table: {len(body):,} rows of {len(columns)} columns: {short(', '.join(columns), 400)}",
        f"first: {short(' | '.join(body[0]), 200)}",
    ]
    if len(body) > 1:
        summary.append(f"last: {short(' | '.join(body[-1]), 200)}")
    data: dict[str, Value] = {"rows": str(len(body)), "columns": columns[:_MOST]}
    if ranges := _ranges(columns, body):
        data["ranges"] = ranges
    return Extract("table", "\n".join(summary), data)


def _ranges(columns: list[str], body: list[list[str]]) -> dict[str, str]:
    """The smallest and the largest value of each column of numbers."""
    found: dict[str, str] = {}
    for at, name in enumerate(columns[:_MOST]):
        numbers = [value for row in body if (value := _number(row[at])) is not None]
        if len(numbers) > len(body) // 2:
            found[name] = f"{min(numbers):g} to {max(numbers):g}"
    return found


def _number(text: str) -> float | None:
    bare = text.strip().replace(",", "")
    if not bare or bare[-1] not in "0123456789." or len(bare) > 30:
        return None
    try:
        return float(bare)
    except ValueError:
        return None


def _markdown(lines: list[str]) -> list[list[str]] | None:
    """The table that the text is, most of it at least."""
    rows = [line for line in lines if line.count("|") >= 2]
    if len(rows) < len(lines) * _SHARE or not any(map(_is_rule, rows[:3])):
        return None
    cells = [
        [cell.strip() for cell in row.strip().strip("|").split("|")]
        for row in rows
        if not _is_rule(row)
    ]
    return _even(cells)


def _is_rule(line: str) -> bool:
    """Whether the line is the one below a table's head."""
    return "-" in line and "|" in line and not line.strip(" \t:|-")


def _separated(lines: list[str], hint: str) -> list[list[str]] | None:
    for delimiter in ("\t", ",", ";"):
        named = hint.lower().endswith({"\t": ".tsv"}.get(delimiter, ".csv"))
        fields = lines[0].count(delimiter) + 1
        if fields < 2 or (not named and not _consistent(lines, delimiter)):
            continue
        try:
            rows = list(csv.reader(lines, delimiter=delimiter))
        except csv.Error:
            continue
        if len(rows) >= _LEAST_ROWS and (even := _even(rows)):
            return even
    return None


def _consistent(lines: list[str], delimiter: str) -> bool:
    """Whether the lines look like rows: as many delimiters in each, and no prose, which has ", "."""
    count = lines[0].count(delimiter)
    same = sum(line.count(delimiter) == count for line in lines)
    spaced = sum(f"{delimiter} " in line for line in lines)
    return same >= len(lines) * _SHARE and (delimiter == "\t" or spaced < len(lines) * 0.2)


def _even(rows: list[list[str]]) -> list[list[str]] | None:
    """The rows that have as many cells as the first, where nearly all have."""
    even = [row for row in rows if len(row) == len(rows[0])]
    enough = len(even) >= max(2, len(rows) * _SHARE) and len(rows[0]) >= 2
    return even if enough else None
