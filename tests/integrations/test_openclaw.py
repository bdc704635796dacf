from __future__ import annotations

from pathlib import Path

import pytest

from hippocampus_cli.errors import InstallRefused
from hippocampus_cli.integrations.extensions import state_folder, workspace_in


def test_its_folder_is_found_by_its_names(tmp_path: Path) -> None:
    with pytest.raises(InstallRefused, match=r"OpenClaw was not found .*\.openclaw, .*\.clawdbot"):
        state_folder(tmp_path, None)
    (tmp_path / ".clawdbot").mkdir()
    assert state_folder(tmp_path, None) == tmp_path / ".clawdbot"
    (tmp_path / ".openclaw").mkdir()
    assert state_folder(tmp_path, None) == tmp_path / ".openclaw"
    assert state_folder(tmp_path, str(tmp_path)) == tmp_path


def test_a_newer_one_is_told_by_its_database(tmp_path: Path) -> None:
    database = tmp_path / ".openclaw/agents/main/agent/openclaw-agent.sqlite"
    database.parent.mkdir(parents=True)
    database.touch()
    with pytest.raises(InstallRefused, match="newer than the layout of February 2026") as refused:
        state_folder(tmp_path, None)
    assert refused.value.path == str(database)


def test_its_workspace(tmp_path: Path) -> None:
    state = tmp_path / ".openclaw"
    state.mkdir()
    assert workspace_in(state) is None
    (tmp_path / "clawd").mkdir()
    assert workspace_in(state) == (tmp_path / "clawd").resolve()
    (state / "workspace").mkdir()
    assert workspace_in(state) == (state / "workspace").resolve()
