"""Sessions and entries as plain data (JSON, YAML), with the names of CONTEXT §14.1, and back."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import Any, TypeVar, cast

from hippocampus_cli.context.lifecycle.session import (
    ENCODINGS,
    ENTRY_TYPES,
    PRIORITIES,
    Content,
    ContextEntry,
    ContextSession,
    EntryDecay,
    Lifecycle,
    Modifiers,
    Source,
)

VERSION = 1
_YAML_BREAKS = "\x85\u2028\u2029"  # YAML reads them back as line breaks, unless they are escaped
_HEAD = ("id", "begun", "updated", "ended", "turn")  # in this order: the store looks for `ended`
_SHA256 = re.compile(r"[0-9a-f]{64}")
_T = TypeVar("_T")


class Misread(ValueError):
    """Data that is no session; its text says what is wrong."""


def entry_document(entry: ContextEntry) -> dict[str, object]:
    """The entry with every field of CONTEXT §14.1, and after them what hippo keeps in addition."""
    return {key: _plain(value) for key, value in entry._asdict().items()}


def _plain(value: object) -> object:
    """Named tuples and mappings as dictionaries, other tuples as lists."""
    if isinstance(value, tuple):
        named = getattr(value, "_asdict", None)
        return _plain(named()) if named else list(value)
    if isinstance(value, Mapping):
        return {key: _plain(one) for key, one in value.items()}
    return value


def write_session(session: ContextSession) -> bytes:
    """The session's file."""
    entries = [entry_document(entry) for entry in session.entries.values()]
    head = {name: getattr(session, name) for name in _HEAD}
    document = {"version": VERSION, **head, "entries": entries}
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return (text + "\n").encode("utf-8", "replace")


def read_session(data: bytes) -> ContextSession:
    """The session that a file holds. Raises :class:`Misread`."""
    try:
        document = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise Misread(str(error)) from None
    if not isinstance(document, dict) or document.get("version") != VERSION:
        raise Misread(f"it is not a session of version {VERSION}")
    entries = [_entry(one) for one in _get(document, "entries", list)]
    if len({entry.id for entry in entries}) != len(entries):
        raise Misread("two entries have the same id")
    return ContextSession(
        id=_get(document, "id", str),
        begun=_get(document, "begun", str),
        updated=_get(document, "updated", str),
        turn=_natural(document, "turn"),
        ended=None if document.get("ended") is None else _get(document, "ended", str),
        entries={entry.id: entry for entry in entries},
    )


def _entry(document: object) -> ContextEntry:
    if not isinstance(document, dict):
        raise Misread("an entry is not an object")
    source, life = _get(document, "source", dict), _get(document, "lifecycle", dict)
    decay, modifiers = _get(document, "decay", dict), _get(document, "modifiers", dict)
    return ContextEntry(
        id=_get(document, "id", str),
        type=_choice(document, "type", ENTRY_TYPES),
        source=Source(
            _get(source, "type", str),
            _get(source, "ref", str),
            _natural(source, "turn"),
            _get(source, "retrievable", bool),
        ),
        summary=_get(document, "summary", str),
        key_data=_get(document, "key_data", dict),
        strength=_share(document, "strength"),
        decay=EntryDecay(
            _rate(decay, "rate"), _share(decay, "floor"), _natural(decay, "last_access")
        ),
        modifiers=Modifiers(
            _choice(modifiers, "priority", PRIORITIES),
            _choice(modifiers, "encoding", ENCODINGS),
            _texts(modifiers, "associations"),
        ),
        lifecycle=Lifecycle(
            _natural(life, "created"),
            None if life.get("expires") is None else _natural(life, "expires"),
            _get(life, "persist", bool),
        ),
        content=_content(_get(document, "content", dict)),
        summary_tokens=_natural(document, "summary_tokens"),
        indexed=_get(document, "indexed", bool),
        stale=_get(document, "stale", bool),
        earlier=tuple(_hash(one) for one in _texts(document, "earlier")),
    )


def _content(document: dict[str, Any]) -> Content:
    return Content(
        _hash(_get(document, "sha256", str)),
        _natural(document, "bytes"),
        _natural(document, "tokens"),
        _get(document, "kind", str),
        _get(document, "exact", bool),
    )


def _get(document: Mapping[str, Any], key: str, kind: type[_T]) -> _T:
    value = document.get(key)
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise Misread(f"{key} is missing or not as expected")
    return value


def _natural(document: Mapping[str, Any], key: str) -> int:
    value = _get(document, key, int)
    if value < 0:
        raise Misread(f"{key} is below 0")
    return value


def _rate(document: Mapping[str, Any], key: str) -> float:
    value = document.get(key)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise Misread(f"{key} is not a number")
    if not (math.isfinite(value) and value >= 0):
        raise Misread(f"{key} is out of range")
    return float(value)


def _share(document: Mapping[str, Any], key: str) -> float:
    value = _rate(document, key)
    if value > 1:
        raise Misread(f"{key} is above 1")
    return value


def _choice(document: Mapping[str, Any], key: str, choices: tuple[_T, ...]) -> _T:
    value = document.get(key)
    if value not in choices:
        raise Misread(f"{key} is not one of {', '.join(map(str, choices))}")
    return cast("_T", value)


def _texts(document: Mapping[str, Any], key: str) -> tuple[str, ...]:
    values = _get(document, key, list)
    if not all(isinstance(value, str) for value in values):
        raise Misread(f"{key} holds something that is not text")
    return tuple(values)


def _hash(text: str) -> str:
    """A hash becomes a file's name, so it is nothing else."""
    if not _SHA256.fullmatch(text):
        raise Misread("a hash is not a SHA-256")
    return text


def to_yaml(document: Mapping[str, object]) -> str:
    """A document as YAML, its keys in their order (CONTEXT §5); a text of several lines is a block."""
    import yaml  # no turn needs it

    class Dumper(yaml.SafeDumper):
        pass

    def text_node(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
        style = "|" if "\n" in text else None
        if any(char in text for char in _YAML_BREAKS):
            style = '"'
        return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)

    Dumper.add_representer(str, text_node)
    return yaml.dump(dict(document), Dumper=Dumper, sort_keys=False, allow_unicode=True, width=100)
