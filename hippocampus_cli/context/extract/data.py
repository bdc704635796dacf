"""Structured data: JSON and JSON lines."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from hippocampus_cli.context.extract import Extract, Value, counted, short

_MOST_CHARACTERS = 16_000_000  # parsed; a larger document is read as text
_MOST_KEYS = 40
_TELLING = (
    *("error", "message", "status", "code", "id", "name", "title", "url", "path", "version"),
    *("total", "count", "state", "next", "cursor", "type"),
)
_RANKS = {name: rank for rank, name in enumerate(_TELLING)}
_NAMING = ("id", "_id", "uuid", "key", "slug", "sha", "number", "ref", "name", "path", "title")
_DEPTH = 3


def extract_json(text: str) -> Extract | None:
    """The extract of JSON, ``None`` for what is none."""
    bare = text.lstrip("\ufeff \t\r\n")
    if not bare.startswith(("{", "[")) or len(text) > _MOST_CHARACTERS:
        return None
    value = _parsed(bare)
    if isinstance(value, list):
        return Extract("json", f"JSON list of {_items(value)}", _key_data(value))
    if isinstance(value, dict):
        shapes = (f"{short(key, 60)}{_shape(inner)}" for key, inner in _ordered(value))
        head = f"JSON object of {counted(len(value), 'key')}: {', '.join(shapes)}"
        return Extract("json", short(head, 1_200), _key_data(value))
    lines = [line for line in bare.split("\n") if line.strip()]
    values = [item for item in map(_parsed, lines) if isinstance(item, (dict, list))]
    if len(values) < max(2, len(lines) // 2):
        return None
    broken = len(lines) - len(values)
    more = f", {counted(broken, 'broken line')}" if broken else ""
    return Extract("json", f"JSON lines: {_items(values)}{more}", _key_data(values))


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _key_data(value: Any) -> dict[str, Value]:
    """Plain values and the lengths of lists by their dotted names, and what the objects of each list are called."""
    values: dict[str, str] = {}
    counts: dict[str, str] = {}
    names: dict[str, Value] = {}
    for path, inner in _walk(value):
        name = short(path or "items", 60)
        if isinstance(inner, list):
            counts[name] = str(len(inner))
            names.update(_names(name, inner))
        elif inner not in (None, ""):
            values[name] = short(json.dumps(inner) if isinstance(inner, bool) else inner)
    data: dict[str, Value] = {"values": values, "counts": counts, **names}
    return {name: made for name, made in data.items() if made}


def _walk(value: Any, name: str = "", depth: int = 0) -> Iterator[tuple[str, Any]]:
    """What objects within objects hold besides objects, level by level."""
    if not isinstance(value, dict):
        yield name, value
    elif depth <= _DEPTH:
        pairs = [(f"{name}.{key}" if name else str(key), inner) for key, inner in _ordered(value)]
        for path, inner in sorted(pairs, key=lambda pair: isinstance(pair[1], dict)):
            yield from _walk(inner, path, depth + 1)


def _names(name: str, values: list[Any]) -> dict[str, Value]:
    """The plain values of a list, or what its objects are called."""
    naming = next((key for key in _NAMING if values and key in _fields(values)), "")
    named = [item.get(naming) if isinstance(item, dict) else item for item in values]
    plain = [short(item, 80) for item in named if isinstance(item, (str, int))][:_MOST_KEYS]
    return {f"{name}.{naming}".rstrip("."): plain}


def _fields(values: list[Any]) -> list[str]:
    objects = (item for item in values[:_MOST_KEYS] if isinstance(item, dict))
    return list(dict.fromkeys(key for item in objects for key in item))


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
    fields = ", ".join(short(key, 40) for key in _fields(values)[:8])
    return counted(len(values), "item") + (f" of {fields}" if fields else "")
