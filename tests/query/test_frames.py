"""Which statements say the same of the same thing with another value."""

from __future__ import annotations

import pytest

from hippocampus_cli.query.frames import frame_of, other_value
from hippocampus_cli.text.tokenizer import stems


@pytest.mark.parametrize(
    ("asked", "old", "new"),
    [
        (
            "what port does the database use",
            "The database port is 5432.",
            "The database port is 5433.",
        ),
        (
            "who is the chair of Fatah",
            "- The chair of Fatah is Ann Lee.",
            "* The chair of Fatah is Bo.",
        ),
        ("who wrote Emma", "Jane is the author of Emma", "Mary Ann is the author of Emma"),
        ("where does Ines live", "12. Ines lives in Porto", "88. Ines lives in Sankt Gallen"),
        ("rate for Acme", "Acme hourly rate: 95 EUR", "Acme hourly rate: 110 EUR"),
        ("wo wohnt Jana", "Jana Müller wohnt in Bonn", "Jana Müller wohnt in Köln"),
    ],
)
def test_another_value_of_the_same_thing(asked: str, old: str, new: str) -> None:
    assert other_value(frame_of(old), frame_of(new), frozenset(stems(asked)))


@pytest.mark.parametrize(
    ("asked", "old", "new"),
    [
        ("capital of France", "The capital of France is Paris", "The capital of Spain is Madrid"),
        ("capital of France", "The capital of France is big", "The capital of Spain is big"),
        ("is the database port 5432", "The database port is 5432", "The database port is 5433"),
        ("what did we buy", "Bought milk", "Bought bread"),
        ("garden", "The port is 5432", "The port is 5433"),
        ("port", "The database port is 5432", "The database port is 5432"),
        ("port", "The database port is", "The database port is 5433"),
        ("tap", "Fixed the kitchen tap quickly", "Fixed the kitchen tap again"),
        ("sign", "word " * 60 + "is one", "word " * 60 + "is two"),
    ],
)
def test_what_is_no_other_value(asked: str, old: str, new: str) -> None:
    assert not other_value(frame_of(old), frame_of(new), frozenset(stems(asked)))
