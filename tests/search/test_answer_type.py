"""What kinds of answer a question wants."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.search.answer_type import (
    ADVICE,
    COUNT,
    HOW_LONG,
    KINDS,
    OWN,
    TITLE,
    WHEN,
    WHERE,
    WHO,
    WHY,
    answers_of,
    lacks_value,
)


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("When did Ada move?", {WHEN}),
        ("when", {WHEN}),
        ("Wann zieht Ada um?", {WHEN}),
        ("Since when is it broken", {WHEN}),
        ("how long ago was it", {WHEN}),
        ("what date is the launch", {WHEN}),
        ("Which month did we pay", {WHEN}),
        ("in which year", {WHEN}),
        ("How many sensors are there?", {COUNT}),
        ("how much is the budget", {COUNT}),
        ("How often does it run?", {COUNT, HOW_LONG}),
        ("how old is Ada", {COUNT}),
        ("how long does the build take", {COUNT, HOW_LONG}),
        ("how many days ago, and when?", {WHEN}),
        ("who is on call?", {WHO}),
        ("Whose dog is it", {WHO}),
        ("what is the name of Ada's dog", {WHO}),
        ("Where are the backups?", {WHERE}),
        ("which host runs the mail", {WHERE}),
        ("what books has Ada read", {TITLE}),
        ("Who wrote the song", {WHO, TITLE}),
        ("why is it slow", {WHY}),
        ("what inspired the talk", {WHY}),
        ("Warum ist es langsam?", {WHY}),
        ("How should I lay out the page?", {ADVICE}),
        ("Can you show me how to implement a login?", {ADVICE}),
        ("Have I ever written a Flask route?", {ADVICE}),
        ("Was soll ich anziehen?", {ADVICE}),
        ("which port do they have", set()),
        ("whenever it rains", set()),
        ("how do we deploy", set()),
        ("show how it works", set()),
        ("somehow many", set()),
        ("the deploy command", set()),
        ("", set()),
    ],
)
def test_the_kinds_of_answer(text: str, kinds: set[str]) -> None:
    assert answers_of(text) - {OWN} == kinds


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("what is my day rate", True),
        ("Wann läuft meine Beeidigung aus?", True),
        ("what did you recommend for my server", False),
        ("Was hast du mir empfohlen?", False),
        ("what is Ines's day rate", False),
    ],
)
def test_whether_it_is_about_who_asks(text: str, own: bool) -> None:
    assert (OWN in answers_of(text)) == own


@given(st.text())
def test_any_text_has_some_of_them_or_none(text: str) -> None:
    assert answers_of(text) <= set(KINDS)


def test_of_an_endless_text_the_beginning_is_read() -> None:
    assert answers_of("x " * 100_000 + "when") == set()
    assert answers_of("when " + "x " * 100_000) == {WHEN}


@pytest.mark.parametrize(
    ("question", "text", "lacks"),
    [
        ("phone number of Joost", "Food: Joost of Royal Canin, since 2026-09.", True),
        ("phone number of Joost", "Joost 06-5550 1987", False),
        ("Telefonnummer von Frau Weigelt", "Frau Weigelt, Parzelle 12", True),
        ("what noise does the phone make", "It hoots.", False),
        ("Mateo's birthday", "Mateo's kiln moved to Friday, 3 July.", True),
        ("Mateo's birthday", "Mateo, born 3 July", False),
        ("how old is Saartje", "Saartje, 2x daags 1 IE, controle 5 november", True),
        ("how old is Marloes", "Marloes van Dijk, 47, vet", False),
        ("Ines's email address", "Ines runs the farm", True),
        ("Ines's email address", "ines@farm.example", False),
        ("the deploy command", "", False),
    ],
)
def test_a_value_that_is_asked_for_and_is_not_there(question: str, text: str, lacks: bool) -> None:
    assert lacks_value(question, text) == lacks
