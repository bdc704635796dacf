"""Plain message lists of the OpenAI and Anthropic APIs: ``[{"role": ..., "content": ...}]``, or one a line."""

from __future__ import annotations

from collections.abc import Sequence

from hippocampus_cli.context.transcripts.client import Client, Place, Turn
from hippocampus_cli.context.transcripts.message import (
    Part,
    Record,
    as_results,
    call_part,
    dicts_in,
    messages_in,
    word,
)


def _fits(records: Sequence[Record]) -> bool:
    return any(
        "role" in value and ("content" in value or "tool_calls" in value) for value in records
    )


def _read(value: Record, place: Place) -> Turn:
    """A message; its id is its number, ``m1``, ``m2``."""
    role = word(value.get("role"))
    messages = messages_in("system" if role == "developer" else role, value.get("content"))
    last = messages[-1]
    if role in ("tool", "function"):
        call, name = word(value.get("tool_call_id")), word(value.get("name"))
        parts = as_results(last.parts)
        last = last._replace(role="tool", parts=parts, call=call, tool=name)
    elif calls := _calls(value.get("tool_calls")):
        last = last._replace(parts=(*last.parts, *calls))
    if len(messages) == 1:
        last = last._replace(raw=value)
    return Turn(f"m{place.number + 1}", [*messages[:-1], last])


def _calls(calls: object) -> tuple[Part, ...]:
    """OpenAI's calls, which stand beside the content."""
    return tuple(
        call_part(function.get("name"), one.get("id"), function.get("arguments"))
        for one in dicts_in(calls)
        if isinstance(function := one.get("function"), dict)
    )


CLIENT = Client(_fits, _read)
