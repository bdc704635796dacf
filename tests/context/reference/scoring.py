"""The reference's scores: importance with its bonuses and penalties, and decay by position.

Messages are plain objects. ``hippocampus.config.json`` is read as the reference reads it: no value is checked.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from itertools import accumulate
from typing import Any, NamedTuple

from tests.context.reference.javascript import (
    cut,
    length,
    maximum,
    stringify,
    to_number,
    tokens,
)

Settings = dict[str, Any]
_NESTED = ("decayRates", "retentionFloor")


def defaults() -> Settings:
    """The reference's settings."""
    return {
        "decayRates": {
            "decision": 0.03,
            "user_intent": 0.05,
            "context": 0.12,
            "tool_result": 0.20,
            "ephemeral": 0.35,
            "unknown": 0.15,
        },
        "sparseThreshold": 0.25,
        "compressThreshold": 0.65,
        "retentionFloor": {"decision": 0.50, "user_intent": 0.35},
        "maxSparseIndexTokens": 2500,
        "debug": False,
        "logFile": ".pi/hippocampus.log",
    }


def read_settings(text: str | None) -> tuple[Settings, str | None]:
    """The settings of a file's text, and what was wrong with it: then they are the defaults.

    The two maps are merged one level deep, all else replaces the default, ``null`` too.
    """
    made = defaults()
    if text is None:
        return made, None
    try:
        given = json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        return made, str(error)
    if not isinstance(given, dict):
        return made, "it is not an object"
    merged = {**made, **given}
    for key in _NESTED:
        inner = given.get(key)
        merged[key] = {**made[key], **(inner if isinstance(inner, dict) else {})}
    return merged, None


def _refuse(constant: str) -> object:
    raise ValueError(f"{constant} is not JSON")


ROUTINE = ("heartbeat", "/status", "no_reply")
ACKNOWLEDGED = ("no_reply", "ok")
DECISIONS = (
    *("decision", "decided", "will do", "plan", "approach", "strategy"),
    *("решил", "план", "буду", "сделаю", "подход"),
)
IMPORTANCE = {
    "decision": 0.9,
    "user_intent": 0.8,
    "context": 0.5,
    "unknown": 0.4,
    "tool_result": 0.3,
    "ephemeral": 0.1,
}
_PREVIEW = 120
_SHORT = 50


class ReferenceThrows(Exception):
    """The reference throws here; its text is what it says."""


def text_of(message: Any) -> str:
    """The text of a message: other blocks than text are not seen. Raises :class:`ReferenceThrows`."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    texts = [_block_text(block) for block in content]
    return " ".join(text for text in texts if text)


def _block_text(block: object) -> str:
    if block is None:
        raise ReferenceThrows("Cannot read properties of null (reading 'text')")
    text = block.get("text") if isinstance(block, dict) else None
    return text if isinstance(text, str) else ""


def classify(message: Any) -> str:
    """The class of a message, by substrings of its lower-cased text."""
    role = message.get("role")
    text = text_of(message).lower()
    if role in ("tool", "toolResult"):
        return "tool_result"
    if role == "user":
        return "ephemeral" if _any_in(ROUTINE, text) else "user_intent"
    if role == "assistant":
        if length(text) < _SHORT and _any_in(ACKNOWLEDGED, text):
            return "ephemeral"
        return "decision" if _any_in(DECISIONS, text) else "context"
    return "unknown"


def importance_of(kind: str) -> float:
    """The importance of a class before any bonus."""
    return IMPORTANCE.get(kind, IMPORTANCE["unknown"])


def estimate(message: Any) -> int:
    """The tokens of a message; where it has no text, those of its content as JSON."""
    return tokens(text_of(message) or stringify(message.get("content") or ""))


def preview_of(message: Any, units: int = _PREVIEW) -> str:
    """The first 120 units of the text."""
    text = text_of(message)
    return f"{cut(text, units)}…" if length(text) > units else text


def tool_of(message: Any) -> str:
    """The name of the tool, as far as the reference looks."""
    for key in ("toolName", "name", "tool_call_id"):
        if message.get(key):
            return str(message[key])
    content = message.get("content")
    for block in content if isinstance(content, list) else ():
        kind = block.get("type")
        if kind == "tool_use" and block.get("name"):
            return str(block["name"])
        if kind == "tool_result" and block.get("tool_use_id"):
            return str(block["tool_use_id"])
    return "unknown_tool"


def _any_in(words: tuple[str, ...], text: str) -> bool:
    return any(word in text for word in words)


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
    texts = [text_of(message) for message in messages]
    referred = _Referred(texts)
    made: list[Scored] = []
    for index, message in enumerate(messages):
        kind = classify(message)
        size = estimate(message)
        age = len(messages) - 1 - index
        importance = _importance(kind, age, size, age > 0 and referred.later(index))
        retention = retention_of(importance, age, kind, settings)
        role = message.get("role")
        role = role if isinstance(role, str) and role else "unknown"
        made.append(Scored(index, kind, importance, retention, size, role, preview_of(message)))
    return made


def _importance(kind: str, age: int, size: int, referred: bool) -> float:
    importance = importance_of(kind)
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
