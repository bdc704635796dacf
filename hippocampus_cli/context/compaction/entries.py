"""The messages of a session scored: importance, its decay, and when they were last used (COMPACT, D13)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from hippocampus_cli.config.compaction import Compaction
from hippocampus_cli.context.compaction.classify import EntryType, classifier
from hippocampus_cli.context.compaction.uses import Use, Uses
from hippocampus_cli.context.transcripts import Message, Session

_LEAST = 0.1  # importance after all penalties


class Entry(NamedTuple):
    """A message, or a line of an earlier summary, as it is scored.

    ``at`` is its place, 0 for the oldest message; what an earlier summary tells stands before, at -1, -2, ...
    ``age`` counts messages since its last use. ``calls`` are its tool calls, ``call`` is the one it answers;
    a ``silent`` entry says nothing beside its calls.
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


class Scored(NamedTuple):
    """All entries, oldest first, the last use of each place, and what was named how often."""

    entries: tuple[Entry, ...]
    used: Mapping[int, Use]
    uses: Uses


def retention_of(importance: float, age: float, kind: EntryType, settings: Compaction) -> float:
    """``max(floor, importance × e^(-rate × age))``: what is left after ``age`` messages."""
    rate: float = getattr(settings, f"rate_{kind}")
    floor: float = getattr(settings, f"floor_{kind}")
    return max(floor, importance * math.exp(-rate * age))


def score(session: Session, earlier: Sequence[Message], settings: Compaction) -> Scored:
    """The entries of a session, each message read once, newest first.

    ``earlier`` is what an earlier summary tells, newest first: it is not scored here, but can be used.
    """
    classify, uses = classifier(settings), Uses()
    count = len(session)
    raw: list[Entry] = []
    for at in reversed(range(count)):
        message = session.message(at)
        uses.add(at, message)
        raw.append(_seen(at, message, classify.type_of(message)))
    for before, message in enumerate(earlier, 1):
        uses.add(-before, message)
    used = uses.found()
    scored = (_scored(one, used.get(one.at), count, settings) for one in reversed(raw))
    return Scored(tuple(scored), used, uses)


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
    )


def _scored(entry: Entry, use: Use | None, count: int, settings: Compaction) -> Entry:
    age = count - 1 - entry.at
    importance: float = getattr(settings, f"importance_{entry.type}")
    if age < settings.recent:
        importance = min(1.0, importance + settings.recency_bonus)
    for limit, penalty in (
        (settings.large_tokens, settings.large_penalty),
        (settings.huge_tokens, settings.huge_penalty),
    ):
        if entry.tokens > limit:
            importance = max(_LEAST, importance - penalty)
    if use:
        importance = min(1.0, importance + settings.use_bonus)
        age = count - 1 - use.at
    return entry._replace(
        importance=importance,
        age=age,
        use=use,
        retention=retention_of(importance, age, entry.type, settings),
    )
