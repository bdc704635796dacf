from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.config.context import Context
from hippocampus_cli.context.lifecycle.consolidate import (
    base_rate,
    effective_rate,
    strength_at,
    turn_retention,
)
from hippocampus_cli.context.lifecycle.session import (
    ContextEntry,
    Encoding,
    EntryType,
    Modifiers,
    Priority,
)
from tests.context.lifecycle.strategies import entries

SETTINGS = Context()


@pytest.mark.parametrize(
    ("turns", "share"), [(0, 1.00), (5, 0.82), (10, 0.71), (20, 0.58), (50, 0.41), (100, 0.30)]
)
def test_the_example_of_the_specification(turns: int, share: float) -> None:
    """CONTEXT §8.1, at a rate of 0.1."""
    assert turn_retention(turns, 0.1) == pytest.approx(share, abs=0.005)


def test_before_the_access_nothing_has_faded() -> None:
    assert turn_retention(-3, 0.1) == 1


@pytest.mark.parametrize(
    ("kind", "rate"), [("tool_result", 0.15), ("message", 0.08), ("state", 0.03), ("memory", 0.01)]
)
def test_the_rates_of_the_types(kind: EntryType, rate: float) -> None:
    """CONTEXT §5.1 (decision D13)."""
    assert base_rate(kind, SETTINGS) == rate


@pytest.mark.parametrize(
    ("priority", "encoding", "associated", "factor"),
    [
        ("critical", "auto", False, 0),
        ("high", "auto", False, 0.3),
        ("normal", "auto", False, 1),
        ("low", "auto", False, 2),
        ("normal", "manual", False, 0.5),
        ("normal", "auto", True, 0.7),
        ("high", "manual", True, 0.3 * 0.5 * 0.7),
    ],
)
@given(entry=entries())
def test_modifiers_multiply_the_rate(
    entry: ContextEntry, priority: Priority, encoding: Encoding, associated: bool, factor: float
) -> None:
    entry = entry._replace(modifiers=Modifiers(priority, encoding))
    rate = effective_rate(entry, SETTINGS, associated=associated)
    assert rate == pytest.approx(entry.decay.rate * factor)


@given(entries(), st.integers(0, 500), st.integers(0, 500), st.booleans())
def test_strength_never_grows_by_itself_and_keeps_to_its_bounds(
    entry: ContextEntry, turn: int, later: int, associated: bool
) -> None:
    now = strength_at(entry, turn, SETTINGS, associated=associated)
    then = strength_at(entry, turn + later, SETTINGS, associated=associated)
    assert entry.decay.floor <= then <= now <= max(entry.strength, entry.decay.floor)


@given(entries(), st.integers(40, 500), st.integers(0, 500))
def test_an_access_leaves_no_entry_weaker_at_any_later_turn(
    entry: ContextEntry, turn: int, later: int
) -> None:
    touched = strength_at(entry.accessed(turn), turn + later, SETTINGS)
    assert touched >= strength_at(entry, turn + later, SETTINGS)


@given(entries(), st.integers(0, 10_000))
def test_what_is_critical_does_not_fade(entry: ContextEntry, turn: int) -> None:
    entry = entry._replace(modifiers=Modifiers("critical"))
    assert strength_at(entry, turn, SETTINGS) == max(entry.strength, entry.decay.floor)
