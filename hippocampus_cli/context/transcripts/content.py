"""The content of a message, in the words of any of the formats, as parts."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from hippocampus_cli.context.transcripts.message import Part

_TEXTS = frozenset(("text", "input_text", "output_text"))
_IMAGES = frozenset(("image", "image_url", "input_image"))
_CALLS = frozenset(("toolCall", "tool_use", "server_tool_use", "mcp_tool_use", "function_call"))
_COMMANDS = ("command", "cmd", "script")
_PATHS = ("path", "file_path", "filePath", "filename", "notebook_path")
_OTHERS = ("url", "query", "pattern", "code")
COMMAND, PATH = "command", "path"


def parts_of(content: object) -> tuple[Part, ...]:
    """The parts of a message's ``content``: a text, a list of blocks, or a block. Never raises."""
    if isinstance(content, str):
        return (Part("text", content),) if content else ()
    blocks = content if isinstance(content, list) else [content]
    return tuple(part for block in blocks for part in _parts(block))


def text_of(content: object) -> str:
    """The texts of ``content``, a line break between them."""
    return "\n".join(part.text for part in parts_of(content) if part.kind == "text" and part.text)


def as_results(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """The parts of a tool's message: its texts are results."""
    return tuple(
        part._replace(kind="tool_result") if part.kind == "text" else part for part in parts
    )


def call_part(name: object, call: object, arguments: object) -> Part:
    """A tool call. Its text is its arguments, one ``key: value`` a line; a lone argument is only its value."""
    given = _arguments(arguments)
    if not isinstance(given, dict):
        return Part("tool_call", _value(given), _word(name), _word(call))
    named = [(str(key), _value(value)) for key, value in given.items()]
    lines = (f"{key}: {value}" for key, value in named)
    text = named[0][1] if len(named) == 1 else "\n".join(lines)
    return Part("tool_call", text, _word(name), _word(call), _main(dict(named)))


def _parts(block: object) -> Iterator[Part]:
    if isinstance(block, str):
        yield Part("text", block)
    if not isinstance(block, dict):
        return
    kind = block.get("type")
    if kind in _CALLS:
        arguments = block.get("arguments", block.get("input"))
        yield call_part(block.get("name"), block.get("id", block.get("call_id")), arguments)
    elif kind == "tool_result":
        yield Part(
            "tool_result", text_of(block.get("content")), call=_word(block.get("tool_use_id"))
        )
    elif kind in ("thinking", "reasoning"):
        yield Part("thinking", _word(block.get("thinking") or block.get("text")))
    elif kind in _IMAGES:
        yield Part("image", "")
    elif kind in _TEXTS or isinstance(block.get("text"), str):
        yield Part("text", _word(block.get("text")))
    else:
        yield Part("other", "", _word(kind))


def _arguments(arguments: object) -> object:
    """Arguments as an object: some formats write them as JSON in a text."""
    if not isinstance(arguments, str):
        return arguments
    try:
        return json.loads(arguments)
    except (ValueError, RecursionError):
        return arguments


def _main(named: dict[str, str]) -> tuple[str, str]:
    for keys, kind in ((_COMMANDS, COMMAND), (_PATHS, PATH), (_OTHERS, "")):
        for key in keys:
            if named.get(key):
                return kind or key, named[key]
    return next(iter(named.items()), ("", ""))


def _value(value: object) -> str:
    if isinstance(value, str):
        return value
    return "" if value is None else json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _word(value: Any) -> str:
    return value if isinstance(value, str) else ""
