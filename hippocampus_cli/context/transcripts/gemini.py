"""Sessions of Gemini CLI: a message a line, written again under the same id when more of it is known."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from hippocampus_cli.context.transcripts.client import Client, Place, Turn
from hippocampus_cli.context.transcripts.message import (
    Message,
    Part,
    Record,
    call_part,
    dicts_in,
    media_of,
    message,
    parts_of,
    word,
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
    said = _message(value)
    own = any(part.text.startswith(_OWN) for part in said.parts)
    return Turn(identity, [said], "outside" if own else "message")


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


def _message(value: Record) -> Message:
    content = value.get("content")
    blocks = content if isinstance(content, list) else [content]
    parts = (
        *(part for block in blocks for part in _parts(block)),
        *(
            call_part(one.get("name"), one.get("id"), one.get("args"))
            for one in dicts_in(value.get("toolCalls"))
        ),
    )
    answer = next((part for part in parts if part.kind == "tool_result"), None)
    if answer is not None:
        return message("tool", parts, value)._replace(call=answer.call)
    return message(_SPEAKERS[str(value.get("type"))], parts, value)


def _parts(block: object) -> Iterator[Part]:
    answer = block.get("functionResponse") if isinstance(block, dict) else None
    if isinstance(answer, dict):
        response = answer.get("response")
        texts = response.values() if isinstance(response, dict) else (response,)
        text = "\n".join(text for text in texts if isinstance(text, str))
        media = media_of(answer.get("parts"))
        yield Part("tool_result", text, call=word(answer.get("id")), media=media)
        return
    for part in parts_of(block):
        said = part._replace(text=_INJECTED.sub("", part.text))
        if said.text or said.kind != "text":
            yield said


CLIENT = Client(_fits, _read, window=_window)
