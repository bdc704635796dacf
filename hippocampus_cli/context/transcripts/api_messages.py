"""Plain message lists of the OpenAI and Anthropic APIs: ``[{"role": ..., "content": ...}]``, or one a line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hippocampus_cli.context.transcripts.message import (
    Message,
    Part,
    Record,
    answers_of,
    as_results,
    call_part,
    calls_of,
    parts_of,
    split,
)
from hippocampus_cli.context.transcripts.records import Node, Span, Window


def fits(records: Sequence[Record]) -> bool:
    """Whether the first records are bare messages."""
    return any(
        "role" in value and ("content" in value or "tool_calls" in value) for value in records
    )


def node(value: Record, span: Span, before: Node | None) -> Node | None:
    """The node of a message: they follow each other. Their ids are their numbers, ``m1``, ``m2``."""
    number = 1 if before is None else int(before.id[1:]) + 1
    parts = parts_of(value.get("content"))
    answers, count = answers_of(parts, "tool_calls" in value)
    return Node(
        span,
        f"m{number}",
        before.id if before else None,
        "message",
        calls=calls_of((*parts, *_tool_calls(value))),
        answers=answers,
        messages=count,
    )


def window(nodes: Sequence[Node], broken: Sequence[int]) -> Window:
    """All of them."""
    return Window(tuple((one,) for one in nodes))


def messages(
    records: Sequence[Record], nodes: Sequence[Node], tools: Mapping[str, str]
) -> list[Message]:
    """The messages of one element; ``tools`` are the names behind call ids."""
    value, place = records[0], nodes[0]
    content = value.get("content")
    role = value.get("role")
    role = role if isinstance(role, str) else ""
    blocks = content if isinstance(content, list) else [content]
    made = split(place.id, "system" if role == "developer" else role, blocks, tools)
    if role in ("tool", "function"):
        made = [_answer(value, tools, made[0])]
    elif calls := _tool_calls(value):
        made[-1] = made[-1]._replace(parts=(*made[-1].parts, *calls), raw=value)
    elif len(made) == 1 and not place.answers:
        made = [made[0]._replace(raw=value)]
    return [one._replace(parent=place.parent, line=place.span.line) for one in made]


def _answer(value: Record, tools: Mapping[str, str], made: Message) -> Message:
    call = value.get("tool_call_id")
    call = call if isinstance(call, str) else ""
    name = value.get("name")
    tool = name if isinstance(name, str) and name else tools.get(call, "")
    return made._replace(role="tool", parts=as_results(made.parts), raw=value, tool=tool, call=call)


def _tool_calls(value: Record) -> tuple[Part, ...]:
    """OpenAI's calls, which stand beside the content."""
    calls = value.get("tool_calls")
    found: list[Part] = []
    for call in calls if isinstance(calls, list) else ():
        function = call.get("function") if isinstance(call, dict) else None
        if isinstance(function, dict):
            found.append(call_part(function.get("name"), call.get("id"), function.get("arguments")))
    return tuple(found)
