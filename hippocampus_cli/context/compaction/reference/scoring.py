"""The reference's scores: importance with its bonuses and penalties, and decay by position."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import accumulate
from typing import Any, NamedTuple

from hippocampus_cli.context.compaction.reference import messages as seen
from hippocampus_cli.context.compaction.reference.javascript import cut, maximum, to_number
from hippocampus_cli.context.compaction.reference.settings import Settings

_RECENT, _RECENCY = 5, 0.15
_PENALTIES = ((10_000, 0.15), (30_000, 0.1))
_LEAST = 0.1
_REFERENCE, _REFERRED = 0.2, 30  # units that must occur again
_BETWEEN = "\udfff\ud800"


class Scored(NamedTuple):
    """A message with its scores. ``at`` is its place, 0 the oldest."""

    at: int
    type: str
    importance: float
    retention: float
    tokens: int
    role: str
    preview: str


def retention_of(importance: float, age: int, kind: str, settings: Settings) -> float:
    """What is left of an importance after ``age`` messages, not less than the floor of its class."""
    rate = _rate(settings, kind)
    floor = to_number(settings["retentionFloor"].get(kind) or 0)
    return maximum(floor, decay(age, rate, importance))


def decay(age: float, rate: float, importance: float = 1.0) -> float:
    """The bare curve; a rate below 0 grows."""
    try:
        return importance * math.exp(-rate * age)
    except OverflowError:
        return math.inf


def score(messages: Sequence[Any], settings: Settings) -> list[Scored]:
    """The scores of all messages. Raises :class:`ReferenceThrows` where the reference throws."""
    texts = [seen.text_of(message) for message in messages]
    referred = _Referred(texts)
    made: list[Scored] = []
    for index, message in enumerate(messages):
        kind = seen.classify(message)
        size = seen.estimate(message)
        age = len(messages) - 1 - index
        importance = _importance(kind, age, size, age > 0 and referred.later(index))
        retention = retention_of(importance, age, kind, settings)
        role = message.get("role")
        role = role if isinstance(role, str) and role else "unknown"
        made.append(
            Scored(index, kind, importance, retention, size, role, seen.preview_of(message))
        )
    return made


def _importance(kind: str, age: int, size: int, referred: bool) -> float:
    importance = seen.importance_of(kind)
    if age < _RECENT:
        importance = min(1.0, importance + _RECENCY)
    for limit, penalty in _PENALTIES:
        if size > limit:
            importance = max(_LEAST, importance - penalty)
    return min(1.0, importance + _REFERENCE) if referred else importance


class _Referred:
    """Whether the beginning of a text occurs in a later one: all texts are searched as one."""

    def __init__(self, texts: list[str]) -> None:
        self._texts = texts
        self._joined = _BETWEEN.join(texts)
        ends = accumulate(len(text) + len(_BETWEEN) for text in texts)
        self._starts = list(ends)

    def later(self, index: int) -> bool:
        needle = cut(self._texts[index], _REFERRED)
        # Half a character at the end of the needle, or one that stands between the texts.
        if any("\ud800" <= char <= "\udfff" for char in needle):
            return self._slowly(needle, index)
        return self._joined.find(needle, self._starts[index]) >= 0

    def _slowly(self, needle: str, index: int) -> bool:
        wanted = needle.encode("utf-16-le", "surrogatepass")
        return any(
            _holds(text.encode("utf-16-le", "surrogatepass"), wanted)
            for text in self._texts[index + 1 :]
        )


def _holds(text: bytes, wanted: bytes) -> bool:
    at = text.find(wanted)
    while at % 2 and at >= 0:
        at = text.find(wanted, at + 1)
    return at >= 0


def _rate(settings: Settings, kind: str) -> float:
    rates = settings["decayRates"]
    return to_number(rates[kind]) if kind in rates else math.nan
