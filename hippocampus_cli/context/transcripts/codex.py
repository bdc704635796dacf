"""Sessions of Codex: what was said, called and answered are items, each on a line of its own.

What Codex itself puts into the window (its instructions, AGENTS.md, the environment) is no message of the session.
"""

from __future__ import annotations

from collections.abc import Sequence

from hippocampus_cli.context.transcripts.client import Client, Place, Turn
from hippocampus_cli.context.transcripts.message import (
    Message,
    Part,
    Record,
    call_part,
    message,
    messages_in,
    parts_of,
    text_of,
    tool_message,
    word,
)

_CALLS = {"function_call": "arguments", "custom_tool_call": "input", "local_shell_call": "action"}
_ANSWERS = ("function_call_output", "custom_tool_call_output")
_OWN = ("# AGENTS.md instructions", "<environment_context>", "<user_instructions>")
_RULES = ("developer", "system")


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
    said = _message(payload) if value.get("type") == "response_item" else None
    if said is None or not said.parts:
        return None
    own = said.role == "user" and text_of(payload.get("content")).startswith(_OWN)
    outside = own or payload.get("role") in _RULES
    return turn._replace(kind="outside" if outside else "message", messages=[said])


def _message(payload: Record) -> Message | None:
    kind, call = word(payload.get("type")), word(payload.get("call_id"))
    if kind == "message":
        role = word(payload.get("role")) or "assistant"
        (said,) = messages_in("system" if role == "developer" else role, payload.get("content"))[:1]
        return said._replace(raw=payload)
    if kind in _CALLS:
        name = payload.get("name") or "shell"
        called = call_part(name, payload.get("call_id"), payload.get(_CALLS[kind]))
        return message("assistant", (called,), payload)
    if kind in _ANSWERS:
        output = payload.get("output")
        output = output.get("content") if isinstance(output, dict) else output
        parts = parts_of(output) or (Part("tool_result", ""),)
        return tool_message(parts, call=call)._replace(raw=payload)
    if kind == "reasoning":
        return message("assistant", _thoughts(payload.get("summary")), payload)
    return None


def _thoughts(summary: object) -> tuple[Part, ...]:
    return tuple(part._replace(kind="thinking") for part in parts_of(summary) if part.text)


CLIENT = Client(_fits, _read)
