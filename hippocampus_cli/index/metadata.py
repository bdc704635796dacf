"""The ``<!-- hx: key=value | ... -->`` comment as spans, so that one value can change and nothing else (D1)."""

from __future__ import annotations

from hippocampus_cli.light import NamedTuple, pattern

_OPEN = pattern(r" {0,3}<!--[ \t]*hx:")
_KEY = pattern(r"\s*([A-Za-z_][\w.-]*)\s*=[ \t]*")


class Item(NamedTuple):
    """One ``key=value``; ``value`` is raw text, ``value_start`` and ``value_end`` its place in the comment."""

    key: str
    value: str
    start: int
    value_start: int
    value_end: int


def items(comment: str) -> list[Item]:
    """The fields of a comment in order. Pieces that are no ``key=value`` are skipped (see :func:`junk`)."""
    found: list[Item] = []
    for start, end in _pieces(comment):
        key = _KEY.match(comment, start, end)
        if key:
            value_start = min(key.end(), end)
            value = comment[value_start:end].rstrip()
            found.append(Item(key.group(1), value, start, value_start, value_start + len(value)))
    return found


def junk(comment: str) -> list[str]:
    """Non-empty pieces of a comment that are no ``key=value``."""
    pieces = [(start, end) for start, end in _pieces(comment)]
    return [
        text
        for start, end in pieces
        if (text := comment[start:end].strip()) and not _KEY.match(comment, start, end)
    ]


def with_value(comment: str, key: str, value: str) -> str:
    """``comment`` with ``key`` set to the raw ``value``: replaced in place, or added at the end."""
    for item in items(comment):
        if item.key == key:
            return comment[: item.value_start] + value + comment[item.value_end :]
    end = len(comment[: _body(comment)[1]].rstrip())
    lead = " " if comment[:end].endswith("hx:") else " | "
    return f"{comment[:end]}{lead}{key}={value}{comment[end:]}"


def without(comment: str, key: str) -> str:
    """``comment`` without ``key`` and the separator before it (after it, for the first field)."""
    for item in items(comment):
        if item.key != key:
            continue
        if comment[item.start - 1] == "|":
            kept = len(comment[: item.start - 1].rstrip())
            return comment[:kept] + comment[item.value_end :]
        after = comment.find("|", item.value_end)
        if after < 0 or after >= _body(comment)[1]:
            return comment[: item.start] + comment[item.value_end :]
        return comment[: item.start] + comment[after + 1 :]
    return comment


def _body(comment: str) -> tuple[int, int]:
    opened = _OPEN.match(comment)
    start = opened.end() if opened else 0
    end = comment.rfind("-->")
    return start, end if end >= start else len(comment)


def _pieces(comment: str) -> list[tuple[int, int]]:
    start, stop = _body(comment)
    pieces: list[tuple[int, int]] = []
    while start <= stop:
        end = comment.find("|", start, stop)
        end = stop if end < 0 else end
        pieces.append((start, end))
        start = end + 1
    return pieces
