"""How the files of each client are told, and what a record of them says: a client a section."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from hippocampus_cli.context.transcripts.message import (
    Message,
    Record,
    as_results,
    blocks_of,
    dicts_in,
    messages_in,
    parts_of,
    without,
    word,
)
from hippocampus_cli.context.transcripts.window import (
    TranscriptWindow,
    Turn,
    as_summary,
    line_window,
    tree_window,
)


class SessionPlace(NamedTuple):
    """Where a record stands: its line, 1-based, how many turns came before it, and the id of the last of them."""

    line: int
    number: int = 0
    before: str | None = None


class SessionClient(NamedTuple):
    """A client's files. ``fits`` says whether a record is of its files alone; ``read`` gives the turn of a record,
    None for one that is no link of the conversation.

    ``window`` is the way to what is in the window, of all turns and the numbers of broken lines.
    """

    fits: Callable[[Record], bool]
    read: Callable[[Record, SessionPlace], Turn | None]
    window: Callable[[Sequence[Turn], Sequence[int]], TranscriptWindow] = line_window


# Claude Code: API messages over one or several lines, tool results as lines of the user.

_SPEAKERS = frozenset(("user", "assistant"))
_TYPES = _SPEAKERS | {
    *("summary", "system", "progress", "file-history-snapshot", "queue-operation"),
    *("last-prompt", "mode", "attachment", "ai-title", "custom-title"),
}


def _read_claude(value: Record, place: SessionPlace) -> Turn | None:
    identity = value.get("uuid")
    if not isinstance(identity, str):
        return None
    speaker = word(value.get("type"))
    said = value.get("message")
    said = said if isinstance(said, dict) else {}
    turn = Turn(
        identity,
        messages_in(speaker, said.get("content")),
        parent=word(value.get("parentUuid") or value.get("logicalParentUuid")) or None,
        group=word(said.get("id")) if speaker == "assistant" else "",
    )
    if value.get("isCompactSummary"):
        return as_summary(turn)
    if speaker not in _SPEAKERS or value.get("isMeta") or value.get("isSidechain"):
        return turn._replace(kind="outside")
    return turn


CLAUDE_CODE = SessionClient(
    lambda value: (
        value.get("type") in _TYPES and not {"sessionId", "leafUuid", "uuid"}.isdisjoint(value)
    ),
    _read_claude,
    partial(tree_window, sidechains=True),
)


# Codex: what was said, called and answered are items, each on a line of its own. What Codex itself puts into the
# window (its instructions, AGENTS.md, the environment) is no message of the session.

_CODEX = ("# AGENTS.md instructions", "<environment_context>", "<user_instructions>")


def _read_codex(value: Record, place: SessionPlace) -> Turn | None:
    """An item; its id is the number of its line."""
    payload = value.get("payload")
    if not isinstance(payload, dict):
        return None
    turn = Turn(f"r{place.line}", [])
    if value.get("type") == "compacted":
        summary = Message("", "summary", parts_of(payload.get("message")), payload)
        return turn._replace(kind="summary", messages=[summary])
    role = word(payload.get("role")) or "assistant"
    content = payload.get("content") if payload.get("type") == "message" else payload
    said = messages_in("system" if role == "developer" else role, content, payload)[:1]
    if value.get("type") != "response_item" or all(part.kind == "other" for part in said[0].parts):
        return None
    own = said[0].role == "system" or (role == "user" and said[0].text.startswith(_CODEX))
    return turn._replace(kind="outside" if own else "message", messages=said)


CODEX = SessionClient(
    lambda value: value.get("type") == "session_meta" and "payload" in value, _read_codex
)


# Gemini CLI: a message a line, written again under the same id when more of it is known.

_GEMINI = {"user": "user", "gemini": "assistant"}
_REWIND = "$rewindTo"
_INJECTED = re.compile(r"<hook_context>(?:(?!</?hook_context>).)*+</hook_context>\s*+", re.DOTALL)
_CONTEXT = "<session_context>"


def _read_gemini(value: Record, place: SessionPlace) -> Turn | None:
    """A message, or a way back to an earlier one."""
    back = value.get(_REWIND)
    if isinstance(back, str):
        return Turn(f"{_REWIND}{place.line}", [], "outside", back=back)
    identity = value.get("id")
    if not isinstance(identity, str) or value.get("type") not in _GEMINI:
        return None
    calls = [{**call, "type": "tool_use"} for call in dicts_in(value.get("toolCalls"))]
    content = [*blocks_of(value.get("content")), *calls]
    messages = without(_INJECTED, messages_in(_GEMINI[value["type"]], content, value))
    own = any(part.text.startswith(_CONTEXT) for part in messages[0].parts)
    return Turn(identity, messages, "outside" if own else "message")


def _gemini_window(nodes: Sequence[Turn], broken: Sequence[int]) -> TranscriptWindow:
    """The messages as they were written last, without those that were gone back behind."""
    known: dict[str, Turn] = {}
    for node in nodes:
        if node.back:
            keys = list(known)
            first = keys.index(node.back) if node.back in known else 0  # as Gemini CLI reads it
            for key in keys[first:]:
                del known[key]
        elif node.kind == "message":
            known[node.id] = node
    return TranscriptWindow(tuple((node,) for node in known.values()))


GEMINI = SessionClient(
    lambda value: "sessionId" in value and "projectHash" in value,
    _read_gemini,
    _gemini_window,
)


# Plain message lists of the OpenAI and Anthropic APIs: ``[{"role": ..., "content": ...}]``, or one a line.


def _read_api(value: Record, place: SessionPlace) -> Turn:
    """A message; its id is its number, ``m1``, ``m2``. OpenAI's calls stand beside the content."""
    role = word(value.get("role"))
    calls = dicts_in(value.get("tool_calls"))
    content = [*blocks_of(value.get("content")), *calls] if calls else value.get("content")
    messages = messages_in("system" if role == "developer" else role, content, value)
    if role in ("tool", "function"):
        call, name = word(value.get("tool_call_id")), word(value.get("name"))
        parts = as_results(messages[0].parts)
        messages = [messages[0]._replace(role="tool", parts=parts, call=call, tool=name)]
    return Turn(f"m{place.number + 1}", messages)


MESSAGES = SessionClient(
    lambda value: "role" in value and ("content" in value or "tool_calls" in value), _read_api
)
