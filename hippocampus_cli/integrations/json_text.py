"""A JSON text as a tree of places, and edits that touch no other byte. Pure.

A new value comes first among its siblings, so that no line of theirs changes. A container that was empty has its
closing bracket directly after the value; a new container has it on a line of its own. By that ``removal`` knows which
of the two to keep.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple, NoReturn

from hippocampus_cli.markdown.lines import newline_of

_SPACE = re.compile(r"[ \t\r\n]*")
_INDENT = re.compile(r"[\r\n]([ \t]+)\"")
_DEFAULT_INDENT = "  "


class Node(NamedTuple):
    """A value and its place: from ``start`` (of its key, if it has one) over ``at`` to ``end``."""

    start: int
    at: int
    end: int
    value: Any
    key: str | None
    children: tuple[Node, ...]

    def member(self, key: str) -> Node | None:
        """The member of an object; of several with this key the last, as JavaScript has it."""
        return next((one for one in reversed(self.children) if one.key == key), None)


def parse(text: str) -> Node:
    """The tree of a text, which may have a byte order mark. Raises ``ValueError``, ``RecursionError``."""
    start = _skip(text, 1 if text.startswith("\ufeff") else 0)
    root = _node(text, start, start, None)
    if (rest := _skip(text, root.end)) != len(text):
        raise json.JSONDecodeError("more than one value", text, rest)
    return root


def with_member(text: str, holder: Node, key: str, value: Any, depth: int) -> str:
    """The text with a new member of the object ``holder`` at this ``depth``."""
    return _with_first(text, holder, f"{json.dumps(key)}: ", value, depth)


def with_item(text: str, holder: Node, value: Any, depth: int) -> str:
    """The text with a new item of the array ``holder`` at this ``depth``."""
    return _with_first(text, holder, "", value, depth)


def removal(text: str, path: tuple[Node, ...]) -> str:
    """The text without the last node of ``path`` (the root first), and without what was made to hold it.

    Empty where nothing is left.
    """
    *above, node = path
    while above and len(above[-1].children) == 1 and text[node.end : above[-1].end - 1]:
        node = above.pop()
    if not above:
        return ""
    start, end = _span(text, above[-1], node)
    return text[:start] + text[end:]


def _span(text: str, holder: Node, node: Node) -> tuple[int, int]:
    """What is removed with a node: the comma after it, else the one before it, else the beginning of its line."""
    at = holder.children.index(node)
    if at + 1 < len(holder.children):
        return node.start, holder.children[at + 1].start
    if at:
        return holder.children[at - 1].end, node.end
    line = re.search(r"(?:\r\n?|\n)?[ \t]*\Z", text[holder.at + 1 : node.start])
    return node.start - len(line[0] if line else ""), node.end


def _with_first(text: str, holder: Node, label: str, value: Any, depth: int) -> str:
    newline = newline_of(text)
    unit = min(_INDENT.findall(text), key=len, default=_DEFAULT_INDENT)
    written = json.dumps(value, indent=unit, ensure_ascii=False).replace(
        "\n", f"{newline}{unit * (depth + 1)}"
    )
    if holder.children:
        at = holder.children[0].start
        gap = text[holder.at + 1 : at]
        return f"{text[:at]}{label}{written},{gap}{text[at:]}"
    at = holder.end - 1
    return f"{text[:at]}{newline}{unit * (depth + 1)}{label}{written}{text[at:]}"


def _node(text: str, start: int, at: int, key: str | None) -> Node:
    value, end = _DECODER.raw_decode(text, at)
    children = tuple(_children(text, at, value))
    return Node(start, at, end, value, key, children)


def _children(text: str, at: int, value: Any) -> Iterator[Node]:
    if not isinstance(value, (dict, list)) or not value:
        return
    mark = ","
    while mark == ",":
        start = place = _skip(text, at + 1)
        key = None
        if isinstance(value, dict):
            key, colon = _DECODER.raw_decode(text, start)
            place = _skip(text, _skip(text, colon) + 1)
        node = _node(text, start, place, key)
        yield node
        at = _skip(text, node.end)
        mark = text[at]


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is not valid JSON")


_DECODER = json.JSONDecoder(parse_constant=_no_number)
