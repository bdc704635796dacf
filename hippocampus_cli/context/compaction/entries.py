"""The messages of a session scored: importance, its decay, and when they were last used (COMPACT, D13)."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from hippocampus_cli.config.compaction import Compaction
from hippocampus_cli.context.compaction.classify import TYPES, EntryType, classifier
from hippocampus_cli.context.compaction.uses import Use, Uses
from hippocampus_cli.context.transcripts import Message, Session

_LEAST = 0.1  # importance after all penalties
_DAY = re.compile(r"\d{4}-\d\d-\d\d")


class Entry(NamedTuple):
    """A message, or a line of an earlier summary, as it is scored.

    ``at`` is its place, 0 for the oldest message; what an earlier summary tells stands before, at -1, -2, ...
    ``age`` counts messages since its last use. ``calls`` are its tool calls, ``call`` is the one it answers;
    a ``silent`` entry says nothing beside its calls; ``day`` is that of its message, as a date, where that has one.
    """

    at: int
    id: str
    line: int
    role: str
    type: EntryType
    tool: str
    tokens: int
    importance: float
    retention: float
    age: int
    use: Use | None = None
    calls: tuple[str, ...] = ()
    call: str = ""
    silent: bool = False
    day: str = ""


class Scored(NamedTuple):
    """All entries, oldest first, the last use of each place, and what was named how often."""

    entries: tuple[Entry, ...]
    used: Mapping[int, Use]
    uses: Uses


class Rates(NamedTuple):
    """How a type of entry fades."""

    importance: float
    rate: float
    floor: float

    @classmethod
    def of(cls, kind: EntryType, settings: Compaction) -> Rates:
        """Those of the settings."""
        names = (f"importance_{kind}", f"rate_{kind}", f"floor_{kind}")
        return cls(*(getattr(settings, name) for name in names))

    def retention(self, importance: float, age: float) -> float:
        """``max(floor, importance × e^(-rate × age))``: what is left after ``age`` messages."""
        return max(self.floor, importance * math.exp(-self.rate * age))


def score(session: Session, earlier: Sequence[Message], settings: Compaction) -> Scored:
    """The entries of a session, each message read once, newest first.

    ``earlier`` is what an earlier summary tells, newest first: it is not scored here, but can be used.
    """
    count = len(session)
    classify, uses = classifier(settings), Uses(count - 1, _horizon(settings))
    raw: list[Entry] = []
    for at in reversed(range(count)):
        message = session.message(at)
        uses.add(at, message)
        raw.append(_seen(at, message, classify.type_of(message)))
    for before, message in enumerate(earlier, 1):
        uses.add(-before, message)
    used = uses.found()
    rates = {kind: Rates.of(kind, settings) for kind in TYPES}
    scored = (
        _scored(one, used.get(one.at), count, rates[one.type], settings) for one in reversed(raw)
    )
    return Scored(tuple(scored), used, uses)


def _horizon(settings: Compaction) -> float:
    """After how many messages the most lasting of all falls below the sparse threshold."""
    slowest = min(Rates.of(kind, settings).rate for kind in TYPES)
    if not slowest or not settings.sparse_threshold:
        return math.inf
    return math.log(1 / settings.sparse_threshold) / slowest


def _seen(at: int, message: Message, kind: EntryType) -> Entry:
    calls = tuple(part.call for part in message.calls)
    silent = not message.text.strip() and not any(part.kind == "image" for part in message.parts)
    if silent and message.thinking.strip():  # a thought beside a call is its reason, no more
        silent = bool(calls) and kind != "decision"
    return Entry(
        at,
        message.id,
        message.line,
        message.role,
        kind,
        message.tool,
        message.tokens,
        0.0,
        0.0,
        0,
        calls=calls,
        call=message.call,
        silent=silent,
        day=day[0] if (day := _DAY.match(message.timestamp or "")) else "",
    )


def _scored(entry: Entry, use: Use | None, count: int, rates: Rates, settings: Compaction) -> Entry:
    age = count - 1 - entry.at
    importance = rates.importance
    if age < settings.recent:
        importance = min(1.0, importance + settings.recency_bonus)
    if entry.tokens > settings.large_tokens:
        importance = max(_LEAST, importance - settings.large_penalty)
    if entry.tokens > settings.huge_tokens:
        importance = max(_LEAST, importance - settings.huge_penalty)
    if use:
        importance = min(1.0, importance + settings.use_bonus)
        age = count - 1 - use.at
    retention = rates.retention(importance, age)
    return entry._replace(importance=importance, age=age, use=use, retention=retention)
