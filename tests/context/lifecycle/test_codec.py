from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.context.lifecycle.codec import (
    entry_document,
    read_session,
    write_session,
)
from hippocampus_cli.context.lifecycle.session import ContextEntry, ContextSession
from tests.context.lifecycle.strategies import entries, sessions


@given(sessions())
def test_a_session_is_read_back_as_it_was_written(session: ContextSession) -> None:
    assert read_session(write_session(session)) == session


@given(entries())
def test_an_entry_has_every_field_of_the_specification(entry: ContextEntry) -> None:
    document = entry_document(entry)
    assert {"id", "type", "source", "summary", "key_data", "strength"} <= set(document)
    for part, keys in {
        "source": {"type", "ref", "turn", "retrievable"},
        "decay": {"rate", "floor", "last_access"},
        "modifiers": {"priority", "encoding", "associations"},
        "lifecycle": {"created", "expires", "persist"},
    }.items():
        assert set(document[part]) == keys  # type: ignore[call-overload]


@given(st.binary(max_size=60))
def test_other_bytes_are_no_session(data: bytes) -> None:
    with pytest.raises((ValueError, RecursionError)):
        read_session(data)


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
