"""What kind of answer a question wants."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.search.answers import ANYTHING, COUNT, KINDS, WHEN, answer_of


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("When did Ada move?", WHEN),
        ("when", WHEN),
        ("Since when is it broken", WHEN),
        ("how long ago was it", WHEN),
        ("what date is the launch", WHEN),
        ("Which month did we pay", WHEN),
        ("in which year", WHEN),
        ("How many sensors are there?", COUNT),
        ("how much is the budget", COUNT),
        ("How often does it run?", COUNT),
        ("how old is Ada", COUNT),
        ("how long does the build take", COUNT),
        ("how many days ago, and when?", WHEN),
        ("who is on call?", ANYTHING),
        ("whenever it rains", ANYTHING),
        ("how do we deploy", ANYTHING),
        ("show how it works", ANYTHING),
        ("somehow many", ANYTHING),
        ("the deploy command", ANYTHING),
        ("", ANYTHING),
    ],
)
def test_the_kind_of_answer(text: str, kind: str) -> None:
    assert answer_of(text) == kind


@given(st.text())
def test_any_text_has_one(text: str) -> None:
    assert answer_of(text) in KINDS


def test_of_an_endless_text_the_beginning_is_read() -> None:
    assert answer_of("x " * 100_000 + "when") == ANYTHING
    assert answer_of("when " + "x " * 100_000) == WHEN
