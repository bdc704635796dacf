"""The pieces of a text are the likeliest ones, and nothing of it is lost."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.embedding.sentence_encoder.pieces import END, MAX_TOKENS, START, Pieces

VOCABULARY = ["<unk>", "<s>", "</s>", "▁", "a", "b", "▁a", "ab", "ba", "▁ab", "aba", "ß"]
SCORES = [0.0, 0.0, 0.0, -2.0, -3.0, -3.5, -2.5, -4.0, -4.5, -6.0, -5.0, -9.0]
PIECES = Pieces(VOCABULARY, SCORES)


def likeliest(word: str) -> float:
    """The score of the best way to put ``word`` together, by trying all."""
    known = dict(zip(VOCABULARY, SCORES, strict=True))
    inner = range(1, len(word))
    ways = (cuts for count in range(len(word)) for cuts in combinations(inner, count))
    return max(
        sum(
            known.get(part, -19.0 if len(part) == 1 else float("-inf"))
            for part in (
                word[start:end] for start, end in zip((0, *cuts), (*cuts, len(word)), strict=True)
            )
        )
        for cuts in ways
    )


@given(st.text("abxß", min_size=1, max_size=9))
def test_no_other_way_is_likelier(word: str) -> None:
    found = PIECES.tokens(word)[1:-1]
    scores = [SCORES[number] if number else -19.0 for number in found]
    assert sum(scores) == pytest.approx(likeliest("▁" + word))


@given(st.text(max_size=40))
def test_any_text_has_a_beginning_and_an_end(text: str) -> None:
    found = PIECES.tokens(text)
    assert found[0] == START and found[-1] == END and len(found) > 2


def test_what_looks_alike_is_the_same() -> None:
    assert PIECES.tokens("ａ\u00a0 ab\n") == PIECES.tokens("a ab")


def test_a_long_text_is_cut_off() -> None:
    assert len(PIECES.tokens("ab " * 2000)) == MAX_TOKENS


def test_there_is_a_score_for_each_piece() -> None:
    with pytest.raises(ValueError, match="2 pieces have 1 scores"):
        Pieces(["a", "b"], [0.0])
