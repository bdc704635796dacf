"""Session files of Pi, version 3, and of OpenClaw: one entry a line, each with its parent."""

from __future__ import annotations

from hippocampus_cli.context.transcripts.clients import SessionClient, SessionPlace
from hippocampus_cli.context.transcripts.message import (
    Message,
    MessagePart,
    Record,
    as_results,
    parts_of,
    word,
)
from hippocampus_cli.context.transcripts.window import Turn, tree_window

ROLES = {
    "toolResult": "tool",
    "bashExecution": "bash",
    "branchSummary": "custom",
    "compactionSummary": "summary",
}
"""Pi's roles in the words of every reader."""
_IN_WINDOW = frozenset(("message", "custom_message", "branch_summary"))
_TYPES = _IN_WINDOW | {"session", "compaction", "custom", "label", "session_info", "model_change"}
_FIELDS = {
    "custom_message": ("custom", "customType", "content", "display", "details"),
    "branch_summary": ("branchSummary", "summary", "fromId"),
    "compaction": ("compactionSummary", "summary", "tokensBefore"),
}


def _fits(value: Record) -> bool:
    """A header may be missing."""
    return value.get("type") in _TYPES and ("parentId" in value or value["type"] == "session")


def _read(value: Record, place: SessionPlace) -> Turn | None:
    """An entry; None for the header. An entry without an id follows the one before it."""
    kind = value.get("type")
    if kind == "session":
        return None
    raw = _raw(value)
    turn = Turn(
        word(value.get("id")) or f"line{place.line}",
        [message_of(raw)],
        parent=word(value.get("parentId", place.before)) or None,
    )
    if kind == "compaction":
        return turn._replace(kind="summary")
    said = kind in _IN_WINDOW and raw and not raw.get("excludeFromContext")
    return turn if said else turn._replace(kind="outside")


def message_of(raw: Record, identity: str = "", timestamp: str | None = None) -> Message:
    """A message of Pi as it is in memory: also what a compaction is handed."""
    given = word(raw.get("role"))
    role = ROLES.get(given, given)
    return Message(
        identity,
        role,
        _parts(raw, role),
        raw,
        tool=word(raw.get("toolName")) or ("bash" if role == "bash" else ""),
        call=word(raw.get("toolCallId")),
        timestamp=timestamp,
    )


def _raw(value: Record) -> Record:
    """The message in an entry; entries that hold theirs in other fields are given its form."""
    if fields := _FIELDS.get(str(value.get("type"))):
        role, *keys = fields
        return {"role": role, **{key: value[key] for key in keys if key in value}}
    message = value.get("message")
    return message if isinstance(message, dict) else {}


def _parts(raw: Record, role: str) -> tuple[MessagePart, ...]:
    if role == "bash":
        command = word(raw.get("command"))
        call = MessagePart("tool_call", command, "bash", argument=("command", command))
        return (call, MessagePart("tool_result", word(raw.get("output"))))
    if "summary" in raw and "content" not in raw:
        return parts_of(raw["summary"])
    parts = parts_of(raw.get("content"))
    return as_results(parts) if role == "tool" else parts


CLIENT = SessionClient(_fits, _read, tree_window)
