"""Summary and key data without a model, cut to a budget; a module for each kind of content (CONTEXT §6.2). Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from hippocampus_cli.context.lifecycle.window import said
from hippocampus_cli.markdown.tokens import beginning, tokens, weight
from hippocampus_cli.text.plain_text import clean, shorten

_LONGEST_VALUE = 160  # characters of one value
_LEAST_SUMMARY = 30  # tokens
_SUMMARY_SHARE = 0.6

Value = str | list[str] | dict[str, str]


class Extract(NamedTuple):
    """What stands for some content: lines of summary, and key data, the most telling first."""

    kind: str
    summary: str
    key_data: Mapping[str, Value] = {}


def extracted(kind: str, lines: Iterable[str], **key_data: Value | None) -> Extract:
    """The extract of the lines and the key data that are not empty."""
    given = {name: value for name, value in key_data.items() if value}
    return Extract(kind, "\n".join(filter(None, lines)), given)


def fit(extract: Extract, budget: int) -> Extract:
    """The extract cut to ``budget`` tokens, summary and key data together; the last values go first."""
    if _size(extract.summary, extract.key_data) <= budget:
        return extract
    room = max(_LEAST_SUMMARY, budget * _SUMMARY_SHARE)
    summary = _cut_lines(extract.summary, min(room, budget))
    kept: dict[str, Value] = {}
    for name, value in extract.key_data.items():
        fitting = _fitting(summary, kept, name, value, budget)
        if fitting:
            kept[name] = fitting
    return Extract(extract.kind, summary, kept)


def short(value: object, limit: int = _LONGEST_VALUE) -> str:
    """``value`` on one line without control characters, cut to ``limit`` characters."""
    return shorten(clean(str(value)[: limit * 4]), limit)


def counted(number: int, noun: str) -> str:
    """``1 file``, ``1,200 files``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _size(summary: str, data: Mapping[str, Value]) -> int:
    return tokens(said(summary, data))


def _cut_lines(text: str, room: float) -> str:
    """As many whole lines as fit into so many tokens, at least the beginning of the first."""
    kept: list[str] = []
    for line in text.split("\n"):
        fits = weight(line) <= room
        if kept and not fits:
            break
        kept.append(line if fits else shorten(line, max(1, beginning(line, room - 1))))
        room -= weight(f"{kept[-1]}\n")
    return "\n".join(kept)


def _fitting(
    summary: str, kept: Mapping[str, Value], name: str, value: Value, budget: int
) -> Value | None:
    """As much of one value as fits beside those that are kept already, by halving its length."""
    low, high = 0, 1 if isinstance(value, str) else len(value)
    while low < high:
        middle = (low + high + 1) // 2
        fits = _size(summary, {**kept, name: _first(value, middle)}) <= budget
        low, high = (middle, high) if fits else (low, middle - 1)
    return _first(value, low) if low else None


def _first(value: Value, count: int) -> Value:
    if isinstance(value, dict):
        return dict(list(value.items())[:count])
    return value if isinstance(value, str) else value[:count]
