"""The floor is golden: it cannot be loosened unnoticed, by a change of code or by an operator's file."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.mind.errors import RulesInvalid
from hippocampus_cli.mind.floor import CATEGORIES, FLOOR
from hippocampus_cli.mind.gate import RULES, Gate, open_gate, read_rules

DATA = Path(__file__).parent / "data"


def rows(name: str) -> list[tuple[str, str]]:
    lines = (DATA / name).read_text(encoding="utf-8").splitlines()
    return [(one.split("\t")[0], one.split("\t")[1]) for one in lines if not one.startswith("#")]


def is_held_out(text: str) -> bool:
    return int(hashlib.sha256(text.encode()).hexdigest(), 16) % 2 == 1


SEEN = [one for one in rows("gate.txt") if not is_held_out(one[1])]
HELD_OUT = [one for one in rows("gate.txt") if is_held_out(one[1])]
FLOOR_SENTENCES = [one for one in SEEN if one[0] != "keep"]


@pytest.mark.parametrize(("wanted", "text"), SEEN)
def test_the_floor_is_what_it_was(wanted: str, text: str) -> None:
    found = Gate().category(text)
    assert found == (None if wanted == "keep" else wanted)


def share_right(sentences: list[tuple[str, str]]) -> float:
    gate = Gate()
    right = [(gate.category(text) is None) == (wanted == "keep") for wanted, text in sentences]
    return sum(right) / len(right)


def test_sentences_that_no_rule_was_written_for() -> None:
    assert share_right(HELD_OUT) >= 0.95
    assert share_right(rows("gate_fresh.txt")) >= 0.95
    assert share_right(rows("gate_styles.txt")) >= STYLES
    assert share_right(rows("gate_unseen.txt")) >= UNSEEN


def test_harmless_words_in_a_row_stay_harmless() -> None:
    files = ("gate.txt", "gate_fresh.txt", "gate_styles.txt", "gate_unseen.txt")
    kept = [text for name in files for wanted, text in rows(name) if wanted == "keep"]
    assert len([text for text in kept if Gate().category(text)]) <= 1


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("harm: allow\n", 1),
        ("x: [xanadu]\nfloor: []\n", 2),
        ("x: {unless: kill}\n", 1),
        ("x:\n  - [a1]\n", 1),
        ("x: [a]\n", 1),
        ("X Y: [heron]\n", 1),
        ("x: [\n", 2),
        ("- harm\n", 1),
        ("x: [heron]\nx: [xanadu]\n", 2),
    ],
)
def test_a_file_that_does_more_than_add_is_refused_with_its_line(text: str, line: int) -> None:
    with pytest.raises(RulesInvalid) as raised:
        read_rules(text)
    assert (raised.value.path, raised.value.line) == (RULES, line)


@given(st.text(max_size=300))
def test_the_floor_survives_any_operator_file(text: str) -> None:
    try:
        rules = read_rules(text)
    except RulesInvalid:
        return
    gate = Gate(rules)
    for wanted, sentence in FLOOR_SENTENCES[::9]:
        assert gate.category(sentence) == wanted


def test_rules_of_the_operator_add(tmp_path: Path) -> None:
    path = tmp_path / RULES
    path.parent.mkdir(parents=True)
    path.write_text("project-x: [Codename Heron]\n")
    gate = open_gate(tmp_path)
    assert gate.category("The codename heron ships in May.") == "project-x"
    assert gate.category("I want to kill myself.") == "crisis"


def test_every_rule_has_a_known_category() -> None:
    assert {one.category for one in FLOOR} | {"credentials"} == set(CATEGORIES)


STYLES = 0.9  # measured .92; .61 before rules were widened in general, for kinds of sentences
UNSEEN = 0.5  # measured .52: all 25 harmless ones kept, 1 of 25 harmful ones refused
