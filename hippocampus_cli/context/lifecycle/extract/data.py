"""Structured data: JSON and JSON lines, and tables (CSV, tab-separated, markdown)."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping
from typing import Any

from hippocampus_cli.context.lifecycle.extract import Extract, Value, counted, extracted, short

_MOST_CHARACTERS = 16_000_000  # parsed; a larger document is read as text
_MOST_KEYS = 40
_LINES_TRIED = 3
_TELLING = (
    *("error", "message", "status", "code", "id", "name", "title", "url", "path", "version"),
    *("total", "count", "state", "next", "cursor", "type"),
)
_NAMING = ("id", "_id", "uuid", "key", "slug", "sha", "number", "ref", "name", "path", "title")
_DEPTH = 3


def extract_json(text: str, hint: str) -> Extract | None:
    """The extract of JSON, ``None`` for what is none."""
    start = text[:200].lstrip("\ufeff \t\r\n")
    if not start.startswith(("{", "[")) or len(text) > _MOST_CHARACTERS:
        return None
    try:
        return _of_document(json.loads(text.lstrip("\ufeff")))
    except (ValueError, RecursionError):
        return _of_lines(text)


def _of_document(value: Any) -> Extract | None:
    if not isinstance(value, (dict, list)):
        return None
    if isinstance(value, list):
        head = f"JSON list of {_items(value)}"
    else:
        head = f"JSON object of {counted(len(value), 'key')}: " + ", ".join(
            f"{short(key, 60)}{_shape(one)}" for key, one in _ordered(value)
        )
    return Extract("json", short(head, 1_200), dict(_key_data(value)))


def _of_lines(text: str) -> Extract | None:
    lines = [line for line in text.split("\n") if line.strip()]
    found = []
    broken = 0
    for line in lines:
        try:
            found.append(json.loads(line))
        except (ValueError, RecursionError):
            broken += 1
            if len(found) < min(_LINES_TRIED, len(lines) - broken):
                return None
    if len(found) < 2 or not all(isinstance(one, (dict, list)) for one in found):
        return None
    more = f", {counted(broken, 'broken line')}" if broken else ""
    return Extract("json", f"JSON lines: {_items(found)}{more}", dict(_key_data(found)))


def _key_data(value: Any) -> Iterator[tuple[str, Value]]:
    values, counts = dict(_scalars(value)), dict(_counts(value))
    yield from ((name, found) for name, found in (("values", values), ("counts", counts)) if found)
    yield from _ids(value)


def _scalars(value: Any, name: str = "", depth: int = 0) -> Iterator[tuple[str, str]]:
    """The plain values of objects within objects by their dotted names, telling ones first."""
    if not isinstance(value, dict) or depth > _DEPTH:
        return
    inner = []
    for key, one in _ordered(value):
        path = f"{name}.{key}" if name else str(key)
        if isinstance(one, dict):
            inner.append((path, one))
        elif not isinstance(one, list) and one not in (None, ""):
            yield short(path, 60), short(json.dumps(one) if isinstance(one, bool) else one)
    for path, one in inner:
        yield from _scalars(one, path, depth + 1)


def _counts(value: Any, name: str = "", depth: int = 0) -> Iterator[tuple[str, str]]:
    """The lengths of lists by their dotted names."""
    if isinstance(value, list):
        yield short(name or "items", 60), str(len(value))
    elif isinstance(value, dict) and depth <= _DEPTH:
        for key, one in _ordered(value):
            yield from _counts(one, f"{name}.{key}" if name else str(key), depth + 1)


def _ids(value: Any, name: str = "", depth: int = 0) -> Iterator[tuple[str, Value]]:
    """What the objects of each list are called."""
    if isinstance(value, list):
        objects = [one for one in value if isinstance(one, dict)]
        for naming in _NAMING:
            found = [short(one[naming], 80) for one in objects if _is_name(one.get(naming))]
            if len(found) > len(objects) // 2:
                yield short(f"{name or 'items'}.{naming}", 60), found[:_MOST_KEYS]
                return
        if value and all(isinstance(one, (str, int)) for one in value):
            yield short(name or "items", 60), [short(one, 80) for one in value[:_MOST_KEYS]]
    elif isinstance(value, dict) and depth <= _DEPTH:
        for key, one in _ordered(value):
            yield from _ids(one, f"{name}.{key}" if name else str(key), depth + 1)


def _is_name(value: Any) -> bool:
    return isinstance(value, (str, int)) and not isinstance(value, bool) and value != ""


def _ordered(value: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """The first pairs of an object, telling names before others."""
    ranks = {name: at for at, name in enumerate(_TELLING)}
    pairs = sorted(value.items(), key=lambda pair: ranks.get(pair[0].lower(), len(ranks)))
    return pairs[:_MOST_KEYS]


def _shape(value: Any) -> str:
    if isinstance(value, list):
        return f" ({_items(value)})"
    return f" ({counted(len(value), 'key')})" if isinstance(value, dict) else ""


def _items(value: list[Any]) -> str:
    """``19 items of id, name, email``."""
    fields = {key: None for one in value[:_MOST_KEYS] if isinstance(one, dict) for key in one}
    of = f" of {', '.join(short(key, 40) for key in list(fields)[:8])}" if fields else ""
    return counted(len(value), "item") + of


_LEAST_ROWS = 3
_SHARE = 0.9
_LONGEST = 100_000  # characters of a row
_MOST = 40


def extract_table(text: str, hint: str) -> Extract | None:
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
    count, ranges = str(len(body)), _ranges(columns, body)
    return extracted("table", summary, rows=count, columns=columns[:_MOST], ranges=ranges)


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
    cells = (row.strip().strip("|").split("|") for row in rows if not _is_rule(row))
    return _even([[cell.strip() for cell in row] for row in cells])


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
