"""Plain message lists of the OpenAI and Anthropic APIs: ``[{"role": ..., "content": ...}]``, or one a line."""

from __future__ import annotations

from collections.abc import Sequence

from hippocampus_cli.context.transcripts.client import Client, Place, Turn
from hippocampus_cli.context.transcripts.message import (
    Record,
    as_results,
    blocks_of,
    dicts_in,
    messages_in,
    word,
)


def _fits(records: Sequence[Record]) -> bool:
    return any(
        "role" in value and ("content" in value or "tool_calls" in value) for value in records
    )


def _read(value: Record, place: Place) -> Turn:
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


CLIENT = Client(_fits, _read)
