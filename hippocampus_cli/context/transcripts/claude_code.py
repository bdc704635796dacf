"""Transcripts of Claude Code: API messages over one or several lines, tool results as lines of the user."""

from __future__ import annotations

from collections.abc import Sequence

from hippocampus_cli.context.transcripts.client import Client, Place, Turn
from hippocampus_cli.context.transcripts.message import Record, messages_in, word

_SPEAKERS = frozenset(("user", "assistant"))
_TYPES = _SPEAKERS | {
    *("summary", "system", "progress", "file-history-snapshot", "queue-operation"),
    *("last-prompt", "mode", "attachment", "ai-title", "custom-title"),
}


def _fits(records: Sequence[Record]) -> bool:
    return any(
        value.get("type") in _TYPES
        and ("sessionId" in value or "leafUuid" in value or "uuid" in value)
        for value in records
    )


def _read(value: Record, place: Place) -> Turn | None:
    identity = value.get("uuid")
    if not isinstance(identity, str):
        return None
    speaker = word(value.get("type"))
    message = value.get("message")
    message = message if isinstance(message, dict) else {}
    turn = Turn(
        identity,
        messages_in(speaker, message.get("content")),
        parent=word(value.get("parentUuid") or value.get("logicalParentUuid")) or None,
        group=word(message.get("id")) if speaker == "assistant" else "",
    )
    if value.get("isCompactSummary"):
        summary = turn.messages[0]._replace(role="summary")
        return turn._replace(kind="summary", messages=[summary])
    if speaker not in _SPEAKERS or value.get("isMeta") or value.get("isSidechain"):
        return turn._replace(kind="outside")
    return turn


CLIENT = Client(_fits, _read, tree=True, sidechains=True)
