"""Sessions of Gemini CLI: a message a line, written again under the same id when more of it is known."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from hippocampus_cli.context.transcripts.message import (
    Message,
    Part,
    Record,
    call_part,
    calls_of,
    media_of,
    parts_of,
)
from hippocampus_cli.context.transcripts.records import Node, NodeKind, Span, Window

_SPEAKERS = {"user": "user", "gemini": "assistant"}
_REWIND = "$rewindTo"
_INJECTED = re.compile(r"<hook_context>(?:(?!</?hook_context>).)*+</hook_context>\s*+", re.DOTALL)
_OWN = "<session_context>"


def fits(records: Sequence[Record]) -> bool:
    """Whether the first records of a file are Gemini CLI's."""
    return any("sessionId" in value and "projectHash" in value for value in records)


def node(value: Record, span: Span, before: Node | None) -> Node | None:
    """The node of a message, or of a way back to an earlier one; None for any other line."""
    parent = before.id if before else None
    back = value.get(_REWIND)
    if isinstance(back, str):
        return Node(span, f"{_REWIND}{span.line}", parent, "outside", kept=back)
    identity = value.get("id")
    if not isinstance(identity, str) or value.get("type") not in _SPEAKERS:
        return None
    parts = _parts(value)
    answers = tuple(one.call for one in parts if one.kind == "tool_result")
    own = any(one.text.startswith(_OWN) for one in parts)
    kind: NodeKind = "outside" if own else "message"
    return Node(span, identity, parent, kind, calls=calls_of(parts), answers=answers)


def window(nodes: Sequence[Node], broken: Sequence[int]) -> Window:
    """The messages as they were written last, without those that were gone back behind."""
    found: dict[str, Node] = {}
    for one in nodes:
        if one.kept:
            keys = list(found)
            first = keys.index(one.kept) if one.kept in found else 0  # as Gemini CLI reads it
            for key in keys[first:]:
                del found[key]
        elif one.kind == "message":
            found[one.id] = one
    known = {one.id for one in nodes if one.kind == "message"}
    return Window(tuple((one,) for one in found.values()), left_out=len(known) - len(found))


def messages(
    records: Sequence[Record], nodes: Sequence[Node], tools: Mapping[str, str]
) -> list[Message]:
    """The one message of a line; ``tools`` are the names behind call ids."""
    value, place = records[0], nodes[0]
    time = value.get("timestamp")
    parts = _parts(value)
    call = next((one.call for one in parts if one.kind == "tool_result"), "")
    role = "tool" if place.answers else _SPEAKERS[str(value.get("type"))]
    stamp = time if isinstance(time, str) else None
    made = Message(
        place.id, place.parent, role, parts, value, timestamp=stamp, line=place.span.line
    )
    return [made._replace(call=call, tool=tools.get(call, ""))]


def _parts(value: Record) -> tuple[Part, ...]:
    content = value.get("content")
    blocks = content if isinstance(content, list) else [content]
    said = [part for block in blocks for part in _block(block)]
    return (*said, *_calls(value))


def _block(block: object) -> Iterator[Part]:
    answer = block.get("functionResponse") if isinstance(block, dict) else None
    if not isinstance(answer, dict):
        for part in parts_of(block):
            said = part._replace(text=_INJECTED.sub("", part.text))
            if said.text or said.kind != "text":
                yield said
        return
    told = answer.get("response")
    texts = told.values() if isinstance(told, dict) else (told,)
    text = "\n".join(one for one in texts if isinstance(one, str))
    media = media_of(answer.get("parts"))
    yield Part("tool_result", text, call=str(answer.get("id", "")), media=media)


def _calls(value: Record) -> Iterator[Part]:
    calls = value.get("toolCalls")
    for one in calls if isinstance(calls, list) else ():
        if isinstance(one, dict):
            yield call_part(one.get("name"), one.get("id"), one.get("args"))
