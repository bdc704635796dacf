"""Session files of Pi, version 3, and of OpenClaw, which embeds it: one entry a line, each with its parent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hippocampus_cli.context.transcripts.message import (
    Flag,
    Message,
    Part,
    Record,
    as_results,
    calls_of,
    parts_of,
)
from hippocampus_cli.context.transcripts.nodes import Node, NodeKind, Window, branch_to
from hippocampus_cli.context.transcripts.records import Span

ROLES = {
    "toolResult": "tool",
    "bashExecution": "bash",
    "branchSummary": "custom",
    "compactionSummary": "summary",
}
"""Pi's roles in the words of every reader."""
_IN_WINDOW = frozenset(("message", "custom_message", "branch_summary"))
_TYPES = _IN_WINDOW | {"session", "compaction", "custom", "label", "session_info", "model_change"}
_OPENCLAW = "openclaw"


def fits(records: Sequence[Record]) -> bool:
    """Whether the first records of a file are Pi's; a header may be missing."""
    return any(
        value.get("type") in _TYPES and ("parentId" in value or value["type"] == "session")
        for value in records
    )


def is_openclaw(records: Sequence[Record]) -> bool:
    """Whether OpenClaw wrote them."""
    return any(str(value.get("customType", "")).startswith(_OPENCLAW) for value in records)


def node(value: Record, span: Span, before: Node | None) -> Node | None:
    """The node of an entry; None for the header. An entry without an id follows the one before it."""
    kind = value.get("type")
    if kind == "session":
        return None
    parent = value.get("parentId", before.id if before else None)
    identity = value.get("id")
    return Node(
        span,
        identity if isinstance(identity, str) and identity else f"line{span.line}",
        parent if isinstance(parent, str) else None,
        _kind(value),
        kept=str(value.get("firstKeptEntryId") or "") if kind == "compaction" else "",
        calls=_calls(value.get("message")),
    )


def window(nodes: Sequence[Node], broken: Sequence[int]) -> Window:
    """The branch that ends in the last entry: from its last compaction on, with what that one kept."""
    if not nodes:
        return Window(())
    branch = branch_to(len(nodes) - 1, nodes, broken)
    way = branch.nodes
    summary = next((at for at in reversed(range(len(way))) if way[at].kind == "summary"), None)
    if summary is None:
        seen = way
    else:
        kept = next((at for at in range(summary) if way[at].id == way[summary].kept), summary)
        seen = way[kept:summary] + way[summary + 1 :]
    messages = tuple((one,) for one in seen if one.kind == "message")
    return Window(
        messages,
        None if summary is None else way[summary],
        branch.loop,
        branch.bridged,
        sum(one.kind == "message" for one in nodes) - len(messages),
    )


def messages(
    records: Sequence[Record], nodes: Sequence[Node], tools: Mapping[str, str]
) -> list[Message]:
    """The message of one entry. ``tools``, the names behind call ids, are not needed: results bear them."""
    value, place = records[0], nodes[0]
    time = _text(value.get("timestamp"))
    return [message_of(_raw(value), place.id, place.parent, time, place.span.line)]


def message_of(
    raw: Record,
    identity: str,
    parent: str | None = None,
    timestamp: str | None = None,
    line: int = 0,
) -> Message:
    """A message of Pi as it is in memory: also what a compaction is handed."""
    given = _text(raw.get("role")) or ""
    role = ROLES.get(given, given)
    flags: set[Flag] = set()
    if raw.get("isError") is True or (role == "bash" and raw.get("exitCode") not in (0, None)):
        flags.add("error")
    if raw.get("truncated") is True:
        flags.add("truncated")
    if role == "summary":
        flags.add("summary")
    return Message(
        identity,
        parent,
        role,
        _parts(raw, role),
        raw,
        tool=_text(raw.get("toolName")) or ("bash" if role == "bash" else ""),
        call=_text(raw.get("toolCallId")) or "",
        timestamp=timestamp,
        line=line,
        flags=frozenset(flags),
    )


def _raw(value: Record) -> Record:
    """The message in an entry; entries that hold theirs in other fields are given its form."""
    kind = value.get("type")
    if kind == "custom_message":
        return {"role": "custom", **_some(value, "customType", "content", "display", "details")}
    if kind == "branch_summary":
        return {"role": "branchSummary", **_some(value, "summary", "fromId")}
    if kind == "compaction":
        return {"role": "compactionSummary", **_some(value, "summary", "tokensBefore")}
    message = value.get("message")
    return message if isinstance(message, dict) else {}


def _some(value: Record, *keys: str) -> dict[str, Any]:
    return {key: value[key] for key in keys if key in value}


def _parts(raw: Record, role: str) -> tuple[Part, ...]:
    if role == "bash":
        command, output = _text(raw.get("command")) or "", _text(raw.get("output")) or ""
        call = Part("tool_call", command, "bash", argument=("command", command))
        return (call, Part("tool_result", output))
    if "summary" in raw and "content" not in raw:
        return parts_of(raw["summary"])
    found = parts_of(raw.get("content"))
    return as_results(found) if role == "tool" else found


def _kind(value: Record) -> NodeKind:
    kind = value.get("type")
    if kind == "compaction":
        return "summary"
    if kind not in _IN_WINDOW:
        return "outside"
    message = value.get("message")
    if kind == "message" and (not isinstance(message, dict) or message.get("excludeFromContext")):
        return "outside"
    return "message"


def _calls(message: object) -> tuple[tuple[str, str], ...]:
    speaks = isinstance(message, dict) and message.get("role") == "assistant"
    content = message.get("content") if speaks and isinstance(message, dict) else None
    return calls_of(parts_of(content)) if isinstance(content, list) else ()


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
