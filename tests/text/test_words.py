from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.text.words import bare, key, keys, words


def test_words_keep_their_spelling_and_compounds_stay_whole() -> None:
    assert words("Nordfjord's on-call rota, node.js") == [
        "Nordfjord's",
        "on-call",
        "rota",
        "node.js",
    ]


def test_addresses_and_machine_notes_are_no_words() -> None:
    text = "see https://example.com/a?b=c or pri@example.com [score=0.86 recalls=6] <br/> done"
    assert words(text) == ["see", "or", "done"]


@given(st.text(st.characters(codec="ascii"), max_size=60))
def test_plain_text_has_the_words_it_has_beside_other_scripts(text: str) -> None:
    assert words(f"{text}\n星野") == [*words(f"{text}\n"), "星野"]


def test_runs_of_han_and_katakana_are_words_and_hiragana_is_not() -> None:
    assert words("星野海苔のパイロットです") == ["星野海苔", "パイロット"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("alarm", "Alarms"),
        ("Nordfjord", "Nordfjord's"),
        ("battery", "batteries"),
        ("MEMORY.md", "memory"),
    ],
)
def test_forms_of_a_word_share_a_key(one: str, other: str) -> None:
    assert key(one) == key(other) != ""


@pytest.mark.parametrize(
    "word",
    ["the", "und", "más", "8th", "4.12", "10.44.0.0", "a1b2c3d4e5f6", "ok", "Tuesday", "x" * 40],
)
def test_words_that_tell_nothing_have_no_key(word: str) -> None:
    assert key(word) == ""


def test_s_at_the_end_of_a_name_stays() -> None:
    assert key("status") == "status"
    assert key("press") == "press"


def test_bare_drops_a_file_ending() -> None:
    assert bare("Heartbeat-State.json") == "heartbeat-state"


@given(st.text(max_size=200))
def test_any_text_gives_keys_that_are_lower_case_and_not_empty(text: str) -> None:
    for found in keys(text):
        assert found and found == found.lower()
