"""A file of JSON lines, or one JSON array, as a stream of records with their places.

Only one record is in memory at a time. What cannot be read is counted and passed over.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, BinaryIO, NamedTuple

LARGEST = 64 * 1024 * 1024
"""Bytes of one record at most; a larger one is passed over."""
_NAMED = 1_000  # damaged lines whose numbers are kept; beyond that they are counted
_CHUNK = 1 << 20
_BOM = b"\xef\xbb\xbf"
_GAP = re.compile(r"[\s,]*")
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


def read_array(
    file: BinaryIO, damage: Damage, largest: int = LARGEST
) -> Iterator[tuple[Span, dict[str, Any]]]:
    """Every object in the array of ``file``: the document itself, or its ``messages``.

    Behind an element that is no JSON nothing more can be told apart: it is counted, and the rest is left.
    """
    window = _Window(file)
    if not window.enter():
        damage.note(1)
        return
    decoder = json.JSONDecoder()
    while True:
        window.skip_gap()
        if window.text.startswith("]", window.at):
            return
        start, line = window.offset, window.line
        found = _element(decoder, window, largest)
        if found is None:
            damage.note(line)
            return
        value, text = found
        if isinstance(value, dict):
            yield Span(line, start, len(text.encode("utf-8", "surrogateescape"))), value
        else:
            damage.note(line)


def _element(decoder: json.JSONDecoder, window: _Window, largest: int) -> tuple[object, str] | None:
    while True:
        try:
            value, end = decoder.raw_decode(window.text, window.at)
        except RecursionError:
            return None
        except ValueError:
            if len(window.text) - window.at > largest or not window.read():
                return None
            continue
        if end == len(window.text) and window.read():
            continue  # a number may go on
        return value, window.take(end)


class _Window:
    """The decoded text around a reading position, and the offset and line of the position."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
        self._chunk = _CHUNK
        self.text = ""
        self.at = 0
        self.offset = 0
        self.line = 1

    def read(self) -> bool:
        """Read on, twice as much each time the same element asks; False at the end of the file."""
        data = self._file.read(self._chunk)
        self._chunk = min(self._chunk * 2, LARGEST)
        self.text = self.text[self.at :] + self._decoder.decode(data, final=not data)
        self.at = 0
        return bool(data)

    def take(self, end: int) -> str:
        """The text up to ``end``; the position moves behind it."""
        text = self.text[self.at : end]
        self.at = end
        self.offset += len(text.encode("utf-8", "surrogateescape"))
        self.line += text.count("\n")
        self._chunk = _CHUNK
        return text

    def skip_gap(self) -> None:
        """Move to the next thing that is neither white space nor a comma."""
        while True:
            found = _GAP.match(self.text, self.at)
            assert found
            self.take(found.end())
            if self.at < len(self.text) or not self.read():
                return

    def enter(self) -> bool:
        """Move behind the bracket that opens the array; False where there is none."""
        self.read()
        if self.text.startswith("\ufeff"):
            self.take(1)
        self.skip_gap()
        if self.text.startswith("[", self.at):
            self.take(self.at + 1)
            return True
        while not (found := _MESSAGES.search(self.text, self.at)):
            if len(self.text) > LARGEST or not self.read():
                return False
        self.take(found.end())
        return True


def _skip_line(file: BinaryIO) -> int:
    """Read to the end of the line; returns the bytes read."""
    skipped = 0
    while chunk := file.readline(_CHUNK):
        skipped += len(chunk)
        if chunk.endswith(b"\n"):
            break
    return skipped
