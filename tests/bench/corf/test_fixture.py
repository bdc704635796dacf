"""The questions about the fixture: real lines, and each of the kind that it says it is."""

from __future__ import annotations

from pathlib import Path

from bench.corf.dataset import check_gold, read_dataset
from bench.corf.run import Plan, run
from hippocampus_cli.config import Config
from tests.support.anchor_notes import NOW

FIXTURES = Path(__file__).parents[3] / "fixtures"
FOUND = read_dataset(FIXTURES / "corf.json")


def test_every_gold_place_is_a_line_with_text() -> None:
    check_gold(FOUND, FIXTURES / "workspace")
    for query in FOUND.queries:
        for gold in query.gold:
            text = (FIXTURES / "workspace" / gold.path).read_bytes().decode("utf-8", "replace")
            lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
            assert any(lines[at - 1].strip() for at in range(gold.start, gold.end + 1)), query.id


def test_a_pronoun_question_has_a_project_and_does_not_name_it() -> None:
    for query in FOUND.queries:
        if query.kind == "pronoun":
            assert query.project and query.project not in query.text, query.id


def test_a_lookup_finds_four_of_five() -> None:
    found = run(FOUND, FIXTURES / "workspace", Config(), NOW, Plan(("no-pronoun",)))
    assert found.rows[0].figures["at_20"].value >= 0.80
