"""Sessions and entries as plain data with the names of CONTEXT §14.1, and back."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import TypeVar

from hippocampus_cli.context.lifecycle.checks import (
    FLAG,
    OBJECT,
    TEXT,
    Check,
    list_of,
    number,
    one_of,
    optional,
    whole,
)
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
_HEAD = ("id", "begun", "updated", "ended", "turn")  # in this order: the store looks for `ended`
_SHA256 = re.compile(r"[0-9a-f]{64}")
_Shape = TypeVar("_Shape")


class Misread(ValueError):
    """Data that is no session; its text says what is wrong."""


def entry_document(entry: ContextEntry) -> dict[str, object]:
    """The entry with every field of CONTEXT §14.1, and after them what hippo keeps in addition."""
    return {key: _plain(value) for key, value in entry._asdict().items()}


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
    session = _read(ContextSession, document, "the session")
    entries = [_read(ContextEntry, entry, "an entry") for entry in session.entries]
    by_id = {entry.id: entry for entry in entries}
    if len(by_id) != len(entries):
        raise Misread("two entries have the same id")
    return session._replace(entries=by_id)


def _plain(value: object) -> object:
    """Named tuples and mappings as dictionaries, other tuples as lists."""
    if isinstance(value, tuple):
        named = getattr(value, "_asdict", None)
        return _plain(named()) if named else list(value)
    if isinstance(value, Mapping):
        return {key: _plain(inner) for key, inner in value.items()}
    return value


def _read(shape: type[_Shape], document: object, name: str) -> _Shape:
    """A value of this shape; every field must be there and as expected."""
    if not isinstance(document, dict):
        raise Misread(f"{name} is not an object")
    values: dict[str, object] = {}
    for field, check in _FIELDS[shape].items():
        value = document.get(field)
        if isinstance(check, type):
            value = _read(check, value, field)
        elif not check.fits(value):
            raise Misread(f"{field} is missing, or is not {check.words}")
        values[field] = tuple(value) if isinstance(value, list) else value
    return shape(**values)


# A hash becomes a file's name, so it is nothing else.
_HASH = Check(
    lambda value: isinstance(value, str) and _SHA256.fullmatch(value) is not None, "a SHA-256"
)
_FIELDS: Mapping[type, Mapping[str, Check | type]] = {
    ContextSession: {
        "id": TEXT,
        "begun": TEXT,
        "updated": TEXT,
        "turn": whole(),
        "ended": optional(TEXT),
        "entries": list_of(OBJECT),
    },
    ContextEntry: {
        "id": TEXT,
        "type": one_of(ENTRY_TYPES),
        "source": Source,
        "summary": TEXT,
        "key_data": OBJECT,
        "strength": number(1),
        "decay": EntryDecay,
        "modifiers": Modifiers,
        "lifecycle": Lifecycle,
        "content": Content,
        "summary_tokens": whole(),
        "indexed": FLAG,
        "stale": FLAG,
        "earlier": list_of(_HASH),
    },
    Source: {"type": TEXT, "ref": TEXT, "turn": whole(), "retrievable": FLAG},
    EntryDecay: {"rate": number(), "floor": number(1), "last_access": whole()},
    Modifiers: {
        "priority": one_of(PRIORITIES),
        "encoding": one_of(ENCODINGS),
        "associations": list_of(TEXT),
    },
    Lifecycle: {"created": whole(), "expires": optional(whole()), "persist": FLAG},
    Content: {
        "sha256": _HASH,
        "bytes": whole(),
        "tokens": whole(),
        "kind": TEXT,
        "exact": FLAG,
    },
}
