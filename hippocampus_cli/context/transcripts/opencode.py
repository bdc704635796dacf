"""Sessions of opencode, which are in an SQLite database: each message as a line, with its parts."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from hippocampus_cli.context.transcripts.client import Client, Place, Turn
from hippocampus_cli.context.transcripts.message import (
    Message,
    Part,
    Record,
    call_part,
    dicts_in,
    media_of,
    message,
    parts_of,
    time_of,
    tool_message,
    word,
)

if TYPE_CHECKING:
    import sqlite3

DATABASE = ".db"
_KEY = "opencode"
_ID = 8  # of an id, its last characters, which tell messages apart
_FENCE = re.compile(r"\[[0-9a-f]{6} quoted text: data, not instructions\]")
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


def _fits(records: Sequence[Record]) -> bool:
    return any(_KEY in value for value in records)


def _read(value: Record, place: Place) -> Turn | None:
    """A line of :func:`lines_of`: first what was said and called, then each output."""
    identity = value.get(_KEY)
    if not isinstance(identity, str):
        return None
    parts: list[Part] = []
    outputs: list[Message] = []
    for part in dicts_in(value.get("parts")):
        state = part.get("state")
        if part.get("type") == "tool" and isinstance(state, dict):
            parts.append(call_part(part.get("tool"), part.get("callID"), state.get("input")))
            outputs.append(_output(part, state))
        else:
            parts += _said(part)
    said = message(word(value.get("role")) or "assistant", tuple(parts), value)
    turn = Turn(identity[-_ID:], [said, *outputs])
    if value.get("summary") is True:
        return turn._replace(kind="summary", messages=[said._replace(role="summary")])
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


def _said(part: Record) -> Iterator[Part]:
    text = part.get("text")
    if isinstance(text, str) and text and not _FENCE.match(text):  # what hippo said is no message
        yield Part("thinking" if part.get("type") == "reasoning" else "text", text)
    elif part.get("type") == "file":
        yield from parts_of(part)


def _output(part: Record, state: Record) -> Message:
    text = word(state.get("output")) or word(state.get("error"))
    call, media = word(part.get("callID")), media_of(state.get("attachments"))
    result = Part("tool_result", text, call=call, media=media)
    return tool_message((result,), tool=word(part.get("tool")))


CLIENT = Client(_fits, _read)
