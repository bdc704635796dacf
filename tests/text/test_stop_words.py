"""Words of a question that say nothing, in other languages than English."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.text.stop_words import STOP_WORDS
from hippocampus_cli.text.tokenizer import function_words


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("wie starte ich die kasse neu", {"starte", "kasse", "neu"}),
        ("welches auto fährt volkmar", {"auto", "fährt", "volkmar"}),
        ("dónde está la llave del taller", {"llave", "taller"}),
        ("quel est le mot de passe", {"mot", "passe"}),
        ("сколько стоит доставка", {"стоит", "доставка"}),
    ],
)
def test_function_words_of_another_language_are_found(question: str, said: set[str]) -> None:
    words = question.split()
    assert set(words) - function_words(words) == said


@pytest.mark.parametrize(
    "question",
    ["why did the war die in a man", "is the bin of the chat on sale", "la la land", "wo"],
)
def test_an_english_question_loses_nothing_more(question: str) -> None:
    assert not function_words(question.split())


@given(st.lists(st.text()))
def test_only_words_of_the_question_are_named(words: list[str]) -> None:
    assert function_words(words) <= frozenset(words)


@given(st.lists(st.sampled_from(sorted(STOP_WORDS))))
def test_english_alone_is_no_other_language(words: list[str]) -> None:
    assert not function_words(words)
