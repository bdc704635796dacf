"""How sure an answer is: the regression, what holds besides, and the word for it."""

from __future__ import annotations

from math import exp
from operator import mul

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.retrieval.confidence import (
    A_PART,
    CALIBRATED,
    DOUBTFUL_PART,
    LIKELY_FROM,
    MATCH_COUNTS,
    NOTHING,
    SHOWN_FROM,
    SURE,
    SURE_FROM,
    UNSURE,
    WORDS,
    confidence_of,
    features_of,
    tokens_for,
    word_for,
)
from hippocampus_cli.search import weights
from hippocampus_cli.search.hits import Found, SectionHit
from hippocampus_cli.workspace.note import Section

HEADING = Section(0, 2, "Deploy", (), 1, 3, 3, 1)


def found(said: float = 0.0, coverage: float = 0.0, window: float = 0.0, **facts: object) -> Found:
    """A search whose best hit has these signs."""
    best = tuple(window if at == weights.WINDOW else 0.0 for at in range(len(weights.WEIGHTS)))
    hit = SectionHit(
        "TOOLS.md", HEADING, said + 3.0, (), frozenset(), coverage, best=best, said=said
    )
    return Found((hit,), **facts)  # type: ignore[arg-type]


def test_every_ranking_is_calibrated() -> None:
    assert set(CALIBRATED) == {weights.VERSION, weights.SEMANTIC_VERSION}


@pytest.mark.parametrize("ranking", CALIBRATED)
def test_it_is_a_logistic_regression_on_its_signs(ranking: str) -> None:
    one = found(9.0, 0.2, 0.3, unknown=0.1, undated=True, ranking=ranking)
    signs, by = features_of(one), CALIBRATED[ranking]
    assert tuple(signs) == (9.0, 0.2, 0.3, 0.1, 1.0)
    odds = by.intercept + sum(map(mul, by[2:], signs))
    assert confidence_of(one) == pytest.approx(1 / (1 + exp(-odds)))


@pytest.mark.parametrize("ranking", CALIBRATED)
def test_what_speaks_for_an_answer_and_what_against_it(ranking: str) -> None:
    there = confidence_of(found(8.0, 0.3, 0.3, unknown=0.3, ranking=ranking))
    assert confidence_of(found(9.0, 0.3, 0.3, unknown=0.3, ranking=ranking)) > there
    assert confidence_of(found(8.0, 0.35, 0.3, unknown=0.3, ranking=ranking)) > there
    assert confidence_of(found(8.0, 0.3, 0.4, unknown=0.3, ranking=ranking)) > there
    assert confidence_of(found(8.0, 0.3, 0.3, unknown=0.4, ranking=ranking)) < there
    undated = confidence_of(found(8.0, 0.3, 0.3, unknown=0.3, undated=True, ranking=ranking))
    assert undated < there / 2


def test_nothing_found_is_worth_what_the_index_knows() -> None:
    assert confidence_of(Found()) == 0.0
    assert confidence_of(Found(), 0.5) == 0.5 * MATCH_COUNTS
    assert confidence_of(Found(), 7.0) == MATCH_COUNTS >= SURE_FROM


def test_all_of_a_question_is_an_answer_wherever_it_stands() -> None:
    assert confidence_of(found(-30.0, 1.0)) == SURE_FROM
    assert confidence_of(found(-30.0, 1.0, unknown=0.2)) < SURE_FROM
    assert confidence_of(found(-30.0, 1.0, undated=True)) < SURE_FROM


def test_nothing_of_the_days_asked_for_is_never_sure() -> None:
    assert confidence_of(found(99.0, 1.0, 1.0)) > 0.99
    assert word_for(confidence_of(found(99.0, 1.0, 1.0, undated=True), match=1.0)) == UNSURE


def test_a_good_part_of_a_question_is_worth_showing() -> None:
    assert confidence_of(found(-30.0, A_PART)) == SHOWN_FROM
    assert confidence_of(found(-30.0, A_PART - 0.01)) < SHOWN_FROM


@given(st.floats(-1e6, 1e6), st.floats(0, 1), st.floats(0, 2), st.floats(0, 1), st.floats(0, 1))
def test_it_is_a_share(
    said: float, coverage: float, window: float, unknown: float, match: float
) -> None:
    value = confidence_of(found(said, coverage, window, unknown=unknown), match)
    assert 0.0 <= value <= 1.0
    assert word_for(value) in WORDS


def test_what_is_hardly_an_answer_is_kept_short() -> None:
    assert tokens_for(LIKELY_FROM, 2000) == 2000
    assert tokens_for(LIKELY_FROM - 1e-9, 2000) == 2000 * DOUBTFUL_PART
    assert tokens_for(0.0, 1) == 0


def test_the_words() -> None:
    assert [word_for(one) for one in (0.0, SHOWN_FROM - 1e-9)] == [NOTHING] * 2
    assert [word_for(one) for one in (SHOWN_FROM, SURE_FROM - 1e-9)] == [UNSURE] * 2
    assert [word_for(one) for one in (SURE_FROM, 1.0)] == [SURE] * 2
