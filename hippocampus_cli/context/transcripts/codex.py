"""Sessions of Codex: what was said, called and answered are items, each on a line of its own.

What Codex itself puts into the window (its instructions, AGENTS.md, the environment) is no message of the session.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hippocampus_cli.context.transcripts.message import (
    Message,
    Part,
    Record,
    as_results,
    call_part,
    calls_of,
    parts_of,
    text_of,
)
from hippocampus_cli.context.transcripts.records import Node, NodeKind, Span, Window

_CALLS = {"function_call": "arguments", "custom_tool_call": "input", "local_shell_call": "action"}
_ANSWERS = ("function_call_output", "custom_tool_call_output")
_OWN = ("# AGENTS.md instructions", "<environment_context>", "<user_instructions>")


def fits(records: Sequence[Record]) -> bool:
    """Whether the first records of a file are Codex's."""
    return any(value.get("type") == "session_meta" and "payload" in value for value in records)


def node(value: Record, span: Span, before: Node | None) -> Node | None:
    """The node of a line, whose id is its number; None for a line that is no item of the conversation."""
    payload = _payload(value)
    parts = _parts(payload)
    if value.get("type") != "compacted" and not parts:
        return None
    answers = tuple(part.call for part in parts if part.kind == "tool_result" and part.call)
    kind: NodeKind = "summary" if value.get("type") == "compacted" else _kind(payload)
    parent = before.id if before else None
    return Node(span, f"r{span.line}", parent, kind, calls=calls_of(parts), answers=answers)


def window(nodes: Sequence[Node], broken: Sequence[int]) -> Window:
    """The last compaction, and what follows it."""
    at = next((at for at in range(len(nodes) - 1, -1, -1) if nodes[at].kind == "summary"), None)
    rest = nodes if at is None else nodes[at + 1 :]
    seen = [one for one in rest if one.kind == "message"]
    messages = sum(one.kind == "message" for one in nodes)
    summary = None if at is None else nodes[at]
    return Window(tuple((one,) for one in seen), summary, left_out=messages - len(seen))


def messages(
    records: Sequence[Record], nodes: Sequence[Node], tools: Mapping[str, str]
) -> list[Message]:
    """The one message of a line; ``tools`` are the names behind call ids."""
    value, place = records[0], nodes[0]
    payload = _payload(value)
    time = value.get("timestamp")
    stamp = time if isinstance(time, str) else None
    made = Message(
        place.id, place.parent, "summary", (), payload, timestamp=stamp, line=place.span.line
    )
    if place.kind == "summary":
        parts = parts_of(payload.get("message"))
        return [made._replace(parts=parts, flags=frozenset(("summary",)))]
    parts = _parts(payload)
    if payload.get("type") in _ANSWERS:
        call = _word(payload.get("call_id"))
        return [made._replace(role="tool", parts=parts, call=call, tool=tools.get(call, ""))]
    role = _word(payload.get("role")) or "assistant"
    return [made._replace(role="system" if role == "developer" else role, parts=parts)]


def _payload(value: Record) -> Record:
    payload = value.get("payload")
    wanted = value.get("type") in ("response_item", "compacted")
    return payload if wanted and isinstance(payload, dict) else {}


def _parts(payload: Record) -> tuple[Part, ...]:
    kind = payload.get("type")
    if kind == "message":
        return parts_of(payload.get("content"))
    if kind in _CALLS:
        name = payload.get("name") or "shell"
        return (call_part(name, payload.get("call_id"), payload.get(_CALLS[str(kind)])),)
    if kind in _ANSWERS:
        output = payload.get("output")
        if isinstance(output, dict):
            output = output.get("content")
        call = _word(payload.get("call_id"))
        parts = as_results(parts_of(output)) or (Part("tool_result", ""),)
        return tuple(one._replace(call=call) for one in parts)
    if kind == "reasoning":
        summary = payload.get("summary")
        said = (
            [one.get("text") for one in summary if isinstance(one, dict)]
            if isinstance(summary, list)
            else []
        )
        return tuple(Part("thinking", text) for text in said if isinstance(text, str) and text)
    return ()


def _kind(payload: Record) -> NodeKind:
    if payload.get("role") in ("developer", "system"):
        return "outside"
    own = payload.get("role") == "user" and text_of(payload.get("content")).startswith(_OWN)
    return "outside" if own else "message"


def _word(value: object) -> str:
    return value if isinstance(value, str) else ""
