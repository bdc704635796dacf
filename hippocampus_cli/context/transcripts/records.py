"""The records of a transcript, read as a stream. What cannot be read is counted and skipped."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, BinaryIO, NamedTuple

LARGEST = 64 * 1024 * 1024
"""Bytes of one record at most; a larger one is skipped."""
LARGEST_DOCUMENT = 512 * 1024 * 1024
"""Bytes of a file that is one document at most."""
_NAMED = 1_000  # damaged lines whose numbers are kept; beyond that they are counted
_CHUNK = 1 << 20
_BOM = b"\xef\xbb\xbf"
_GAP = re.compile(r"[\s,]*")
_ARRAY = re.compile(r"\ufeff?\s*\[")
_MESSAGES = re.compile(r'"messages"\s*:\s*\[')


class Span(NamedTuple):
    """Where a record stands: its first line, 1-based, its offset and its length in bytes."""

    line: int
    offset: int
    length: int


@dataclass(slots=True)
class Damage:
    """What could not be read: how many records, and where the first of them stand."""

    broken: int = 0
    too_long: int = 0
    lines: list[int] = field(default_factory=list)

    def note(self, line: int, *, too_long: bool = False) -> None:
        """Count a record that cannot be read."""
        if too_long:
            self.too_long += 1
        else:
            self.broken += 1
        if len(self.lines) < _NAMED:
            self.lines.append(line)


def read_lines(
    file: BinaryIO, damage: Damage, largest: int = LARGEST
) -> Iterator[tuple[Span, dict[str, Any]]]:
    """Every line of ``file`` that is a JSON object."""
    offset, number = 0, 0
    while line := file.readline(largest + 1):
        number += 1
        span = Span(number, offset, len(line))
        if len(line) > largest and not line.endswith(b"\n"):
            offset += len(line) + _skip_line(file)
            damage.note(number, too_long=True)
            continue
        offset += len(line)
        if line.isspace():
            continue
        value = parse(line)
        if value is None:
            damage.note(number)
        else:
            yield span, value


def parse(data: bytes) -> dict[str, Any] | None:
    """The JSON object in ``data``, or None. Bytes that are no UTF-8 survive as surrogate escapes."""
    try:
        value = json.loads(data.removeprefix(_BOM).decode("utf-8", "surrogateescape"))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def lines_of_array(data: bytes, damage: Damage) -> bytes:
    """The objects of an array, which is the document itself or its ``messages``, a line each.

    Behind an element that is no JSON nothing more can be told apart: it is counted, and the rest is left.
    """
    text = data.decode("utf-8", "surrogateescape")
    start = _ARRAY.match(text) or _MESSAGES.search(text)
    end = start.end() if start else len(text)
    lines: list[str] = []
    number = 0
    while not text.startswith("]", end := end + len(_GAP.match(text, end)[0])):  # type: ignore[index]
        number += 1
        try:
            value, end = json.JSONDecoder().raw_decode(text, end)
        except (ValueError, RecursionError):
            damage.note(number)
            break
        if isinstance(value, dict):
            lines.append(f"{json.dumps(value)}\n")
        else:
            damage.note(number)
            lines.append("\n")
    return "".join(lines).encode()


def _skip_line(file: BinaryIO) -> int:
    """Read to the end of the line; returns the bytes read."""
    skipped = 0
    while chunk := file.readline(_CHUNK):
        skipped += len(chunk)
        if chunk.endswith(b"\n"):
            break
    return skipped
