"""The records of a transcript, read as a stream. What cannot be read is counted and skipped."""

from __future__ import annotations

import json
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


class RecordSpan(NamedTuple):
    """Where a record stands: its first line, 1-based, its offset and its length in bytes."""

    line: int
    offset: int
    length: int


@dataclass(slots=True)
class Damage:
    """What could not be read, or was too long: how many records, and where the first of them stand."""

    broken: int = 0
    lines: list[int] = field(default_factory=list)

    def note(self, line: int) -> None:
        """Count a record that cannot be read."""
        self.broken += 1
        if len(self.lines) < _NAMED:
            self.lines.append(line)


def read_lines(
    file: BinaryIO, damage: Damage, largest: int = LARGEST
) -> Iterator[tuple[RecordSpan, dict[str, Any]]]:
    """Every line of ``file`` that is a JSON object."""
    offset, number = 0, 0
    while line := file.readline(largest + 1):
        number += 1
        span = RecordSpan(number, offset, len(line))
        if len(line) > largest and not line.endswith(b"\n"):
            offset += len(line) + _skip_line(file)
            damage.note(number)
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


def lines_of_document(data: bytes) -> bytes:
    """The elements of an array, which is the document itself or its ``messages``, a line each.

    Raises :class:`ValueError`, :class:`RecursionError` for what is no JSON.
    """
    document = json.loads(data.removeprefix(_BOM).decode("utf-8", "surrogateescape"))
    elements = document["messages"] if isinstance(document, dict) else document
    return "".join(f"{json.dumps(element)}\n" for element in elements).encode()


def _skip_line(file: BinaryIO) -> int:
    """Read to the end of the line; returns the bytes read."""
    skipped = 0
    while chunk := file.readline(_CHUNK):
        skipped += len(chunk)
        if chunk.endswith(b"\n"):
            break
    return skipped
