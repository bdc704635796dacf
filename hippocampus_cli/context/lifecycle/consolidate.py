"""Decay of context entries by turns, and consolidation (CONTEXT §8, §9, §14.2, decision D13). Pure.

Strength follows from the turn of the last access; nothing here stores it or compounds it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal, NamedTuple

from hippocampus_cli.config.context import Context
from hippocampus_cli.context.extract import shown
from hippocampus_cli.context.lifecycle.session import ContextEntry, ContextSession
from hippocampus_cli.markdown.tokens import tokens

MEMORY = "MEMORY.md"
_HEADING_TOKENS = 16  # of an entry's first line in the window, about

State = Literal["active", "dormant", "expired"]


def turn_retention(turns: int, rate: float, exponent: float) -> float:
    """The share of strength that is left ``turns`` after the last access; 1 at and before 0 turns."""
    return math.pow(1.0 + rate * max(0, turns), -exponent)


def effective_rate(entry: ContextEntry, settings: Context, *, associated: bool) -> float:
    """The rate with all modifiers of CONTEXT §5.2 and §8.2; ``associated``: with an entry that is strong."""
    factors = {"critical": 0.0, "high": settings.high_factor, "low": settings.low_factor}
    rate = entry.decay.rate * factors.get(entry.modifiers.priority, 1.0)
    if entry.modifiers.encoding == "manual":
        rate *= settings.manual_factor
    return rate * settings.association_factor if associated else rate


def strength_at(
    entry: ContextEntry, turn: int, settings: Context, *, associated: bool = False
) -> float:
    """The strength of an entry at ``turn``, from its floor to 1."""
    rate = effective_rate(entry, settings, associated=associated)
    left = turn_retention(turn - entry.decay.last_access, rate, settings.forgetting)
    return min(1.0, max(entry.decay.floor, entry.strength * left))


class ContextEntryState(NamedTuple):
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
    standings: tuple[ContextEntryState, ...]
    dormant: tuple[str, ...]
    expired: tuple[str, ...]
    compressed: tuple[str, ...]
    tokens: int

    @property
    def active(self) -> int:
        """How many entries may stand in the window."""
        return sum(standing.state == "active" for standing in self.standings)


def entry_states(session: ContextSession, settings: Context) -> tuple[ContextEntryState, ...]:
    """Every entry's strength and state at the session's turn, in order of coming.

    An association slows decay while the other entry is strong by itself, without associations of its own: two
    fading entries cannot hold each other up.
    """
    turn = session.turn
    alone = {key: strength_at(entry, turn, settings) for key, entry in session.entries.items()}
    strong = {key for key, strength in alone.items() if strength >= settings.strong}
    states = []
    for entry in session.entries.values():
        associated = not strong.isdisjoint(entry.modifiers.associations)
        strength = strength_at(entry, turn, settings, associated=associated)
        expires = entry.lifecycle.expires
        state: State = "active" if strength >= settings.dormant else "dormant"
        if expires is not None and turn >= expires:
            state = "expired"
        states.append(ContextEntryState(entry, strength, state))
    return tuple(states)


def consolidate(session: ContextSession, settings: Context, turns: int = 1) -> TurnResult:
    """Light consolidation: the session ``turns`` later, strengths recalculated, the weak dormant.

    Where the active entries fill the window, whole contents give way to their summaries, the weakest first.
    """
    before = {standing.entry.id: standing.state for standing in entry_states(session, settings)}
    later = session._replace(turn=session.turn + turns)
    sparse = _compressed(entry_states(later, settings), settings)
    later = later.with_entries(sparse)
    standings = entry_states(later, settings)
    left: dict[State, list[str]] = {"dormant": [], "expired": []}
    for entry, _, state in standings:
        if state != before[entry.id] == "active":
            left[state].append(entry.id)
    return TurnResult(
        session=later,
        standings=standings,
        dormant=tuple(left["dormant"]),
        expired=tuple(left["expired"]),
        compressed=tuple(entry.id for entry in sparse),
        tokens=_window_tokens(standings),
    )


def worth_keeping(
    standings: Sequence[ContextEntryState], settings: Context
) -> list[ContextEntryState]:
    """The entries that a session's end writes to MEMORY.md: marked to persist, and strong (CONTEXT §9.2)."""
    strong = (standing for standing in standings if standing.strength >= settings.persist_strength)
    return [standing for standing in strong if standing.entry.lifecycle.persist]


def memory_text(entry: ContextEntry, text: str | None, most: int) -> str:
    """The words to keep of an entry: its content, or, above ``most`` tokens, its summary and key data."""
    if text is not None and text.strip() and tokens(text) <= most:
        return text.strip()
    return shown(entry.summary, entry.key_data)


def _compressed(standings: Sequence[ContextEntryState], settings: Context) -> list[ContextEntry]:
    """Deep consolidation within a session: the entries that become sparse (CONTEXT §14.3, ``context_threshold``)."""
    over = _window_tokens(standings) - settings.full * settings.window_tokens
    sparse: list[ContextEntry] = []
    for entry, _, state in sorted(standings, key=lambda standing: standing.strength):
        saved = entry.content.tokens - entry.summary_tokens
        if over > 0 and state == "active" and not entry.indexed and saved > 0:
            sparse.append(entry._replace(indexed=True))
            over -= saved
    return sparse


def _window_tokens(standings: Sequence[ContextEntryState]) -> int:
    """What the active entries would take in the window."""
    return sum(
        _HEADING_TOKENS + (entry.summary_tokens if entry.indexed else entry.content.tokens)
        for entry, _, state in standings
        if state == "active"
    )
