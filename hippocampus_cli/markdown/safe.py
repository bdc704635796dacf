"""Text of a workspace where people read it: control codes become visible and do nothing (decision D19)."""

from __future__ import annotations

import re

from hippocampus_cli.fast_types import pattern

# C0 but tab and newline, DEL, C1 (whose U+009B starts a sequence like ESC [ does), line separators,
# bidirectional marks, overrides and isolates, spaces without width (the joiners stay: scripts and emoji need them),
# invisible operators and tags, lone surrogates.
_HARMFUL = pattern(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f\ud800-\udfff]"
)
_BYTES = pattern("[\udc80-\udcff]")
_BREAKS = pattern(r"[\t\n\r]+")
_REPLACEMENT = "\ufffd"


def safe(text: str) -> str:
    """``text`` with everything but tabs and newlines that a terminal would act on made visible, and bytes that are no
    UTF-8 spelled."""
    if text.isascii() and text.isprintable():
        return text
    return _HARMFUL.sub(_visible, bytes_spelled(text.replace("\r\n", "\n")))


def safe_line(text: str) -> str:
    """The same as one line: each run of tabs and line breaks is one space."""
    return safe(_BREAKS.sub(" ", text))


def safe_json(document: str) -> str:
    """A JSON document with the same characters as escapes: its meaning stays, but for lone surrogates, which strict
    readers of JSON refuse."""
    return _HARMFUL.sub(_escaped, bytes_spelled(document))


def bytes_spelled(text: str) -> str:
    """``text`` with each byte that is no UTF-8 (a lone surrogate stands for it) written as in a pointer: ``%FF``."""
    return _BYTES.sub(lambda found: f"%{ord(found.group()) - 0xDC00:02X}", text)


def _escaped(found: re.Match[str]) -> str:
    code = ord(found.group())
    if 0xD800 <= code <= 0xDFFF:  # no UTF-8 can hold it
        return _REPLACEMENT
    units = found.group().encode("utf-16-be")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))


def _visible(found: re.Match[str]) -> str:
    code = ord(found.group())
    if code < 0x20:
        return chr(0x2400 + code)  # the control pictures: ESC is shown as ␛
    if code == 0x7F:
        return "\u2421"
    if 0xD800 <= code <= 0xDFFF:
        return _REPLACEMENT
    return f"<U+{code:04X}>"
