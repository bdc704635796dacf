from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.context.lifecycle.session import ContextSession, link, pin, touch
from hippocampus_cli.errors import ContextEntryNotFound
from tests.context.lifecycle.strategies import sessions


def associations(session: ContextSession) -> set[tuple[str, str]]:
    return {
        (key, other)
        for key, entry in session.entries.items()
        for other in entry.modifiers.associations
    }


@given(sessions(), st.data())
def test_a_link_goes_both_ways(session: ContextSession, data: st.DataObject) -> None:
    if len(session.entries) < 2:
        return
    pair = data.draw(
        st.lists(st.sampled_from(sorted(session.entries)), min_size=2, max_size=2, unique=True)
    )
    linked = link(session, pair)
    both = {(pair[0], pair[1]), (pair[1], pair[0])}
    assert associations(linked) == associations(session) | both
    assert link(linked, pair) == linked
    assert all(key != other for key, other in associations(linked))


@given(sessions())
def test_an_unknown_id_changes_nothing(session: ContextSession) -> None:
    for change in (touch, link, pin):
        with pytest.raises(ContextEntryNotFound):
            change(session, [*session.entries, "ctx_999"])


@given(sessions())
def test_a_pin_keeps_for_good_and_is_undone_by_a_priority(session: ContextSession) -> None:
    pinned = pin(session, session.entries, persist=True)
    for entry in pinned.entries.values():
        assert entry.modifiers.priority == "critical"
        assert entry.lifecycle.expires is None
        assert entry.lifecycle.persist
    again = pin(pinned, session.entries, "low")
    assert {entry.modifiers.priority for entry in again.entries.values()} <= {"low"}
    assert all(entry.lifecycle.persist for entry in again.entries.values())


@given(sessions())
def test_ids_are_counted_up(session: ContextSession) -> None:
    assert session.next_id not in session.entries
