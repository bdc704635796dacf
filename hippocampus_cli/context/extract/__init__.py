"""Summary and key data without a model, cut to a budget; a module for each kind of content (CONTEXT §6.2). Pure."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import takewhile
from typing import NamedTuple

from hippocampus_cli.context.budget import Budget
from hippocampus_cli.markdown.tokens import beginning, tokens, weight
from hippocampus_cli.text.plain_text import clean, shorten

_LONGEST_VALUE = 160  # characters of one value
_LEAST_SUMMARY = 30  # tokens
_SUMMARY_SHARE = 0.6
_LISTED = ", "

Value = str | list[str] | dict[str, str]


class Extract(NamedTuple):
    """What stands for some content: lines of summary, and key data, the most telling first."""

    kind: str
    summary: str
    key_data: Mapping[str, Value] = {}


def filled(key_data: Mapping[str, Value | None]) -> dict[str, Value]:
    """The key data that are not empty."""
    return {name: value for name, value in key_data.items() if value}


def shown(summary: str, key_data: Mapping[str, object]) -> str:
    """Summary and key data as they stand in a window, a line each: ``name: value, value``, ``name: key=value``."""
    lines = (f"{one_line(name)}: {_LISTED.join(_items(value))}" for name, value in key_data.items())
    return "\n".join(line for line in (summary, *lines) if line)


def fit(extract: Extract, budget: int) -> Extract:
    """The extract cut to ``budget`` tokens, summary and key data together; the last values go first."""
    if tokens(shown(extract.summary, extract.key_data)) <= budget:
        return extract
    summary = _cut_lines(extract.summary, min(max(_LEAST_SUMMARY, budget * _SUMMARY_SHARE), budget))
    room = Budget(budget - weight(summary))
    kept: dict[str, Value] = {}
    for name, value in extract.key_data.items():
        room.left -= weight(f"\n{one_line(name)}: ")
        fitting = takewhile(lambda item: room.spend(weight(item + _LISTED)), _items(value))
        if count := sum(1 for _ in fitting):
            kept[name] = _first(value, count)
    return Extract(extract.kind, summary, kept)


def short(value: object, limit: int = _LONGEST_VALUE) -> str:
    """``value`` on one line without control characters, cut to ``limit`` characters."""
    return shorten(clean(str(value)[: limit * 4]), limit)


def one_line(value: object) -> str:
    """``value`` on one line."""
    return " ".join(str(value).split())


def counted(number: int, noun: str) -> str:
    """``1 file``, ``1,200 files``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _items(value: object) -> list[str]:
    """The values of key data, each as it stands in a window."""
    if isinstance(value, Mapping):
        return [f"{one_line(key)}={one_line(inner)}" for key, inner in value.items()]
    return list(map(one_line, value if isinstance(value, (list, tuple)) else [value]))


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


def _first(value: Value, count: int) -> Value:
    if isinstance(value, dict):
        return dict(list(value.items())[:count])
    return value if isinstance(value, str) else value[:count]
