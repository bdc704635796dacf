"""Text as SQLite keeps it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.search.schema import restored, storable


@given(st.text())
def test_any_text_can_be_stored(text: str) -> None:
    kept = storable(text)
    if isinstance(kept, str):
        kept.encode()
    if not any("\ud800" <= char <= "\udfff" for char in text):
        assert restored(kept) == text


def test_invalid_utf8_comes_back() -> None:
    assert restored(storable("caf\udce9")) == "caf\udce9"
