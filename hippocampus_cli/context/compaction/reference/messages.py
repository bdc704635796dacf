"""What the reference sees of a message: its text, its class, its size, its tool. Messages are plain objects."""

from __future__ import annotations

from typing import Any

from hippocampus_cli.context.compaction.reference.javascript import cut, length, stringify, tokens

ROUTINE = ("heartbeat", "/status", "no_reply")
ACKNOWLEDGED = ("no_reply", "ok")
DECISIONS = (
    *("decision", "decided", "will do", "plan", "approach", "strategy"),
    *("решил", "план", "буду", "сделаю", "подход"),
)
IMPORTANCE = {
    "decision": 0.9,
    "user_intent": 0.8,
    "context": 0.5,
    "unknown": 0.4,
    "tool_result": 0.3,
    "ephemeral": 0.1,
}
_PREVIEW = 120
_SHORT = 50


class ReferenceThrows(Exception):
    """The reference throws here; its text is what it says."""


def text_of(message: Any) -> str:
    """The text of a message: other blocks than text are not seen. Raises :class:`ReferenceThrows`."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    texts = [_block_text(block) for block in content]
    return " ".join(text for text in texts if text)


def _block_text(block: object) -> str:
    if block is None:
        raise ReferenceThrows("Cannot read properties of null (reading 'text')")
    text = block.get("text") if isinstance(block, dict) else None
    return text if isinstance(text, str) else ""


def classify(message: Any) -> str:
    """The class of a message, by substrings of its lower-cased text."""
    role = message.get("role")
    text = text_of(message).lower()
    if role in ("tool", "toolResult"):
        return "tool_result"
    if role == "user":
        return "ephemeral" if _any_in(ROUTINE, text) else "user_intent"
    if role == "assistant":
        if length(text) < _SHORT and _any_in(ACKNOWLEDGED, text):
            return "ephemeral"
        return "decision" if _any_in(DECISIONS, text) else "context"
    return "unknown"


def importance_of(kind: str) -> float:
    """The importance of a class before any bonus."""
    return IMPORTANCE.get(kind, IMPORTANCE["unknown"])


def estimate(message: Any) -> int:
    """The tokens of a message; where it has no text, those of its content as JSON."""
    return tokens(text_of(message) or stringify(message.get("content") or ""))


def preview_of(message: Any, units: int = _PREVIEW) -> str:
    """The first 120 units of the text."""
    text = text_of(message)
    return f"{cut(text, units)}…" if length(text) > units else text


def tool_of(message: Any) -> str:
    """The name of the tool, as far as the reference looks."""
    for key in ("toolName", "name", "tool_call_id"):
        if message.get(key):
            return str(message[key])
    content = message.get("content")
    for block in content if isinstance(content, list) else ():
        kind = block.get("type")
        if kind == "tool_use" and block.get("name"):
            return str(block["name"])
        if kind == "tool_result" and block.get("tool_use_id"):
            return str(block["tool_use_id"])
    return "unknown_tool"


def _any_in(words: tuple[str, ...], text: str) -> bool:
    return any(word in text for word in words)
