"""Structured data: JSON and JSON lines, and tables with a line a row."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from hippocampus_cli.context.extract import Extract, Value, counted, extracted, short

_MOST_CHARACTERS = 16_000_000  # parsed; a larger document is read as text
_MOST_KEYS = 40
_LINES_TRIED = 3
_TELLING = (
    *("error", "message", "status", "code", "id", "name", "title", "url", "path", "version"),
    *("total", "count", "state", "next", "cursor", "type"),
)
_RANKS = {name: rank for rank, name in enumerate(_TELLING)}
_NAMING = ("id", "_id", "uuid", "key", "slug", "sha", "number", "ref", "name", "path", "title")
_DEPTH = 3
_LEAST_ROWS, _SHARE, _SPACED = 3, 0.9, 0.2


def extract_json(text: str) -> Extract | None:
    """The extract of JSON, ``None`` for what is none."""
    bare = text.lstrip("\ufeff \t\r\n")
    if not bare.startswith(("{", "[")) or len(text) > _MOST_CHARACTERS:
        return None
    try:
        value = json.loads(bare)
    except (ValueError, RecursionError):
        return _of_lines(bare)
    if isinstance(value, list):
        return Extract("json", f"JSON list of {_items(value)}", _key_data(value))
    shapes = (f"{short(key, 60)}{_shape(inner)}" for key, inner in _ordered(value))
    head = f"JSON object of {counted(len(value), 'key')}: {', '.join(shapes)}"
    return Extract("json", short(head, 1_200), _key_data(value))


def _of_lines(text: str) -> Extract | None:
    values: list[Any] = []
    broken = 0
    lines = [line for line in text.split("\n") if line.strip()]
    for line in lines:
        try:
            values.append(json.loads(line))
        except (ValueError, RecursionError):
            broken += 1
            if len(values) < min(_LINES_TRIED, len(lines) - broken):
                return None
    if len(values) < 2 or not all(isinstance(value, (dict, list)) for value in values):
        return None
    more = f", {counted(broken, 'broken line')}" if broken else ""
    return Extract("json", f"JSON lines: {_items(values)}{more}", _key_data(values))


def _key_data(value: Any) -> dict[str, Value]:
    """Plain values and the lengths of lists by their dotted names, and what the objects of each list are called."""
    values: dict[str, str] = {}
    counts: dict[str, str] = {}
    names: dict[str, Value] = {}
    for path, inner in _walk(value):
        if isinstance(inner, list):
            counts[short(path or "items", 60)] = str(len(inner))
            names.update(_names(path or "items", inner))
        elif inner not in (None, ""):
            values[short(path, 60)] = short(json.dumps(inner) if isinstance(inner, bool) else inner)
    found: dict[str, Value] = {"values": values, "counts": counts}
    return {**{name: made for name, made in found.items() if made}, **names}


def _walk(value: Any, name: str = "", depth: int = 0) -> Iterator[tuple[str, Any]]:
    """What objects within objects hold besides objects, level by level."""
    if not isinstance(value, dict):
        yield name, value
    elif depth <= _DEPTH:
        pairs = [(f"{name}.{key}" if name else str(key), inner) for key, inner in _ordered(value)]
        for path, inner in sorted(pairs, key=lambda pair: isinstance(pair[1], dict)):
            yield from _walk(inner, path, depth + 1)


def _names(name: str, values: list[Any]) -> Iterator[tuple[str, Value]]:
    objects = [one for one in values if isinstance(one, dict)]
    for naming in _NAMING:
        given = [short(one[naming], 80) for one in objects if _is_name(one.get(naming))]
        if len(given) > len(objects) // 2:
            yield short(f"{name}.{naming}", 60), given[:_MOST_KEYS]
            return
    if values and all(map(_is_name, values)):
        yield short(name, 60), [short(one, 80) for one in values[:_MOST_KEYS]]


def _is_name(value: Any) -> bool:
    return isinstance(value, (str, int)) and not isinstance(value, bool) and value != ""


def _ordered(value: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """The first pairs of an object, telling names before others."""
    pairs = sorted(value.items(), key=lambda pair: _RANKS.get(pair[0].lower(), len(_RANKS)))
    return pairs[:_MOST_KEYS]


def _shape(value: Any) -> str:
    if isinstance(value, list):
        return f" ({_items(value)})"
    return f" ({counted(len(value), 'key')})" if isinstance(value, dict) else ""


def _items(values: list[Any]) -> str:
    """``19 items of id, name, email``."""
    objects = (one for one in values[:_MOST_KEYS] if isinstance(one, dict))
    fields = list(dict.fromkeys(key for one in objects for key in one))
    of = f" of {', '.join(short(key, 40) for key in fields[:8])}" if fields else ""
    return counted(len(values), "item") + of


def extract_table(text: str, hint: str) -> Extract | None:
    """The extract of comma-, semicolon- or tab-separated rows, ``None`` for other text."""
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    if len(lines) < _LEAST_ROWS:
        return None
    named = hint.lower().endswith((".csv", ".tsv"))
    separators = (one for one in ("\t", ",", ";") if _separates(one, lines, prose=not named))
    separator = next(separators, None)
    if separator is None:
        return None
    columns = [short(name.strip('" '), 60) for name in lines[0].split(separator)]
    summary = (
        f"table: {len(lines) - 1:,} rows of {len(columns)} columns: {short(', '.join(columns), 400)}",
        f"first: {short(lines[1], 200)}",
        f"last: {short(lines[-1], 200)}",
    )
    return extracted("table", summary, rows=str(len(lines) - 1), columns=columns[:_MOST_KEYS])


def _separates(separator: str, lines: list[str], *, prose: bool) -> bool:
    """Whether most lines have as many of it as the first; prose has it before a space."""
    count = lines[0].count(separator)
    same = sum(line.count(separator) == count for line in lines)
    spaced = sum(f"{separator} " in line for line in lines)
    return (
        bool(count)
        and same >= len(lines) * _SHARE
        and not (prose and separator != "\t" and spaced > len(lines) * _SPACED)
    )
