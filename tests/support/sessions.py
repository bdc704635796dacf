"""Small session files for tests, in the words of each format."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

HEADER = {"type": "session", "version": 3, "id": "s1", "timestamp": "2026-02-01T09:00:00Z"}
Value = dict[str, Any]


def user(text: str) -> Value:
    return {"role": "user", "content": [{"type": "text", "text": text}]}


def says(text: str, *calls: Value, thinks: str = "") -> Value:
    content: list[Value] = [{"type": "thinking", "thinking": thinks}] if thinks else []
    content += [{"type": "text", "text": text}] if text else []
    return {"role": "assistant", "content": [*content, *calls]}


def call(identity: str, name: str = "bash", **arguments: Any) -> Value:
    return {"type": "toolCall", "id": identity, "name": name, "arguments": arguments}


def result(identity: str, text: str, name: str = "bash", **more: Any) -> Value:
    content = [{"type": "text", "text": text}]
    return {
        "role": "toolResult",
        "toolCallId": identity,
        "toolName": name,
        "content": content,
        **more,
    }


def pi_entries(messages: Iterable[Value]) -> list[Value]:
    """Messages as a chain of entries ``e1``, ``e2``, ..."""
    made: list[Value] = []
    for at, message in enumerate(messages, 1):
        parent = made[-1]["id"] if made else None
        made.append({"type": "message", "id": f"e{at}", "parentId": parent, "message": message})
    return made


def write_lines(path: Path, values: Sequence[Value | str]) -> Path:
    """Values as JSON lines; texts are lines as they are."""
    lines = [one if isinstance(one, str) else json.dumps(one) for one in values]
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def pi_file(folder: Path, *messages: Value) -> Path:
    """A session of Pi."""
    return write_lines(folder / "session.jsonl", [HEADER, *pi_entries(messages)])
