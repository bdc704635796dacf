"""A tool's output: the text in it, and the same output with another text in its place. Pure.

An agent takes a replacement only if it has the shape of this tool's output, so nothing but texts changes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hippocampus_cli.bridges.hooks.claude_code import PERSISTED

_PASSAGE = 200  # characters from which a text is more than a name
_NO_TEXT = ("data", "base64")  # where an image is


def text_of(output: Any) -> str:
    """All passages of an output, a line break between them."""
    return "\n".join(_passages(output))


def with_text(output: Any, text: str) -> Any:
    """The output with ``text`` for its first passage, the others empty."""
    if isinstance(output, dict):
        # the copy of a long output on disk would be shown instead of the replacement
        output = {key: value for key, value in output.items() if key not in PERSISTED}
    return _filled(output, iter([text]))


def _passages(value: Any) -> Iterator[str]:
    if (passage := _passage(value)) is not None:
        yield passage
    elif isinstance(value, (dict, list)):
        for part in _texts_in(value).values():
            yield from _passages(part)


def _filled(value: Any, texts: Iterator[str]) -> Any:
    if _passage(value) is not None:
        text = next(texts, "")
        return text if isinstance(value, str) else [text]
    if isinstance(value, dict):
        return value | {key: _filled(part, texts) for key, part in _texts_in(value).items()}
    if isinstance(value, list):
        return [_filled(part, texts) for part in value]
    return value


def _passage(value: Any) -> str | None:
    """A long text, or a list of lines that is one."""
    if isinstance(value, list) and value and all(isinstance(one, str) for one in value):
        value = "\n".join(value)
    return value if isinstance(value, str) and len(value) > _PASSAGE else None


def _texts_in(value: dict[str, Any] | list[Any]) -> dict[Any, Any]:
    """The parts of a value that may be, or hold, texts."""
    parts = value.items() if isinstance(value, dict) else enumerate(value)
    return {key: part for key, part in parts if key not in _NO_TEXT}
