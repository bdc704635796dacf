"""A change of beliefs is undone as a cycle is; episodes stay."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hippocampus_cli.api.workspace import Workspace, open_workspace
from hippocampus_cli.errors import NothingToUndo
from hippocampus_cli.workspace.own_files import BELIEFS

NOW = datetime(2026, 8, 5, 14, tzinfo=UTC)
SAID = (
    "I prefer trains over planes.",
    "I prefer planes over trains now.",
    "The port is 5432.",
    "The port is now 5433.",
    "I like tea.",
)


@pytest.fixture
def opened(tmp_path: Path) -> Workspace:
    (tmp_path / "memory").mkdir()
    return open_workspace(tmp_path)


def held(opened: Workspace) -> set[str]:
    return {one.belief.statement for one in opened.at(NOW).mind.beliefs()}


def test_what_was_superseded_is_held_again_and_episodes_stay(opened: Workspace) -> None:
    opened.at(NOW).mind.believe(SAID[2])
    before = (opened.root / BELIEFS).read_bytes()
    opened.at(NOW + timedelta(days=1)).mind.believe(SAID[3], replaces=["the-port-is-5432"])
    done = opened.at(NOW + timedelta(days=2)).upkeep.undo()
    assert done.exact
    assert (opened.root / BELIEFS).read_bytes() == before
    assert len(opened.mind.episodes()) == 2
    assert not opened.mind.diagnostics()
    opened.at(NOW + timedelta(days=3)).mind.encode()
    assert held(opened) == {SAID[2]}  # it is not derived again
    opened.at(NOW + timedelta(days=4)).upkeep.undo(done.number)
    assert held(opened) == {SAID[3]}
    assert [one.cycle for one in opened.upkeep.history()] == ["mind", "mind", "undo", "undo"]


def test_a_later_change_stays(opened: Workspace) -> None:
    opened.at(NOW).mind.believe(SAID[2])
    opened.at(NOW).mind.believe(SAID[3], replaces=["the-port-is-5432"])
    opened.at(NOW).mind.believe(SAID[4])
    number = opened.upkeep.history()[1].number
    assert not opened.at(NOW).upkeep.undo(number).exact
    assert held(opened) == {SAID[2], SAID[4]}
    with pytest.raises(NothingToUndo):
        opened.at(NOW).upkeep.undo(99)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=5)
@given(st.lists(st.sampled_from(SAID), min_size=1, max_size=4))
def test_undoing_every_change_leaves_no_belief(
    tmp_path_factory: pytest.TempPathFactory, said: list[str]
) -> None:
    root = tmp_path_factory.mktemp("mind")
    (root / "memory").mkdir()
    opened = open_workspace(root)
    for at, text in enumerate(said):
        opened.at(NOW + timedelta(days=at)).mind.believe(text)
    for one in reversed(opened.upkeep.history()):
        assert opened.at(NOW + timedelta(days=9)).upkeep.undo(one.number).exact
    assert held(opened) == set()
    assert not opened.mind.diagnostics()
