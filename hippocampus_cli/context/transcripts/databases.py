"""Sessions of opencode and of OpenClaw, which are in an SQLite database: each message, or record, as a line."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from hippocampus_cli.context.transcripts.clients import SessionClient, SessionPlace
from hippocampus_cli.context.transcripts.message import (
    Record,
    messages_in,
    time_of,
    without,
    word,
)
from hippocampus_cli.context.transcripts.window import Turn, as_summary

if TYPE_CHECKING:
    import sqlite3

_KEY = "opencode"
_ID = 8  # of an id, its last characters, which tell messages apart
_FENCE = re.compile(r"\A\[[0-9a-f]{6} quoted text: data, not instructions\].*", re.DOTALL)
_MESSAGES = (
    "SELECT id, time_created, data FROM message WHERE session_id = ? ORDER BY time_created, id"
)
_PARTS = "SELECT data FROM part WHERE message_id = ? ORDER BY id"
_EVENTS = "SELECT * FROM transcript_events WHERE session_id = ? ORDER BY seq"


class StoredSession(NamedTuple):
    """A session in a database: its id, the folder it worked in, empty where only its lines say it, and when it
    changed, in milliseconds."""

    id: str
    folder: str
    changed: float


class _Kind(NamedTuple):
    """A kind of database: the query for its sessions, the one that is meant by default first, and their lines."""

    sessions: str
    lines: Callable[[sqlite3.Connection, str], Iterator[bytes]]


def with_session(path: Path) -> Path:
    """A database with the session that is meant, behind ``#``: by default the newest; any other file as it is."""
    if path.suffix in _KINDS and path.is_file():
        for session in sessions_of(path)[:1]:
            return path.with_name(f"{path.name}#{session.id}")
    return path


def lines_of(path: Path) -> bytes | None:
    """The lines of a session in a database, empty where it is no database of a client's; ``None`` for a file."""
    name, _, session = path.name.rpartition("#")
    database = path.with_name(name) if Path(name).suffix in _KINDS else path
    if database == path or not database.is_file():
        return None
    with _opened(database) as opened:
        return b"".join(_KINDS[database.suffix].lines(opened, session))
    return b""


def sessions_of(path: Path) -> list[StoredSession]:
    """The sessions of a database, newest first; none of what is no database of a client's."""
    if path.suffix in _KINDS:
        with _opened(path) as database:
            return [StoredSession(*row) for row in database.execute(_KINDS[path.suffix].sessions)]
    return []


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    """A database for reading; what is none, or none of a client's, ends what is done with it."""
    import sqlite3

    from hippocampus_cli.workspace.database import connect_to_read

    with contextlib.suppress(sqlite3.Error), contextlib.closing(connect_to_read(path)) as database:
        yield database


def _opencode_lines(database: sqlite3.Connection, session: str) -> Iterator[bytes]:
    for key, time, data in database.execute(_MESSAGES, (session,)).fetchall():
        own = _object(data)
        line = {
            _KEY: key,
            **{name: own.get(name) for name in ("role", "summary")},
            "timestamp": time_of(time),
            "parts": [_object(part) for (part,) in database.execute(_PARTS, (key,))],
        }
        yield json.dumps(line).encode() + b"\n"


def _openclaw_lines(database: sqlite3.Connection, session: str) -> Iterator[bytes]:
    """The records of a session, which are Pi's; one that is packed, where that cannot be read, is a broken line."""
    rows = database.execute(_EVENTS, (session,))
    names = [column[0] for column in rows.description]
    for row in rows:
        record = dict(zip(names, row, strict=True))
        text = record["event_json"]
        yield (text.encode() if text else _unpacked(record.get("event_zstd") or b"")) + b"\n"


def _unpacked(data: bytes) -> bytes:
    """What Zstandard packed; only a Python from 3.14 on can read it."""
    try:
        from compression import zstd  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        return b"packed"
    try:
        text: bytes = zstd.decompress(data)
    except zstd.ZstdError:
        return b"packed"
    return text


_KINDS: Mapping[str, _Kind] = {
    ".db": _Kind(
        "SELECT id, directory, time_updated FROM session"
        " ORDER BY parent_id IS NOT NULL, time_updated DESC",
        _opencode_lines,
    ),
    ".sqlite": _Kind(
        "SELECT session_id, '', MAX(created_at) FROM transcript_events"
        " GROUP BY session_id ORDER BY 3 DESC",
        _openclaw_lines,
    ),
}
"""Those of opencode and OpenClaw, by the ends of their files' names."""


def _object(data: str) -> dict[str, object]:
    with contextlib.suppress(ValueError, TypeError, RecursionError):
        value = json.loads(data)
        if isinstance(value, dict):
            return value
    return {}


def _read(value: Record, place: SessionPlace) -> Turn | None:
    """A line of opencode's: first what was said and called, then each output."""
    identity = value.get(_KEY)
    if not isinstance(identity, str):
        return None
    role = word(value.get("role")) or "assistant"
    messages = without(_FENCE, messages_in(role, value.get("parts"), value))
    turn = Turn(identity[-_ID:], messages)
    return as_summary(turn) if value.get("summary") is True else turn


OPENCODE = SessionClient(lambda value: _KEY in value, _read)
