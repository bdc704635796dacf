"""Decay of context entries by turns, and consolidation (CONTEXT §8, §9, §14.2, decision D13). Pure.

Strength follows from the turn of the last access; nothing here stores it or compounds it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal, NamedTuple

from hippocampus_cli.config.context import Context
from hippocampus_cli.context.extract import shown as said
from hippocampus_cli.context.lifecycle.session import (
    ContextEntry,
    ContextSession,
    EntryType,
    Priority,
    advance,
)
from hippocampus_cli.markdown.tokens import tokens
from hippocampus_cli.workspace.note import Note, Section


def turn_retention(turns: int, rate: float, exponent: float = 0.5) -> float:
    """The share of strength that is left ``turns`` after the last access; 1 at and before 0 turns."""
    return math.pow(1.0 + rate * max(0, turns), -exponent)


def base_rate(kind: EntryType, settings: Context) -> float:
    """The default rate of a new entry, per turn (CONTEXT §5.1)."""
    rate: float = getattr(settings, f"{kind}_rate")
    return rate


def priority_factor(priority: Priority, settings: Context) -> float:
    """What multiplies the rate of an entry of this priority (CONTEXT §5.2)."""
    factors = {"critical": 0.0, "high": settings.high_factor, "low": settings.low_factor}
    return factors.get(priority, 1.0)


def effective_rate(entry: ContextEntry, settings: Context, *, associated: bool = False) -> float:
    """The rate with all modifiers of CONTEXT §8.2; ``associated``: with an entry that is strong."""
    rate = entry.decay.rate * priority_factor(entry.modifiers.priority, settings)
    if entry.modifiers.encoding == "manual":
        rate *= settings.manual_factor
    return rate * settings.association_factor if associated else rate


def strength_at(
    entry: ContextEntry, turn: int, settings: Context, *, associated: bool = False
) -> float:
    """The strength of an entry at ``turn``, from its floor to 1."""
    turns = turn - entry.decay.last_access
    rate = effective_rate(entry, settings, associated=associated)
    strength = entry.strength * turn_retention(turns, rate, settings.forgetting)
    return min(1.0, max(entry.decay.floor, strength))


MEMORY = "MEMORY.md"


def memory_text(entry: ContextEntry, text: str | None, most: int) -> str:
    """The words to keep of an entry: its content, or, above ``most`` tokens, its summary and key data."""
    if text is not None and text.strip() and tokens(text) <= most:
        return text.strip()
    return said(entry.summary, entry.key_data)


def section_saying(note: Note, text: str) -> Section | None:
    """The section that holds exactly this text, quoted or not, so that nothing is written down twice."""
    wanted = _folded(text)
    for section in note.sections:
        body = note.text_of(section.start + section.heading_lines, section.end)
        if section.level and _folded(body) == wanted:
            return section
    return None


def _folded(text: str) -> str:
    lines = (line.removeprefix(">").strip() for line in text.splitlines())
    return " ".join(" ".join(lines).split())


_HEADING_TOKENS = 16  # of an entry's first line in the window, about

State = Literal["active", "dormant", "expired"]


class EntryState(NamedTuple):
    """How an entry stands at a turn."""

    entry: ContextEntry
    strength: float
    state: State


class TurnResult(NamedTuple):
    """A session some turns later: how its entries stand, and what became of them on the way.

    ``dormant``, ``expired`` and ``compressed`` are ids of entries that left the window or became sparse now;
    ``tokens`` is what all active entries would take in the window.
    """

    session: ContextSession
    standings: tuple[EntryState, ...]
    dormant: tuple[str, ...]
    expired: tuple[str, ...]
    compressed: tuple[str, ...]
    tokens: int

    @property
    def active(self) -> int:
        """How many entries may stand in the window."""
        return sum(one.state == "active" for one in self.standings)


def entry_states(session: ContextSession, settings: Context) -> tuple[EntryState, ...]:
    """Every entry's strength and state at the session's turn, in order of coming.

    An association slows decay while the other entry is strong by itself, without associations of its own: two
    fading entries cannot hold each other up.
    """
    turn, entries = session.turn, session.entries
    alone = {key: strength_at(entry, turn, settings) for key, entry in entries.items()}
    strong = {key for key, strength in alone.items() if strength >= settings.strong}
    found = []
    for key, entry in entries.items():
        strength = alone[key]
        if not strong.isdisjoint(entry.modifiers.associations):
            strength = strength_at(entry, turn, settings, associated=True)
        found.append(EntryState(entry, strength, _state(entry, strength, turn, settings)))
    return tuple(found)


def consolidate(session: ContextSession, settings: Context, turns: int = 1) -> TurnResult:
    """Light consolidation: the session ``turns`` later, strengths recalculated, the weak dormant.

    Where the active entries fill the window, whole contents give way to their summaries, the weakest first.
    """
    before = {one.entry.id: one.state for one in entry_states(session, settings)}
    later = advance(session, turns)
    standings = entry_states(later, settings)
    later, compressed = _compress(later, standings, settings)
    if compressed:
        standings = tuple(one._replace(entry=later.entries[one.entry.id]) for one in standings)
    gone = [one for one in standings if one.state != before[one.entry.id] == "active"]
    return TurnResult(
        session=later,
        standings=standings,
        dormant=tuple(one.entry.id for one in gone if one.state == "dormant"),
        expired=tuple(one.entry.id for one in gone if one.state == "expired"),
        compressed=compressed,
        tokens=sum(_window_tokens(one.entry) for one in standings if one.state == "active"),
    )


def worth_keeping(standings: Sequence[EntryState], settings: Context) -> list[EntryState]:
    """The entries that a session's end writes to MEMORY.md: marked to persist, and strong (CONTEXT §9.2)."""
    strong = (one for one in standings if one.strength >= settings.persist_strength)
    return [one for one in strong if one.entry.lifecycle.persist]


def _state(entry: ContextEntry, strength: float, turn: int, settings: Context) -> State:
    expires = entry.lifecycle.expires
    if expires is not None and turn >= expires:
        return "expired"
    return "active" if strength >= settings.dormant else "dormant"


def _compress(
    session: ContextSession, standings: Sequence[EntryState], settings: Context
) -> tuple[ContextSession, tuple[str, ...]]:
    """Deep consolidation within a session (CONTEXT §14.3, ``context_threshold``)."""
    active = [one for one in standings if one.state == "active"]
    over = sum(_window_tokens(one.entry) for one in active) - settings.full * settings.window_tokens
    sparse: list[ContextEntry] = []
    for one in sorted(active, key=lambda one: one.strength):
        if over <= 0:
            break
        saved = one.entry.content.tokens - one.entry.summary_tokens
        if not one.entry.indexed and saved > 0:
            sparse.append(one.entry._replace(indexed=True))
            over -= saved
    return session.with_entries(sparse), tuple(entry.id for entry in sparse)


def _window_tokens(entry: ContextEntry) -> int:
    return _HEADING_TOKENS + (entry.summary_tokens if entry.indexed else entry.content.tokens)
