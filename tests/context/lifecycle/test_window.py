from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.config.context import Context
from hippocampus_cli.context.lifecycle.consolidate import ContextEntryState, entry_states
from hippocampus_cli.context.lifecycle.session import ContextEntry, ContextSession, pin
from hippocampus_cli.context.lifecycle.window import HEAD, Window, compose, heading, sparse
from hippocampus_cli.markdown.tokens import tokens
from tests.context.lifecycle.strategies import sessions

LONG = "word " * 400


def active(session: ContextSession) -> list[ContextEntryState]:
    return [one for one in entry_states(session, Context()) if one.state == "active"]


def window(session: ContextSession, budget: int, text: str | None = LONG) -> Window:
    return compose(active(session), budget, lambda entry: text)


@given(sessions(), st.integers(0, 3_000), st.none() | st.text(max_size=3_000))
def test_the_budget_is_never_exceeded(
    session: ContextSession, budget: int, text: str | None
) -> None:
    found = window(session, budget, text)
    assert tokens(found.text) == found.tokens <= budget


@given(sessions(), st.integers(0, 3_000))
def test_each_active_entry_is_shown_or_named_as_left_out(
    session: ContextSession, budget: int
) -> None:
    found = window(session, budget)
    shown = [one.id for one in found.shown]
    keys = [one.entry.id for one in active(session)]
    assert sorted([*shown, *found.left_out]) == sorted(keys)
    assert shown == [key for key in keys if key in shown]


@given(sessions())
def test_with_room_for_all_nothing_is_left_out(session: ContextSession) -> None:
    found = window(session, 100_000)
    assert found.left_out == ()
    for one in found.shown:
        entry = session.entries[one.id]
        assert one.form == ("sparse" if entry.indexed else "full")
        assert heading(entry) in found.text


@given(sessions())
def test_the_text_of_an_entry_does_not_depend_on_the_turn(session: ContextSession) -> None:
    now = pin(session, session.entries)
    assert window(now, 100_000).text == window(now._replace(turn=90), 100_000).text


def entry(session: ContextSession) -> ContextEntry:
    return next(iter(session.entries.values()))


@given(sessions(most=1).filter(active))
def test_what_does_not_fit_in_full_stands_as_its_summary(session: ContextSession) -> None:
    whole = entry(session)._replace(indexed=False)
    session = session.with_entries([whole])
    room = tokens(f"{HEAD}\n\n{sparse(whole)}")
    assert window(session, room + 1).shown[0].form == "sparse"  # each part is rounded up
    assert window(session, room - 1).left_out == (whole.id,)
    assert window(session, 1_000).shown[0].form == "full"
    assert window(session, 1_000, None).shown[0].form == "sparse"


def test_an_empty_session_takes_no_tokens() -> None:
    assert window(ContextSession("a", "", ""), 100) == Window("", 0, 100, (), ())


@given(sessions(most=4), st.data())
def test_the_strongest_come_in_first(session: ContextSession, data: st.DataObject) -> None:
    same = [
        one._replace(summary="x" * 40, key_data={}, indexed=True, stale=False, earlier=())
        for one in session.entries.values()
    ]
    found = window(session.with_entries(same), data.draw(st.integers(20, 120)))
    strengths = {one.entry.id: one.strength for one in active(session.with_entries(same))}
    sizes = {one.id: len(sparse(one)) for one in same}
    for key in found.left_out:
        for one in found.shown:
            assert strengths[key] <= one.strength or sizes[key] > sizes[one.id]
