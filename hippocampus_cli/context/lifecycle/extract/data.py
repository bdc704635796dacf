"""JSON, and JSON lines: keys, counts, values, ids."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from hippocampus_cli.context.lifecycle.extract.extract import Extract, Value, short

_MOST_CHARACTERS = 16_000_000  # parsed; a larger document is read as text
_MOST_KEYS = 40
_LINES_TRIED = 3
_TELLING = (
    *("error", "message", "status", "code", "id", "name", "title", "url", "path", "version"),
    *("total", "count", "state", "next", "cursor", "type"),
)
_NAMING = ("id", "_id", "uuid", "key", "slug", "sha", "number", "ref", "name", "path", "title")
_DEPTH = 3


def extract(text: str, hint: str) -> Extract | None:
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
        head = f"JSON object of {_count(len(value), 'key')}: " + ", ".join(
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
    more = f", {_count(broken, 'broken line')}" if broken else ""
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
    return f" ({_count(len(value), 'key')})" if isinstance(value, dict) else ""


def _items(value: list[Any]) -> str:
    """``19 items of id, name, email``."""
    fields = {key: None for one in value[:_MOST_KEYS] if isinstance(one, dict) for key in one}
    of = f" of {', '.join(short(key, 40) for key in list(fields)[:8])}" if fields else ""
    return _count(len(value), "item") + of


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
