"""Where beliefs come up unasked: in the brief, when something is remembered, at a prompt."""

from __future__ import annotations

import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from hippocampus_cli.api.workspace import Workspace, open_workspace
from hippocampus_cli.cli.main import main
from hippocampus_cli.entries.brief import MOST_TOKENS
from hippocampus_cli.errors import BeingWritten
from hippocampus_cli.mind import beliefs
from hippocampus_cli.mind.beliefs import BELIEFS

NOW = datetime(2026, 8, 5, 14, tzinfo=UTC)


@pytest.fixture
def opened(tmp_path: Path) -> Workspace:
    (tmp_path / "memory").mkdir()
    (tmp_path / "MEMORY.md").write_text("# Rules\n\n- Never deploy on a Friday.\n")
    found = open_workspace(tmp_path)
    found.bootstrap(now=NOW)
    return found


def test_the_brief_says_what_is_held_and_what_it_came_instead_of(opened: Workspace) -> None:
    assert opened.brief(now=NOW).held == ()
    opened.mind.believe("Never deploy on a Friday.", now=NOW)
    opened.mind.believe("I prefer trains over planes.", now=NOW)
    opened.mind.believe(
        "I prefer planes over trains now.",
        replaces=["i-prefer-trains-over-planes"],
        now=NOW + timedelta(days=1),
    )
    found = opened.brief(now=NOW + timedelta(days=1))
    assert found.held == (  # the rule is told as one
        "I prefer planes over trains now. (since 2026-08-06; before: I prefer trains over planes.)",
    )
    assert "\nHeld:\n- I prefer planes" in found.text
    assert opened.brief(now=NOW + timedelta(days=99)).text == found.text
    for number in range(60):
        opened.mind.believe(f"The port of service number {number} is {number}.", now=NOW)
    crowded = opened.brief(now=NOW + timedelta(days=1))
    assert crowded.tokens <= MOST_TOKENS
    assert crowded.held[0] == found.held[0]


LEFT_OUT = f"beliefs are left out: {BELIEFS}:"


@pytest.mark.skipif(sys.platform != "linux", reason="leases")
def test_beliefs_that_are_being_written_are_left_out_of_answers(
    opened: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(beliefs, "_PATIENCE", 0.05)
    opened.mind.believe("The port is 5432.", now=NOW)
    with (opened.root / BELIEFS).open("r+b"):
        found = opened.query("Friday deploy", now=NOW)
        assert found.results
        assert found.notices == (f"{LEFT_OUT} another program has it open",)
        assert opened.brief(now=NOW).notices == found.notices
        with pytest.raises(BeingWritten):
            opened.mind.beliefs(now=NOW)


def test_what_a_question_finds_is_what_all_beliefs_would_give(opened: Workspace) -> None:
    for number in range(12):
        tags = [f"gate {number}"] if number % 3 == 0 else []
        opened.mind.believe(f"Pier {number} is kept by Ines {number}.", tags=tags, now=NOW)
    opened.mind.believe("The pilot of pier six is Mara.", now=NOW)
    opened.mind.believe("It is Ole.", replaces=["the-pilot-of-pier-six-is-mara"], now=NOW)
    for question in ("who keeps pier 7", "gate 9", "the pilot of pier six", "Ole in May", "Oslo"):
        found = [one.id for one in opened.query(question, now=NOW).beliefs]
        wanted = [one.belief.id for one in opened.mind.beliefs(question, now=NOW)]
        assert found == wanted[:3]
    assert opened.query("the pilot of pier six", now=NOW).beliefs[0].before


def test_a_question_that_only_a_belief_answers_was_answered(
    opened: Workspace, capsys: pytest.CaptureFixture[str]
) -> None:
    root = str(opened.root)
    assert main(["query", "zanzibar ferry", "-w", root]) == 1
    opened.mind.believe("The zanzibar ferry leaves at nine.")
    assert main(["query", "zanzibar ferry", "-w", root]) == 0
    assert "nothing found in the notes\n" in capsys.readouterr().out
