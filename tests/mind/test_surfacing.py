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
    found.at(NOW).bootstrap()
    return found


def test_the_brief_says_what_is_held_and_what_it_came_instead_of(opened: Workspace) -> None:
    assert opened.at(NOW).brief().held == ()
    opened.at(NOW).mind.believe("Never deploy on a Friday.")
    opened.at(NOW).mind.believe("I prefer trains over planes.")
    opened.at(NOW + timedelta(days=1)).mind.believe(
        "I prefer planes over trains now.", replaces=["i-prefer-trains-over-planes"]
    )
    found = opened.at(NOW + timedelta(days=1)).brief()
    assert found.held == (  # the rule is told as one
        "I prefer planes over trains now. (since 2026-08-06; before: I prefer trains over planes.)",
    )
    assert "\nHeld:\n- I prefer planes" in found.text
    assert opened.at(NOW + timedelta(days=99)).brief().text == found.text
    for number in range(16):
        service = f"the service at the far end of the long corridor with number {number}"
        opened.at(NOW).mind.believe(f"The port of {service} is {number}.")
    crowded = opened.at(NOW + timedelta(days=1)).brief()
    assert len(crowded.held) < 17
    assert crowded.tokens <= MOST_TOKENS
    assert crowded.held[0] == found.held[0]


LEFT_OUT = f"beliefs are left out: {BELIEFS}:"


@pytest.mark.skipif(sys.platform != "linux", reason="leases")
def test_beliefs_that_are_being_written_are_left_out_of_answers(
    opened: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(beliefs, "_PATIENCE", 0.05)
    opened.at(NOW).mind.believe("The port is 5432.")
    with (opened.root / BELIEFS).open("r+b"):
        found = opened.at(NOW).query("Friday deploy")
        assert found.results
        assert found.notices == (f"{LEFT_OUT} another program has it open",)
        assert opened.at(NOW).brief().notices == found.notices
        with pytest.raises(BeingWritten):
            opened.at(NOW).mind.beliefs()


def test_what_a_question_finds_is_what_all_beliefs_would_give(opened: Workspace) -> None:
    for number in range(12):
        tags = [f"gate {number}"] if number % 3 == 0 else []
        opened.at(NOW).mind.believe(f"Pier {number} is kept by Ines {number}.", tags=tags)
    opened.at(NOW).mind.believe("The pilot of pier six is Mara.")
    opened.at(NOW).mind.believe("It is Ole.", replaces=["the-pilot-of-pier-six-is-mara"])
    for question in ("who keeps pier 7", "gate 9", "the pilot of pier six", "Ole in May", "Oslo"):
        found = [one.id for one in opened.at(NOW).query(question).beliefs]
        wanted = [one.belief.id for one in opened.at(NOW).mind.beliefs(question)]
        assert found == wanted[:3]
    assert opened.at(NOW).query("the pilot of pier six").beliefs[0].before


def test_a_question_that_only_a_belief_answers_was_answered(
    opened: Workspace, capsys: pytest.CaptureFixture[str]
) -> None:
    root = str(opened.root)
    assert main(["query", "zanzibar ferry", "-w", root]) == 1
    opened.mind.believe("The zanzibar ferry leaves at nine.")
    assert main(["query", "zanzibar ferry", "-w", root]) == 0
    assert "nothing found in the notes\n" in capsys.readouterr().out
