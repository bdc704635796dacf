from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.context.lifecycle.codec import read_session, write_session
from hippocampus_cli.context.lifecycle.session import ContextEntry, ContextSession, link, pin, touch
from hippocampus_cli.errors import ContextEntryNotFound
from tests.context.lifecycle.strategies import entries, sessions


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
def test_a_session_is_read_back_as_it_was_written(session: ContextSession) -> None:
    assert read_session(write_session(session)) == session


@given(entries())
def test_an_entry_has_every_field_of_the_specification(entry: ContextEntry) -> None:
    session = ContextSession("a", "", "", entries={entry.id: entry})
    (document,) = json.loads(write_session(session))["entries"]
    assert {"id", "type", "source", "summary", "key_data", "strength"} <= set(document)
    for part, keys in {
        "source": {"type", "ref", "turn", "retrievable"},
        "decay": {"rate", "floor", "last_access"},
        "modifiers": {"priority", "encoding", "associations"},
        "lifecycle": {"created", "expires", "persist"},
    }.items():
        assert set(document[part]) == keys  # type: ignore[call-overload]


@given(sessions(most=2), st.data())
def test_a_session_with_one_value_spoilt_is_refused_or_read(
    session: ContextSession, data: st.DataObject
) -> None:
    """No other error than the one that says what is wrong."""
    document = json.loads(write_session(session))
    place = document
    while isinstance(place, (dict, list)) and place:
        keys = sorted(place) if isinstance(place, dict) else range(len(place))
        key = data.draw(st.sampled_from(keys))
        if not isinstance(place[key], (dict, list)) or data.draw(st.booleans()):
            place[key] = data.draw(
                st.none() | st.booleans() | st.just(-1) | st.just("x") | st.just([])
            )
            break
        place = place[key]
    try:
        read_session(json.dumps(document).encode())
    except (ValueError, RecursionError) as error:
        assert str(error)


def test_deep_nesting_is_refused() -> None:
    with pytest.raises((ValueError, RecursionError)):
        read_session(b"[" * 200_000)
