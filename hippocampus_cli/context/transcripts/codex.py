"""Sessions of Codex: what was said, called and answered are items, each on a line of its own.

What Codex itself puts into the window (its instructions, AGENTS.md, the environment) is no message of the session.
"""

from __future__ import annotations

from collections.abc import Sequence

from hippocampus_cli.context.transcripts.client import Client, Place, Turn
from hippocampus_cli.context.transcripts.message import (
    Record,
    message,
    messages_in,
    parts_of,
    word,
)

_OWN = ("# AGENTS.md instructions", "<environment_context>", "<user_instructions>")


def _fits(records: Sequence[Record]) -> bool:
    return any(value.get("type") == "session_meta" and "payload" in value for value in records)


def _read(value: Record, place: Place) -> Turn | None:
    """An item; its id is the number of its line."""
    payload = value.get("payload")
    if not isinstance(payload, dict):
        return None
    turn = Turn(f"r{place.line}", [])
    if value.get("type") == "compacted":
        summary = message("summary", parts_of(payload.get("message")), payload)
        return turn._replace(kind="summary", messages=[summary])
    role = word(payload.get("role")) or "assistant"
    content = payload.get("content") if payload.get("type") == "message" else payload
    said = messages_in("system" if role == "developer" else role, content, payload)[:1]
    if value.get("type") != "response_item" or all(part.kind == "other" for part in said[0].parts):
        return None
    own = said[0].role == "system" or (role == "user" and said[0].text.startswith(_OWN))
    return turn._replace(kind="outside" if own else "message", messages=said)


CLIENT = Client(_fits, _read)
