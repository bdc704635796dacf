"""Splitting text into lines without losing a byte.

``str.splitlines`` also splits on VT, FF, NEL and U+2028; files do not. Only ``\\r\\n``, ``\\r``, ``\\n`` end
a line here, so joining the lines gives the text back.
"""

from __future__ import annotations

import re

from hippocampus_cli.fast_types import pattern

_LINE = pattern(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


def split_lines(text: str) -> list[str]:
    """The lines of ``text``, each with its own line ending; ``"".join`` of them is ``text``."""
    if any(map(text.__contains__, "\r\v\f\x1c\x1d\x1e\x85\u2028\u2029")):
        return _LINE.findall(text)
    return text.splitlines(True)  # the same, in a quarter


def line_ending(line: str) -> str:
    """The line ending of one line: ``"\\r\\n"``, ``"\\n"``, ``"\\r"`` or ``""``."""
    return line[len(chomp(line)) :]


def chomp(line: str) -> str:
    """``line`` without its line ending."""
    return line.rstrip("\r\n")


def newline_of(text: str) -> str:
    """The first line ending in ``text``: the style that new lines follow; ``"\\n"`` where there is none."""
    match = re.search(r"\r\n|\r|\n", text)
    return match[0] if match else "\n"


def whole_number(text: str) -> int | None:
    """The number that the digits 0 to 9 are; ``None`` for anything else, and for more of them than Python reads."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 4000 else None


def decode(data: bytes) -> str:
    """Any bytes as text; invalid UTF-8 survives as surrogate escapes (``encode`` gives the bytes back)."""
    return data.decode("utf-8", "surrogateescape")


def encode(text: str) -> bytes:
    """The bytes of text made by :func:`decode`. A surrogate that no byte stands behind becomes U+FFFD."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return encode(re.sub("[\ud800-\udc7f\udd00-\udfff]", "\ufffd", text))
