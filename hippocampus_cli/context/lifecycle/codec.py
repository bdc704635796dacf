"""Sessions and entries as plain data with the names of CONTEXT §14.1, and back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from math import inf
from typing import Any

from hippocampus_cli.context.lifecycle.session import (
    Content,
    ContextEntry,
    ContextSession,
    EntryDecay,
    EntrySource,
    Lifecycle,
    Modifiers,
)

VERSION = 1
_HEAD = ("id", "begun", "updated", "ended", "turn")  # in this order: the store looks for `ended`


def write_session(session: ContextSession) -> bytes:
    """The session's file: of each entry every field of CONTEXT §14.1, and after them what hippo keeps in addition."""
    entries = [*map(_plain, session.entries.values())]
    head = {name: getattr(session, name) for name in _HEAD}
    document = {"version": VERSION, **head, "entries": entries}
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return (text + "\n").encode("utf-8", "replace")


def read_session(data: bytes) -> ContextSession:
    """The session that a file holds. Raises :class:`ValueError`, :class:`RecursionError`, which say what is wrong."""
    document = json.loads(data)
    if not isinstance(document, dict) or document.get("version") != VERSION:
        raise ValueError(f"it is not a session of version {VERSION}")
    listed = document.get("entries")
    if not isinstance(listed, list):
        raise ValueError("entries is missing or not valid")
    entries = {entry.id: entry for entry in (_read(_ENTRY, value) for value in listed)}
    if len(entries) != len(listed):
        raise ValueError("two entries have the same id")
    return _read(_SESSION, {**document, "entries": entries})  # type: ignore[no-any-return]


def _plain(value: object) -> object:
    """Named tuples and mappings as dictionaries, other tuples as lists."""
    if isinstance(value, tuple):
        named = getattr(value, "_asdict", None)
        return _plain(named()) if named else list(value)
    if isinstance(value, Mapping):
        return {key: _plain(inner) for key, inner in value.items()}
    return value


_ENTRY = ContextEntry(
    "",
    "memory",
    EntrySource("", "", 0),
    "",
    {},
    0.0,
    EntryDecay(0.0),
    Modifiers(),
    Lifecycle(0, 0),
    Content("", 0, 0, ""),
)
_SESSION = ContextSession("", "", "", 0, "", {})
"""A value in each field that is like those that may stand there."""
_OPTIONAL = ("ended", "expires")


def _read(like: Any, document: object) -> Any:
    """A value of the shape of another; every field must be there and alike."""
    values = document if isinstance(document, dict) else {}
    return like._replace(
        **{
            field: _value(field, example, values.get(field))
            for field, example in like._asdict().items()
        }
    )


def _value(field: str, example: object, value: Any) -> object:
    """What a field holds, if it is like the example: numbers are from 0 on."""
    if hasattr(example, "_asdict"):
        return _read(example, value)
    if isinstance(example, tuple):
        if isinstance(value, list) and all(isinstance(item, str) for item in value):
            return tuple(value)
    elif type(example) in (int, float):
        kinds = {int, type(example)}
        if type(value) in kinds and 0 <= value < inf:
            return value
    elif isinstance(value, type(example)):
        return value
    if value is None and field in _OPTIONAL:
        return None
    raise ValueError(f"{field} is missing or not valid")
