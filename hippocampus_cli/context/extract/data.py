"""Structured data: JSON and JSON lines."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from hippocampus_cli.context.extract import Extract, Value, counted, filled, short

_MOST_CHARACTERS = 16_000_000  # parsed; a larger document is read as text
_MOST_KEYS = 40
_TELLING = frozenset(
    {"error", "message", "status", "code", "id", "name", "title", "url", "path", "version"}
    | {"total", "count", "state", "next", "cursor", "type"}
)
_NAMING = ("id", "_id", "uuid", "key", "slug", "sha", "number", "ref", "name", "path", "title")
_DEPTH = 3


def extract_json(text: str) -> Extract | None:
    """The extract of JSON, ``None`` for what is none."""
    bare = text.lstrip("\ufeff \t\r\n")
    if not bare.startswith(("{", "[")) or len(text) > _MOST_CHARACTERS:
        return None
    value = _parsed(bare)
    summary = f"JSON list of {_shape(value)}"
    if isinstance(value, dict):
        shapes = (f"{short(key, 60)} ({_shape(inner)})" for key, inner in _ordered(value))
        summary = f"JSON object of {_shape(value)}: {', '.join(shapes).replace(' ()', '')}"
    elif value is None:
        lines = [line for line in bare.split("\n") if line.strip()]
        value = [item for item in map(_parsed, lines) if isinstance(item, (dict, list))]
        if len(value) < max(2, len(lines) // 2):
            return None
        summary = f"JSON lines: {_shape(value)}"
    return Extract("json", short(summary, 1_200), _key_data(value))


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _key_data(value: Any) -> dict[str, Value]:
    """Plain values and the lengths of lists by dotted names, and what the objects of each list are called."""
    values: dict[str, str] = {}
    names: dict[str, Value] = {}
    for path, inner in _walk(value):
        name = short(path or "items", 60)
        if isinstance(inner, list):
            values[name] = counted(len(inner), "item")
            naming = next((key for key in _NAMING if key in _fields(inner)), "")
            items = (item.get(naming) if isinstance(item, dict) else item for item in inner)
            plain = [short(item, 80) for item in items if isinstance(item, (str, int))]
            names[f"{name}.{naming}".rstrip(".")] = plain[:_MOST_KEYS]
        elif inner not in (None, ""):
            values[name] = short(json.dumps(inner) if isinstance(inner, bool) else inner)
    return filled({"values": values, **names})


def _walk(value: Any, name: str = "", depth: int = 0) -> Iterator[tuple[str, Any]]:
    """What objects within objects hold besides objects, level by level."""
    if not isinstance(value, dict):
        yield name, value
    elif depth <= _DEPTH:
        for key, inner in sorted(_ordered(value), key=lambda pair: isinstance(pair[1], dict)):
            yield from _walk(inner, f"{name}.{key}".lstrip("."), depth + 1)


def _fields(values: list[Any]) -> list[str]:
    objects = (item for item in values[:_MOST_KEYS] if isinstance(item, dict))
    return list(dict.fromkeys(key for item in objects for key in item))


def _ordered(value: dict[str, Any]) -> list[tuple[str, Any]]:
    """The first pairs of an object, telling names before others."""
    return sorted(value.items(), key=lambda pair: pair[0].lower() not in _TELLING)[:_MOST_KEYS]


def _shape(value: Any) -> str:
    """``19 items of id, name, email`` for a list, ``3 keys`` for an object."""
    if isinstance(value, list):
        fields = ", ".join(short(key, 40) for key in _fields(value)[:8])
        return counted(len(value), "item") + (f" of {fields}" if fields else "")
    return counted(len(value), "key") if isinstance(value, dict) else ""
