"""The line of each key of a TOML text: the standard library's parser keeps no positions.

Only for text that the parser has accepted, so the scan may assume that strings and brackets close.
"""

from __future__ import annotations

import re

_TOKEN = re.compile(
    r'"""(?:[^\\"]|\\.|"(?!""))*+(?:"""+|\Z)'
    r"|'''(?:[^']|'(?!''))*+(?:'''+|\Z)"
    r'|"(?:[^"\\\n]|\\.)*+"?'
    r"|'[^'\n]*+'?"
    r"|#[^\n]*|\n|[\[\]{}]|[^\"'#\n\[\]{}]+|.",
    re.DOTALL,
)
_PART = re.compile(r'\s*(?:"((?:[^"\\\n]|\\.)*)"|\'([^\'\n]*)\'|([A-Za-z0-9_-]+))\s*')
_HEADER = re.compile(r"\[\[?")
_UNICODE = re.compile(r"\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})|\\(.)", re.DOTALL)
_ESCAPES = {"b": "\b", "t": "\t", "n": "\n", "f": "\f", "r": "\r"}

Path = tuple[str, ...]


def key_lines(text: str) -> dict[Path, int]:
    """The 1-based line of every table and key outside inline tables; the first where one occurs twice."""
    lines: dict[Path, int] = {}
    table: Path = ()
    at, line = 0, 1
    while at < len(text):
        if text[at] in " \t\r\n":
            line += text[at] == "\n"
            at += 1
            continue
        end = _statement_end(text, at)
        if header := _HEADER.match(text, at):
            table = _key(text, header.end(), end)[0]
            path = table
        elif text[at] != "#":
            path = table + _key(text, at, end)[0]
        else:
            path = ()
        for size in range(1, len(path) + 1):
            lines.setdefault(path[:size], line)
        line += text.count("\n", at, end)
        at = end
    return lines


def _statement_end(text: str, at: int) -> int:
    """The offset of the line break that ends the statement at ``at`` (brackets and strings continue it)."""
    depth = 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            break
        token = found.group()
        if token == "\n" and depth <= 0:
            return at
        depth += (token in "[{") - (token in "]}")
        at = found.end()
    return len(text)


def _key(text: str, at: int, end: int) -> tuple[Path, int]:
    """A dotted key's parts, and the offset after it."""
    parts: list[str] = []
    while found := _PART.match(text, at, end):
        quoted, literal, bare = found.groups()
        parts.append(_unescape(quoted) if quoted is not None else literal or bare or "")
        at = found.end()
        if text[at : at + 1] != ".":
            break
        at += 1
    return tuple(parts), at


def _unescape(text: str) -> str:
    def one(found: re.Match[str]) -> str:
        short, long, char = found.groups()
        if code := short or long:
            number = int(code, 16)
            return chr(number) if number < 0x110000 else "\ufffd"
        return _ESCAPES.get(char, char)

    return _UNICODE.sub(one, text) if "\\" in text else text
