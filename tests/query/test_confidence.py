"""How sure an answer is: the regression, what holds besides, and the word for it."""

from __future__ import annotations

from math import exp, log
from operator import mul

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.query.confidence import (
    A_PART,
    CALIBRATED,
    NOTHING,
    SHOWN_FROM,
    SMALL,
    SURE,
    SURE_FROM,
    UNSURE,
    WORDS,
    confidence_of,
    features_of,
    word_for,
)
from hippocampus_cli.search import ranking_weights
from hippocampus_cli.search.hits import SearchHits, SectionHit
from hippocampus_cli.workspace.note import Section

HEADING = Section(0, 2, "Deploy", (), 1, 3, 3, 1)


def found(said: float = 0.0, coverage: float = 0.0, **facts: object) -> SearchHits:
    """A search whose best hit has these signs, for a query worth 10."""
    hit = SectionHit("TOOLS.md", HEADING, said + 3.0, (), frozenset(), coverage, said=said)
    return SearchHits((hit,), **{"worth": 10.0, **facts})  # type: ignore[arg-type]


def test_every_ranking_is_calibrated() -> None:
    assert set(CALIBRATED) == {ranking_weights.VERSION, ranking_weights.SEMANTIC_VERSION}


@pytest.mark.parametrize("ranking", CALIBRATED)
def test_it_is_a_logistic_regression_on_its_signs(ranking: str) -> None:
    one = found(9.0, 0.2, unknown=0.1, undated=True, ranking=ranking, among=SMALL * 10)
    signs, by = features_of(one), CALIBRATED[ranking]
    assert tuple(signs) == (9.0, 8.0, 0.1, 1.0, log(10))
    odds = by.intercept + sum(map(mul, by[2:], signs))
    assert confidence_of(one) == pytest.approx(1 / (1 + exp(-odds)))


@pytest.mark.parametrize("ranking", CALIBRATED)
def test_what_speaks_for_an_answer_and_what_against_it(ranking: str) -> None:
    there = confidence_of(found(8.0, 0.3, unknown=0.3, ranking=ranking))
    assert confidence_of(found(9.0, 0.3, unknown=0.3, ranking=ranking)) > there
    assert confidence_of(found(8.0, 0.35, unknown=0.3, ranking=ranking)) > there
    assert confidence_of(found(8.0, 0.3, unknown=0.4, ranking=ranking)) < there
    assert confidence_of(found(8.0, 0.3, unknown=0.3, ranking=ranking, worth=20.0)) < there
    undated = confidence_of(found(8.0, 0.3, unknown=0.3, undated=True, ranking=ranking))
    assert undated < there / 2
    large = found(8.0, 0.3, unknown=0.3, ranking=ranking, among=SMALL * 20)
    assert confidence_of(large) < there / 2


@pytest.mark.parametrize("ranking", CALIBRATED)
def test_what_is_small_is_all_the_same(ranking: str) -> None:
    one, other = (found(8.0, 0.3, ranking=ranking, among=among) for among in (10, SMALL))
    assert confidence_of(one) == confidence_of(other)
    assert confidence_of(one) > confidence_of(one._replace(among=SMALL + 1000))


@pytest.mark.parametrize("ranking", CALIBRATED)
def test_of_very_much_some_place_has_all_of_a_question_by_chance(ranking: str) -> None:
    by_chance = [
        confidence_of(found(-30.0, 1.0, ranking=ranking, among=SMALL * times))
        for times in (1, 2, 20)
    ]
    assert by_chance == sorted(by_chance, reverse=True)
    assert word_for(by_chance[0]) == SURE
    assert [word_for(one) for one in by_chance[1:]] == [UNSURE] * 2


def test_nothing_found_is_worth_nothing() -> None:
    assert confidence_of(SearchHits()) == 0.0


def test_all_of_a_question_is_an_answer_wherever_it_stands() -> None:
    assert confidence_of(found(-30.0, 1.0)) == SURE_FROM
    assert confidence_of(found(-30.0, 1.0, unknown=0.2)) < SURE_FROM
    assert confidence_of(found(-30.0, 1.0, undated=True)) < SURE_FROM


def test_nothing_of_the_days_asked_for_is_never_sure() -> None:
    assert confidence_of(found(99.0, 1.0)) > 0.99
    assert word_for(confidence_of(found(99.0, 1.0, undated=True))) == UNSURE


def test_a_good_part_of_a_question_is_worth_showing() -> None:
    assert confidence_of(found(-30.0, A_PART)) == SHOWN_FROM
    assert confidence_of(found(-30.0, A_PART - 0.01)) < SHOWN_FROM


@given(
    st.floats(-1e6, 1e6),
    st.floats(0, 1),
    st.floats(0, 1e6),
    st.floats(0, 1),
    st.integers(0, 10**15),
)
def test_it_is_a_share(
    said: float, coverage: float, worth: float, unknown: float, among: int
) -> None:
    value = confidence_of(found(said, coverage, worth=worth, unknown=unknown, among=among))
    assert 0.0 <= value <= 1.0
    assert word_for(value) in WORDS


def test_the_words() -> None:
    assert [word_for(one) for one in (0.0, SHOWN_FROM - 1e-9)] == [NOTHING] * 2
    assert [word_for(one) for one in (SHOWN_FROM, SURE_FROM - 1e-9)] == [UNSURE] * 2
    assert [word_for(one) for one in (SURE_FROM, 1.0)] == [SURE] * 2
