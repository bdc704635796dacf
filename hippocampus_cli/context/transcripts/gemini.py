"""Sessions of Gemini CLI: a message a line, written again under the same id when more of it is known."""

from __future__ import annotations

import re
from collections.abc import Sequence

from hippocampus_cli.context.transcripts.client import Client, Place, Turn
from hippocampus_cli.context.transcripts.message import (
    Record,
    blocks_of,
    dicts_in,
    messages_in,
    without,
)
from hippocampus_cli.context.transcripts.window import Node, Window

_SPEAKERS = {"user": "user", "gemini": "assistant"}
_REWIND = "$rewindTo"
_INJECTED = re.compile(r"<hook_context>(?:(?!</?hook_context>).)*+</hook_context>\s*+", re.DOTALL)
_OWN = "<session_context>"


def _fits(records: Sequence[Record]) -> bool:
    return any("sessionId" in value and "projectHash" in value for value in records)


def _read(value: Record, place: Place) -> Turn | None:
    """A message, or a way back to an earlier one."""
    back = value.get(_REWIND)
    if isinstance(back, str):
        return Turn(f"{_REWIND}{place.line}", [], "outside", back=back)
    identity = value.get("id")
    if not isinstance(identity, str) or value.get("type") not in _SPEAKERS:
        return None
    calls = [{**call, "type": "tool_use"} for call in dicts_in(value.get("toolCalls"))]
    content = [*blocks_of(value.get("content")), *calls]
    messages = without(_INJECTED, messages_in(_SPEAKERS[value["type"]], content, value))
    own = any(part.text.startswith(_OWN) for part in messages[0].parts)
    return Turn(identity, messages, "outside" if own else "message")


def _window(nodes: Sequence[Node]) -> Window:
    """The messages as they were written last, without those that were gone back behind."""
    known: dict[str, Node] = {}
    for node in nodes:
        if node.back:
            keys = list(known)
            first = keys.index(node.back) if node.back in known else 0  # as Gemini CLI reads it
            for key in keys[first:]:
                del known[key]
        elif node.kind == "message":
            known[node.id] = node
    written = {node.id for node in nodes if node.kind == "message"}
    return Window(tuple((node,) for node in known.values()), left_out=len(written) - len(known))


CLIENT = Client(_fits, _read, window=_window)
