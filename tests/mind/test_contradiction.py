"""Which statements cannot both hold: on pairs that no rule was written for, and as laws."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.mind.claims import claim_of, claims_in
from hippocampus_cli.mind.contradiction import conflict

PAIRS = [
    line.split("\t")
    for line in (Path(__file__).parent / "data/pairs.txt").read_text("utf-8").splitlines()
    if not line.startswith("#")
]


def clashes(earlier: str, later: str) -> bool:
    return any(conflict(new, old) for old in claims_in(earlier) for new in claims_in(later))


def test_pairs_that_nobody_tuned_on() -> None:
    found = [(label != "compatible", clashes(old, new)) for label, old, new in PAIRS]
    hits = sum(1 for wanted, seen in found if wanted and seen)
    assert len(PAIRS) == 150
    assert hits / sum(1 for _, seen in found if seen) >= 0.9  # measured .96
    assert hits / sum(1 for wanted, _ in found if wanted) >= 0.6  # measured .81


@given(st.sampled_from([text for _, *texts in PAIRS for text in texts]))
def test_nothing_contradicts_itself(text: str) -> None:
    assert not clashes(text, text)


@given(st.text(max_size=300))
def test_any_text_can_be_read(text: str) -> None:
    for claim in claims_in(text):
        assert claim.subject
        assert claim.value


@pytest.mark.parametrize("text", ["What is the port?", "# The port is 1", "It is late.", "ok"])
def test_what_claims_nothing(text: str) -> None:
    assert claim_of(text) is None


def test_a_long_text_is_read_in_time() -> None:
    list(claims_in("a " * 50_000 + "the port is " * 10_000))


@pytest.mark.parametrize(
    ("earlier", "later", "expected"),
    [
        ("Ann Lee is a citizen of Chile.", "Ann Lee is a citizen of Peru.", True),
        (
            "Emergency line is forwarded to Eemland after 18:30.",
            "The emergency line is forwarded after 18:00 now, not 18:30.",
            True,
        ),
        (
            "Emergency line is forwarded to Eemland after 17:15.",
            "The emergency line is forwarded after 18:00 now, not 18:30.",
            False,
        ),
        (
            "P. G. Ross plays the position of keeper.",
            "P. G. Ross plays the position of wing.",
            True,
        ),
        ("Anna's child is Leo.", "Anna's child is Mia.", True),
        ("The head of sales of Acme is Ann.", "The head of sales of Globex is Tom.", False),
        ("Ann loves the taste of tea.", "Ann loves the taste of rum.", False),
        ("The language of Islam is Arabic.", "The language of Iran is Persian.", False),
    ],
)
def test_one_of_a_kind_is_told_apart_from_another_thing(
    earlier: str, later: str, expected: bool
) -> None:
    assert clashes(earlier, later) is expected


def test_a_name_is_no_end_of_a_sentence() -> None:
    text = "Dr. Keller of Fine Inc. is the chair. P. G. Ross is the lead. Plan A. The port is 1."
    assert [one.text for one in claims_in(text)][-1] == "The port is 1."
    assert any(one.text.startswith("P. G. Ross") for one in claims_in(text))


def test_who_said_it_is_not_what_it_is_about() -> None:
    assert not clashes("Mel: I moved to Oslo last year.", "Mel: Wow, that is great for the kids!")
    assert not clashes("Mel: The port is 5432.", "Ann: The port is 5433.")
    assert clashes("Deploy command: make deploy", "Deploy command: make ship")


def test_a_name_a_place_and_a_quality_are_not_one_value() -> None:
    assert not clashes("The database listens on port 5432.", "The database is called hedgehog.")
    assert not clashes("The office is in Oslo.", "The office is quiet.")
    assert clashes("The wiki is at a.example.", "The wiki moved to b.example.")
    assert clashes("The cat is called Miso.", "The cat is called Tofu.")
