"""The decay of context entries, per turn (CONTEXT §8 and §14.2, decision D13). Nothing here stores or compounds."""

from __future__ import annotations

import math

from hippocampus_cli.config.context import Context
from hippocampus_cli.context.lifecycle.entry import ContextEntry, EntryType, Priority


def turn_retention(turns: int, rate: float, exponent: float = 0.5) -> float:
    """The share of strength that is left ``turns`` after the last access; 1 at and before 0 turns."""
    return math.pow(1.0 + rate * max(0, turns), -exponent)


def base_rate(kind: EntryType, settings: Context) -> float:
    """The default rate of a new entry, per turn (CONTEXT §5.1)."""
    return {
        "tool_result": settings.tool_result_rate,
        "message": settings.message_rate,
        "state": settings.state_rate,
        "memory": settings.memory_rate,
    }[kind]


def priority_factor(priority: Priority, settings: Context) -> float:
    """What multiplies the rate of an entry of this priority (CONTEXT §5.2)."""
    if priority == "normal":
        return 1.0
    if priority == "critical":
        return 0.0
    return settings.high_factor if priority == "high" else settings.low_factor


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
