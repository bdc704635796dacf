from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.config.context import Context
from hippocampus_cli.context.lifecycle.consolidate import (
    consolidate,
    effective_rate,
    entry_states,
    strength_at,
    turn_retention,
    worth_keeping,
)
from hippocampus_cli.context.lifecycle.session import (
    ContextEntry,
    ContextPriority,
    ContextSession,
    Encoding,
    EntryDecay,
    Lifecycle,
    Modifiers,
    link,
    pin,
    touch,
)
from tests.context.lifecycle.strategies import entries, plain_entry, sessions

SETTINGS = Context()
ROOMY = Context(window_tokens=1_000_000)


@given(sessions(), st.integers(1, 30))
def test_turns_never_compound(session: ContextSession, turns: int) -> None:
    once = consolidate(session, ROOMY, turns)
    one_by_one = session
    for _ in range(turns):
        one_by_one = consolidate(one_by_one, ROOMY).session
    assert one_by_one == once.session
    assert entry_states(one_by_one, ROOMY) == once.standings


@given(sessions(), st.data())
def test_accesses_of_one_turn_commute(session: ContextSession, data: st.DataObject) -> None:
    keys = data.draw(st.lists(st.sampled_from(sorted(session.entries)))) if session.entries else []
    one_by_one = session
    for key in reversed(keys):
        one_by_one = touch(one_by_one, [key])
    assert touch(session, keys) == one_by_one
    assert touch(one_by_one, keys) == one_by_one


@given(sessions(), st.integers(1, 50), st.data())
def test_an_access_after_a_turn_is_worth_no_less_than_one_before(
    session: ContextSession, turns: int, data: st.DataObject
) -> None:
    keys = data.draw(st.lists(st.sampled_from(sorted(session.entries)))) if session.entries else []
    before = entry_states(consolidate(touch(session, keys), ROOMY, turns).session, ROOMY)
    after = entry_states(touch(consolidate(session, ROOMY, turns).session, keys), ROOMY)
    for one, other in zip(before, after, strict=True):
        assert other.strength >= one.strength


@given(sessions(), st.integers(1, 200))
def test_nothing_is_lost_by_a_turn(session: ContextSession, turns: int) -> None:
    turned = consolidate(session, SETTINGS, turns)
    assert set(turned.session.entries) == set(session.entries)
    states = {one.entry.id: one.state for one in turned.standings}
    for key in turned.dormant:
        assert states[key] == "dormant"
    for key in turned.expired:
        assert states[key] == "expired"
    for key in turned.compressed:
        assert not session.entries[key].indexed and turned.session.entries[key].indexed
    changed = set(turned.compressed)
    for key, entry in session.entries.items():
        assert turned.session.entries[key] == entry._replace(
            indexed=entry.indexed or key in changed
        )


@given(sessions())
def test_every_dormant_entry_can_be_woken(session: ContextSession) -> None:
    for one in entry_states(session, SETTINGS):
        if one.state == "dormant":
            woken = entry_states(touch(session, [one.entry.id]), SETTINGS)
            assert next(two for two in woken if two.entry.id == one.entry.id).state == "active"


def made(
    *, rate: float = 0.15, accessed: int = 0, key: str = "ctx_001", expires: int | None = None
) -> ContextSession:
    entry = plain_entry(key)._replace(
        decay=EntryDecay(rate, 0.0, accessed), lifecycle=Lifecycle(0, expires)
    )
    return ContextSession("a", "", "", entries={key: entry})


def test_below_the_threshold_an_entry_is_dormant_and_said_to_be_so_once() -> None:
    session = made(rate=1.0)  # below 0.1 after 99 turns
    turned = consolidate(session, SETTINGS, 99)
    assert (turned.dormant, turned.active) == ((), 1)
    turned = consolidate(turned.session, SETTINGS)
    assert (turned.dormant, turned.active) == (("ctx_001",), 0)
    assert consolidate(turned.session, SETTINGS).dormant == ()


def test_an_entry_expires_at_its_turn_whatever_its_strength() -> None:
    session = made(rate=0.0, expires=5)
    assert consolidate(session, SETTINGS, 4).active == 1
    turned = consolidate(session, SETTINGS, 5)
    assert turned.expired == ("ctx_001",)
    assert entry_states(touch(turned.session, ["ctx_001"]), SETTINGS)[0].state == "expired"
    assert entry_states(pin(turned.session, ["ctx_001"]), SETTINGS)[0].state == "active"


def test_a_strong_neighbour_slows_decay_and_two_weak_ones_do_not_help_each_other() -> None:
    session = made()
    other = made(key="ctx_002").entries["ctx_002"]
    session = link(session.with_entries([other]), ["ctx_001", "ctx_002"])
    later = consolidate(session, SETTINGS, 10).session
    weak = entry_states(later, SETTINGS)[0].strength
    assert weak == 2.5**-0.5
    helped = entry_states(touch(later, ["ctx_002"]), SETTINGS)[0].strength
    assert helped == (1 + 0.15 * 0.7 * 10) ** -0.5 > weak


def test_a_full_window_is_compressed_the_weakest_first() -> None:
    weak, strong = (
        made(accessed=0).entries["ctx_001"],
        made(accessed=9, key="ctx_002").entries["ctx_002"],
    )
    whole = [
        one._replace(indexed=False, summary_tokens=10, content=one.content._replace(tokens=600))
        for one in (weak, strong)
    ]
    session = ContextSession("a", "", "", turn=9).with_entries(whole)
    turned = consolidate(session, Context(window_tokens=1_000))
    assert turned.compressed == ("ctx_001",)
    assert turned.tokens < 800
    assert consolidate(turned.session, Context(window_tokens=1_000)).compressed == ()


def test_only_what_is_to_persist_and_strong_is_worth_keeping() -> None:
    session = made(rate=1.0)
    assert worth_keeping(entry_states(session, SETTINGS), SETTINGS) == []
    marked = pin(session, ["ctx_001"], "normal", persist=True)
    assert len(worth_keeping(entry_states(marked, SETTINGS), SETTINGS)) == 1
    faded = consolidate(marked, SETTINGS, 4).session
    assert worth_keeping(entry_states(faded, SETTINGS), SETTINGS) == []


@pytest.mark.parametrize(
    ("turns", "share"),
    [(-3, 1.00), (0, 1.00), (5, 0.82), (10, 0.71), (20, 0.58), (50, 0.41), (100, 0.30)],
)
def test_the_example_of_the_specification(turns: int, share: float) -> None:
    """CONTEXT §8.1, at a rate of 0.1."""
    assert turn_retention(turns, 0.1, 0.5) == pytest.approx(share, abs=0.005)


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
    entry: ContextEntry,
    priority: ContextPriority,
    encoding: Encoding,
    associated: bool,
    factor: float,
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
