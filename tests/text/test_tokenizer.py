"""Words as they are written, and what they have in common with others."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.text import tokenizer
from hippocampus_cli.text.terms import terms
from hippocampus_cli.text.tokenizer import words_of


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
        ("e-mail", "email"),
    ],
)
def test_what_is_asked_meets_what_is_written(written: str, asked: str) -> None:
    whole, *parts = terms(asked)
    assert whole in terms(written) or (parts and set(parts) <= set(terms(written)))


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=60))
def test_the_short_way_finds_the_same_words(text: str) -> None:
    assert (
        words_of(text) == tokenizer._ANY_WORDS.findall(tokenizer._composed(text))
        or text.isascii()
    )


@given(st.text(st.characters(codec="ascii", exclude_characters="#"), max_size=40))
def test_words_are_the_same_whatever_stands_beside_them(text: str) -> None:
    plain = text.replace("++", "+")
    assert words_of(f"{plain} C#") == [*words_of(plain), "C#"]


def test_invalid_bytes_are_no_part_of_a_word() -> None:
    assert words_of("caf\udce9 caf\udce9bar") == ["caf", "caf", "bar"]
