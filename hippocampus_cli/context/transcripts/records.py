"""The records of a transcript: read as a stream, remembered as nodes of a tree, and the branch from root to leaf.

Only one record is in memory at a time. What cannot be read is counted and skipped.
"""

from __future__ import annotations

import codecs
import json
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, BinaryIO, Literal, NamedTuple

LARGEST = 64 * 1024 * 1024
"""Bytes of one record at most; a larger one is skipped."""
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


NodeKind = Literal["message", "summary", "outside"]


class Node(NamedTuple):
    """A record: who it is, whose child, and what a window needs to know of it.

    ``outside`` records are links of the chain that say nothing in the window. ``kept`` is the id from which
    a compaction kept what came before it. ``group`` joins records that are one message. ``calls`` are the
    ids and names of the tools it calls, ``answers`` the ids of the calls it answers, and ``messages`` says
    how many messages it holds.
    """

    span: Span
    id: str
    parent: str | None
    kind: NodeKind
    kept: str = ""
    group: str = ""
    calls: tuple[tuple[str, str], ...] = ()
    answers: tuple[str, ...] = ()
    messages: int = 1


class Window(NamedTuple):
    """What is in an agent's window, oldest first: groups of records, each one message or several."""

    groups: tuple[tuple[Node, ...], ...]
    summary: Node | None = None
    loop: Node | None = None
    bridged: int = 0
    left_out: int = 0


class Branch(NamedTuple):
    """The nodes from the root to the leaf. ``loop`` is the node whose parents come back to it, if any does.

    ``bridged`` counts the parents that were lost in a broken line, where the line before that one stands in.
    """

    nodes: tuple[Node, ...]
    loop: Node | None = None
    bridged: int = 0


def branch_to(leaf: int, nodes: Sequence[Node], broken: Sequence[int]) -> Branch:
    """The branch that ends in ``nodes[leaf]``; ``broken`` are the numbers of lines that cannot be read.

    A parent that is nowhere ends the way, as in the agents themselves, but where a broken line may have
    held it: then the way goes on before that line, so that one damaged line does not hide all before it.
    """
    places = {node.id: at for at, node in enumerate(nodes)}
    found: list[Node] = []
    seen: set[int] = set()
    bridged = 0
    at: int | None = leaf
    while at is not None:
        if at in seen:
            return Branch(tuple(reversed(found)), nodes[at], bridged)
        seen.add(at)
        node = nodes[at]
        found.append(node)
        if node.parent is None:
            break
        above = places.get(node.parent)
        if above is None and at and _is_gap(nodes[at - 1], node, broken):
            bridged += 1
            above = at - 1
        at = above
    return Branch(tuple(reversed(found)), None, bridged)


def _is_gap(before: Node, after: Node, broken: Sequence[int]) -> bool:
    """Whether a broken line stands between the two."""
    at = bisect_right(broken, before.span.line)
    return at < len(broken) and broken[at] < after.span.line
