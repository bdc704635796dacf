"""Texts to pieces, on a vocabulary of our own."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.embedding.minilm.wordpiece import WordPiece, words

VOCABULARY = (
    *("[PAD]", "[UNK]", "[CLS]", "[SEP]", "un", "##aff", "##able", "affable", "a", "##a", "!", "["),
    *("]", "sep", "cafe", "京", "##!"),
)
PIECES = WordPiece(VOCABULARY)


def shown(text: str, pieces: WordPiece = PIECES) -> list[str]:
    return [VOCABULARY[number] for number in pieces.tokens(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("  Two\twords\r\n", ["two", "words"]),
        ("don't x_y $5", ["don", "'", "t", "x", "_", "y", "$", "5"]),
        ("Café naïve ﬁne", ["cafe", "naive", "ﬁne"]),
        ("e\u0301\u200b\u00ad\ufffd\x00\x07e", ["ee"]),
        ("東京タワー", ["東", "京", "タワー"]),
        ("\uf900", ["\u8c48"]),  # a compatibility ideograph
        ("ΣΊΣΥΦΟΣ", ["σισυφοσ"]),
        ("İstanbul ẞ", ["istanbul", "ß"]),
        ("“quoted”—dash…", ["“", "quoted", "”", "—", "dash", "…"]),
        ("a\u2028b\u00a0c\u3000d", ["a", "b", "c", "d"]),
        ("bad \udc80\udcff bytes", ["bad", "bytes"]),
        ("한", ["\u1112\u1161\u11ab"]),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_the_longest_piece_is_taken_first() -> None:
    assert shown("unaffable") == ["[CLS]", "un", "##aff", "##able", "[SEP]"]
    assert shown("affable a!") == ["[CLS]", "affable", "a", "!", "[SEP]"]


def test_a_word_with_one_unknown_part_is_unknown_as_a_whole() -> None:
    assert shown("unaffablex una") == ["[CLS]", "[UNK]", "un", "##a", "[SEP]"]
    assert shown("a" * 100) == ["[CLS]", "a", *["##a"] * 99, "[SEP]"]
    assert shown("a" * 101) == ["[CLS]", "[UNK]", "[SEP]"]


def test_what_stands_for_no_text_cannot_be_written_in_a_note() -> None:
    assert shown("[SEP]") == ["[CLS]", "[", "sep", "]", "[SEP]"]


def test_what_is_too_long_is_cut_off() -> None:
    assert shown("a " * 900) == ["[CLS]", *["a"] * 254, "[SEP]"]
    assert shown("aaa", WordPiece(VOCABULARY, max_tokens=4)) == ["[CLS]", "a", "##a", "[SEP]"]


def test_a_vocabulary_without_a_beginning_is_refused() -> None:
    with pytest.raises(ValueError, match=r"lacks \[CLS\], \[SEP\]"):
        WordPiece(["[UNK]", "a"])


@given(st.text(st.characters(), max_size=60))
def test_any_text_has_tokens(text: str) -> None:
    numbers = PIECES.tokens(text)
    assert numbers[0] == 2 and numbers[-1] == 3
    assert all(word and not any(map(str.isspace, word)) for word in words(text))
