"""Sessions of opencode, which are in an SQLite database: each message as a line, with its parts."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from hippocampus_cli.context.transcripts.clients import Client, Place, Turn
from hippocampus_cli.context.transcripts.message import (
    Record,
    messages_in,
    time_of,
    without,
    word,
)

if TYPE_CHECKING:
    import sqlite3

DATABASE = ".db"
_KEY = "opencode"
_ID = 8  # of an id, its last characters, which tell messages apart
_FENCE = re.compile(r"\A\[[0-9a-f]{6} quoted text: data, not instructions\].*", re.DOTALL)
_NEWEST = "SELECT id FROM session WHERE parent_id IS NULL ORDER BY time_updated DESC LIMIT 1"
_MESSAGES = (
    "SELECT id, time_created, data FROM message WHERE session_id = ? ORDER BY time_created, id"
)
_PARTS = "SELECT data FROM part WHERE message_id = ? ORDER BY id"
_SESSIONS = "SELECT id, directory, time_updated FROM session ORDER BY time_updated DESC"


def with_session(path: Path) -> Path:
    """A database with the session that is meant, behind ``#``: by default the newest; any other file as it is."""
    if path.suffix == DATABASE and path.is_file():
        with _opened(path) as database:
            if row := database.execute(_NEWEST).fetchone():
                return path.with_name(f"{path.name}#{row[0]}")
    return path


def lines_of(path: Path) -> bytes | None:
    """The lines of a session in a database, empty where it is no database of opencode's; ``None`` for a file."""
    name, _, session = path.name.rpartition("#")
    database = path.with_name(name) if name.endswith(DATABASE) else path
    if database == path or not database.is_file():
        return None
    with _opened(database) as opened:
        return b"".join(_lines(opened, session))
    return b""


def sessions_of(path: Path) -> list[tuple[str, str, float]]:
    """The sessions of a database, newest first: their ids, their folders, and when they changed, in seconds."""
    with _opened(path) as database:
        return [
            (str(key), str(folder), at / 1_000) for key, folder, at in database.execute(_SESSIONS)
        ]
    return []


def _read(value: Record, place: Place) -> Turn | None:
    """A line of :func:`lines_of`: first what was said and called, then each output."""
    identity = value.get(_KEY)
    if not isinstance(identity, str):
        return None
    role = word(value.get("role")) or "assistant"
    messages = without(_FENCE, messages_in(role, value.get("parts"), value))
    turn = Turn(identity[-_ID:], messages)
    if value.get("summary") is True:
        return turn._replace(kind="summary", messages=[messages[0]._replace(role="summary")])
    return turn


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    """A database for reading; what is none, or none of opencode's, ends what is done with it."""
    import sqlite3

    from hippocampus_cli.workspace.database import connect_to_read

    with contextlib.suppress(sqlite3.Error), contextlib.closing(connect_to_read(path)) as database:
        yield database


def _lines(database: sqlite3.Connection, session: str) -> Iterator[bytes]:
    for key, time, data in database.execute(_MESSAGES, (session,)).fetchall():
        own = _object(data)
        line = {
            _KEY: key,
            **{name: own.get(name) for name in ("role", "summary")},
            "timestamp": time_of(time),
            "parts": [_object(part) for (part,) in database.execute(_PARTS, (key,))],
        }
        yield json.dumps(line).encode() + b"\n"


def _object(data: str) -> dict[str, object]:
    with contextlib.suppress(ValueError, TypeError, RecursionError):
        value = json.loads(data)
        if isinstance(value, dict):
            return value
    return {}


CLIENT = Client(lambda value: _KEY in value, _read)
