"""What a person typed, as a query."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.search.query_parser import Query, parse
from hippocampus_cli.text.tokenizer import Term

TODAY = date(2026, 5, 13)


def words(text: str) -> list[str]:
    return [term.stem for term in parse(text, TODAY).terms]


def test_stop_words_are_left_out() -> None:
    assert words("what is the deploy command") == ["deploy", "command"]


def test_stop_words_are_all_there_is() -> None:
    assert words("who are the who") == ["who", "are", "the"]


def test_words_that_only_ask_are_left_out_in_other_languages_too() -> None:
    assert words("Wie starte ich die Kasse neu?") == ["start", "kass", "neu"]
    assert words("卡纸的时候怎么办？") == words("卡纸")
    assert words("怎么办")  # all there is
    assert words("why did the server die") == ["server", "die"]


def test_only_a_date() -> None:
    query = parse("what did we do yesterday", TODAY)
    assert query.stems == query.dated == {"yesterday"}  # which need not stand in a note
    assert query.days == ((date(2026, 5, 12), date(2026, 5, 12)),)


def test_a_compound_keeps_its_parts() -> None:
    assert parse("node.js", TODAY).terms == (Term("nodej", ("node", "js")),)


def test_pairs_of_characters_are_terms_of_their_own() -> None:
    assert words("東京都") == ["東京", "京都"]


@pytest.mark.parametrize("quoted", ['"deploying commands"', "“deploying commands”"])
def test_quotation_marks_make_a_phrase(quoted: str) -> None:
    query = parse(f"{quoted} now", TODAY)
    assert query.phrases == (("deploy", "command"),)
    assert query.stems == {"deploy", "command"}


@pytest.mark.parametrize("text", ['"open', '""', '"" " "', '" ! "', '"'])
def test_a_phrase_of_nothing_is_none(text: str) -> None:
    assert parse(text, TODAY).phrases == ()


@pytest.mark.parametrize("text", ["", "  ", "?!", "***", "\x00\x1b[31m", "\udcff", "-"])
def test_a_query_of_nothing_is_empty(text: str) -> None:
    query = parse(text, TODAY)
    assert (query.phrases, query.days) == ((), ())
    assert not [term for term in query.terms if len(term.stem) > 3]


def test_an_endless_query_is_bounded() -> None:
    text = " ".join(f'word{number} "quoted{number} text"' for number in range(5_000))
    query = parse(text, TODAY)
    assert len(query.terms) < 1_000
    assert len(query.phrases) <= 16


@given(st.text(), st.dates())
def test_any_text_is_a_query(text: str, today: date) -> None:
    query = parse(text, today)
    assert isinstance(query, Query)
    assert query.text == text
    assert len(query.stems) == len(query.terms)
