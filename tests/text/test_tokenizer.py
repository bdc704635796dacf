"""Stems: what meets what."""

from __future__ import annotations

import re
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.text import tokenizer
from hippocampus_cli.text.tokenizer import (
    MONTHS,
    day_stems,
    forms,
    is_stop,
    stem_text,
    stems,
    words_of,
)


@pytest.mark.parametrize(
    ("written", "asked"),
    [
        ("we deployed it", "deploying"),
        ("node.js", "nodejs"),
        ("node.js", "node"),
        ("foo_bar", "fooBar"),
        ("foo-bar", "foo_bar"),
        ("the GitHub page", "github"),
        ("projects/acme.ai/PROJECT.md", "acme"),
        ("https://example.org/deep/path", "path"),
        ("bob@example.com", "bob"),
        ("v2.1", "2.1"),
        ("python3.11", "python 3.11"),
        ("10 ms", "10ms"),
        ("5GB", "5 gb"),
        ("C++ and C#", "c#"),
        ("Caroline's cat", "Caroline"),
        ("Caroline’s cat", "caroline"),
        ("I don’t know", "don't"),
        ("a café", "CAFE"),
        ("cafe\u0301", "café"),
        ("ﬁle", "file"),
        ("Straße", "STRASSE"),
        ("東京タワーに行った", "東京タワー"),
        ("한국어로", "한국어"),
        ("हिन्दी में", "हिन्दी"),
        ("Москва", "москва"),
        ("the 12th", "12"),
        ("e-mail", "email"),
    ],
)
def test_what_is_asked_meets_what_is_written(written: str, asked: str) -> None:
    whole, *parts = forms(words_of(asked)[0])
    assert whole in stems(written) or (parts and set(parts) <= set(stems(written)))


@pytest.mark.parametrize(
    "written",
    [
        *("2026-03-12", "12 March 2026", "March 12th, 2026", "Mar 12 2026", "2026-03-12T10:00"),
        *("the 12th of March 2026", "2026-03-12-standup", "2026-03-12_NOTES"),
    ],
)
def test_a_date_gives_its_tokens_however_it_is_written(written: str) -> None:
    assert set(day_stems(date(2026, 3, 12))) <= set(stems(written))


def test_a_date_without_a_year_meets_the_day_of_any_year() -> None:
    assert day_stems(date(2025, 3, 12))[2] in stems("on 12 March we met")
    assert "2026-03" in stems("back in March 2026")


@pytest.mark.parametrize("text", ["I may go", "march on", "99 May", "2026-13-45", "2026-02-31"])
def test_what_is_no_date_gives_no_date(text: str) -> None:
    assert not [stem for stem in stems(text) if re.fullmatch(r"\d\d-\d\d|\d{4}-\d\d-\d\d", stem)]


def test_two_units_do_not_share_a_date() -> None:
    assert stems("12\nMarch") == stems("12 March")  # one text is one unit; lines are joined


@given(st.text())
def test_stems_are_clean_whatever_the_text(text: str) -> None:
    for stem in stems(text):
        assert re.fullmatch(r"[^\W_]|[\w.+#\-\u0300-\U0010ffff]+", stem), stem
        assert not set(stem) & set(" \t\n\"'*():^\x01\0")
        stem.encode()


@given(st.text(), st.text())
def test_stems_of_a_text_are_those_of_its_lines_but_for_dates(first: str, second: str) -> None:
    both = f"{first}\n{second}"
    if not set(re.findall(r"\w+", both.lower())) & set(MONTHS):
        assert stems(both) == stems(first) + stems(second)


@given(st.text())
def test_the_joined_form_has_single_spaces(text: str) -> None:
    assert stem_text(text) == " ".join(stems(text))


def test_a_line_of_one_endless_compound_is_cut() -> None:
    endless = "a-" * 50_000
    assert len(stems(endless)) < 100
    assert max(map(len, stems("x" * 100_000))) <= 64


def test_invalid_bytes_are_no_part_of_a_stem() -> None:
    assert stems("caf\udce9 caf\udce9bar") == ["caf", "caf", "bar"]


@pytest.mark.parametrize("word", ["the", "what", "does", "having", "I"])
def test_stop_words_are_known_by_their_stems(word: str) -> None:
    assert all(map(is_stop, stems(word)))


@pytest.mark.parametrize("word", ["deploy", "42", "c++", "東"])
def test_words_that_say_something_are_no_stop_words(word: str) -> None:
    assert not any(map(is_stop, stems(word)))


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=60))
def test_the_short_way_finds_the_same_words(text: str) -> None:
    from hippocampus_cli.text import tokenizer

    assert (
        words_of(text) == tokenizer._any_words().findall(tokenizer._composed(text))
        or text.isascii()
    )


@given(st.from_regex(r"[A-Za-z]{1,12}", fullmatch=True))
def test_a_word_of_one_piece_is_cut_down_as_a_compound_would_be(word: str) -> None:
    pieces = [piece.lower() for piece in tokenizer._CAMEL.split(word) if piece]
    assert tokenizer._forms(word) == tokenizer._compound(pieces)


@given(st.text(st.characters(codec="ascii", exclude_characters="#"), max_size=40))
def test_words_are_the_same_whatever_stands_beside_them(text: str) -> None:
    plain = text.replace("++", "+")
    assert words_of(f"{plain} C#") == [*words_of(plain), "C#"]


@pytest.mark.parametrize("number", ["7", "07", "123", "900001", "20260312", "8" * 70])
def test_a_number_is_its_own_stem(number: str) -> None:
    assert forms(number) == [number[:64]]
