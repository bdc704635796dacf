"""The one value that every reader of transcripts gives: a message of a session.

A *record* is what a file is made of (a JSON line, or an element of an array); a *message* is what an agent
said, asked or was told. A record can hold several messages, and a message can span several records.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

PartKind = Literal["text", "thinking", "tool_call", "tool_result", "image", "other"]
Flag = Literal["error", "summary", "truncated"]
Record = Mapping[str, Any]

IMAGE_TOKENS = 1_200
"""What an image counts, in tokens: its bytes say nothing of what a model pays for it."""


class Part(NamedTuple):
    """One piece of a message. ``argument`` is a tool call's main argument: its key and its value."""

    kind: PartKind
    text: str
    name: str = ""
    call: str = ""
    argument: tuple[str, str] = ("", "")


class Message(NamedTuple):
    """One message. ``line`` is that of its first record, 1-based; ``raw`` is the message as it was written.

    ``role`` is ``user``, ``assistant``, ``tool``, ``system``, ``bash`` (a command the user ran), ``custom``,
    ``summary``, or the writer's own word where it is none of these.
    """

    id: str
    parent: str | None
    role: str
    parts: tuple[Part, ...]
    raw: Record
    tool: str = ""
    call: str = ""
    timestamp: str | None = None
    line: int = 0
    flags: frozenset[Flag] = frozenset()

    @property
    def text(self) -> str:
        """What the message says: text and results, without thinking and tool calls."""
        return "\n".join(
            part.text for part in self.parts if part.kind in ("text", "tool_result") and part.text
        )

    @property
    def thinking(self) -> str:
        """What was thought."""
        return "\n".join(part.text for part in self.parts if part.kind == "thinking" and part.text)

    @property
    def calls(self) -> tuple[Part, ...]:
        """The tool calls."""
        return tuple(part for part in self.parts if part.kind == "tool_call")

    @property
    def tokens(self) -> int:
        """The estimated tokens of all parts, thinking and tool calls included; at least 1."""
        size = images = 0
        for part in self.parts:
            size += len(part.text) + len(part.name)
            images += part.kind == "image"
        return max(1, -(-size // 4) + images * IMAGE_TOKENS)
