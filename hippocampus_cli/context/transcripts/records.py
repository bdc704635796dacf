"""The records of a transcript, read as a stream. What cannot be read is noted and skipped."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, BinaryIO, NamedTuple

LARGEST = 64 * 1024 * 1024
"""Bytes of one record at most; a larger one is skipped."""
LARGEST_DOCUMENT = 512 * 1024 * 1024
"""Bytes of a file that is one document at most."""
_CHUNK = 1 << 20


class RecordSpan(NamedTuple):
    """Where a record stands: its first line, 1-based, its offset and its length in bytes."""

    line: int
    offset: int
    length: int


def read_lines(
    file: BinaryIO, broken: list[int], largest: int = LARGEST
) -> Iterator[tuple[RecordSpan, dict[str, Any]]]:
    """Every line of ``file`` that is a JSON object; ``broken`` gets the numbers of the others."""
    offset, number = 0, 0
    while line := file.readline(largest + 1):
        number += 1
        span = RecordSpan(number, offset, len(line))
        if len(line) > largest and not line.endswith(b"\n"):
            offset += len(line) + _skip_line(file)
            broken.append(number)
            continue
        offset += len(line)
        if line.isspace():
            continue
        value = parse(line)
        if value is None:
            broken.append(number)
        else:
            yield span, value


def parse(data: bytes) -> dict[str, Any] | None:
    """The JSON object in ``data``, or None. Bytes that are no UTF-8 survive as surrogate escapes."""
    try:
        value = json.loads(data.decode("utf-8-sig", "surrogateescape"))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def lines_of_document(data: bytes) -> bytes:
    """The elements of an array, which is the document itself or its ``messages``, a line each.

    Raises :class:`ValueError`, :class:`RecursionError` for what is no JSON.
    """
    document = json.loads(data.decode("utf-8-sig", "surrogateescape"))
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
