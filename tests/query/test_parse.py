"""What a person typed, as a query."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.query.request import Query, parse

TODAY = date(2026, 5, 13)


def words(text: str) -> list[str]:
    return list(parse(text, TODAY).words)


def test_words_that_tell_nothing_are_left_out() -> None:
    assert words("what is the deploy command") == ["deploy", "command"]
    assert words("Wie starte ich die Kasse neu?") == ["starte", "Kasse", "neu"]
    assert words("卡纸的时候怎么办？")[0] == "卡纸"


@pytest.mark.parametrize("text", ["who are the who", "怎么"])
def test_they_are_asked_for_where_they_are_all_there_is(text: str) -> None:
    query = parse(text, TODAY)
    assert query.words
    assert not query.telling
    assert query.vague and not query.readings


def test_the_words_of_a_date_need_not_stand_in_a_note() -> None:
    query = parse("what did we do yesterday", TODAY)
    assert query.dated == {"yesterday"}
    assert query.telling == ()
    assert query.days == ((date(2026, 5, 12), date(2026, 5, 12)),)
    assert query.readings


@pytest.mark.parametrize("text", ["", "  ", "?!", "***", "\x00\x1b[31m", "\udcff", "-"])
def test_a_query_of_nothing_tells_nothing(text: str) -> None:
    assert not parse(text, TODAY).days
    assert not [word for word in words(text) if len(word) > 3]


def test_an_endless_query_is_bounded() -> None:
    assert len(words(" ".join(f"word{number}" for number in range(50_000)))) <= 40


@given(st.text(), st.dates())
def test_any_text_is_a_query(text: str, today: date) -> None:
    query = parse(text, today)
    assert isinstance(query, Query)
    assert query.text == text
