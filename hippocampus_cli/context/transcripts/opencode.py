"""Sessions of opencode, which are in an SQLite database: each message as a line, with its parts."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from hippocampus_cli.context.transcripts.message import (
    Message,
    Part,
    Record,
    call_part,
    calls_of,
    media_of,
    parts_of,
)
from hippocampus_cli.context.transcripts.records import Node, NodeKind, Span, Window

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


def fits(records: Sequence[Record]) -> bool:
    """Whether the records are lines of :func:`lines_of`."""
    return any(_KEY in value for value in records)


def node(value: Record, span: Span, before: Node | None) -> Node | None:
    """The node of a message."""
    identity = value.get(_KEY)
    if not isinstance(identity, str):
        return None
    made = _split(value)
    parts = [part for one in made for part in one.parts]
    answers = tuple(part.call for part in parts if part.kind == "tool_result")
    kind: NodeKind = "summary" if value.get("summary") is True else "message"
    parent = before.id if before else None
    calls = calls_of(parts)
    return Node(
        span, identity[-_ID:], parent, kind, calls=calls, answers=answers, messages=len(made)
    )


def window(nodes: Sequence[Node], broken: Sequence[int]) -> Window:
    """The last compaction, and what follows it."""
    at = next((at for at in range(len(nodes) - 1, -1, -1) if nodes[at].kind == "summary"), None)
    seen = nodes if at is None else nodes[at + 1 :]
    summary = None if at is None else nodes[at]
    return Window(
        tuple((one,) for one in seen), summary, left_out=len(nodes) - len(seen) - (at is not None)
    )


def messages(
    records: Sequence[Record], nodes: Sequence[Node], tools: Mapping[str, str]
) -> list[Message]:
    """The messages of a line: what was said and called, and each output."""
    place = nodes[0]
    made = [one._replace(line=place.span.line, parent=place.parent) for one in _split(records[0])]
    if place.kind == "summary":
        return [made[0]._replace(role="summary", flags=frozenset(("summary",)))]
    return made


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    """A database for reading; what is none, or none of opencode's, ends what is done with it."""
    import sqlite3

    from hippocampus_cli.workspace.database import connect_to_read

    with contextlib.suppress(sqlite3.Error), contextlib.closing(connect_to_read(path)) as database:
        yield database


def _lines(database: sqlite3.Connection, session: str) -> Iterator[bytes]:
    for key, at, data in database.execute(_MESSAGES, (session,)).fetchall():
        own = _object(data)
        parts = [_object(one) for (one,) in database.execute(_PARTS, (key,))]
        line = {_KEY: key, "role": own.get("role"), "summary": own.get("summary"), "at": at}
        yield json.dumps({**line, "parts": parts}).encode() + b"\n"


def _object(data: str) -> dict[str, object]:
    with contextlib.suppress(ValueError, RecursionError):
        value = json.loads(data)
        if isinstance(value, dict):
            return value
    return {}


def _split(value: Record) -> list[Message]:
    """The messages of a line: the first is what was said and called, the others are outputs of tools."""
    from datetime import UTC, datetime

    given = [one for one in value.get("parts", ()) if isinstance(one, dict)]
    parts: list[Part] = []
    outputs: list[Message] = []
    for one in given:
        state = one.get("state")
        if one.get("type") == "tool" and isinstance(state, dict):
            parts.append(call_part(one.get("tool"), one.get("callID"), state.get("input")))
            outputs.append(_output(one, state))
        else:
            parts += _said(one)
    at = value.get("at")
    stamp = datetime.fromtimestamp(at / 1_000, UTC).isoformat() if isinstance(at, int) else None
    role = str(value.get("role") or "assistant")
    first = Message(str(value[_KEY])[-_ID:], None, role, tuple(parts), value, timestamp=stamp)
    return [
        first,
        *(
            one._replace(id=f"{first.id}.{number}", timestamp=stamp)
            for number, one in enumerate(outputs, 2)
        ),
    ]


def _said(part: Record) -> Iterator[Part]:
    text = part.get("text")
    if isinstance(text, str) and text and not _FENCE.match(text):  # what hippo said is no message
        yield Part("thinking" if part.get("type") == "reasoning" else "text", text)
    elif part.get("type") == "file":
        yield from parts_of(part)


def _output(part: Record, state: Record) -> Message:
    text = state.get("output") or state.get("error") or ""
    call = str(part.get("callID", ""))
    raw = {"role": "tool", "name": part.get("tool"), "tool_call_id": call, "content": text}
    media = media_of(state.get("attachments"))
    result = (Part("tool_result", str(text), call=call, media=media),)
    failed = frozenset(("error",) if state.get("status") == "error" else ())
    made = Message("", None, "tool", result, raw, tool=str(part.get("tool", "")), call=call)
    return made._replace(flags=failed)  # type: ignore[arg-type]
