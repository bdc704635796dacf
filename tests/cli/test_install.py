"""``hippo install`` and ``hippo uninstall`` from end to end."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path

import pytest

from hippocampus_cli.bridges.extension import state_of
from hippocampus_cli.cli import installing
from hippocampus_cli.cli.commands import install
from hippocampus_cli.cli.main import main

MINE = b'{\r\n\t"model": "opus",\r\n\t"hooks": {"PreCompact": []}\r\n}\r\n'


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "agent"
    root.mkdir()
    (root / "HIPPOCAMPUS.md").write_text("# HIPPOCAMPUS.md\n")
    monkeypatch.chdir(root)
    return root


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch) -> Path:
    return Path(os.environ["HOME"])


def settings_of(root: Path, text: bytes = MINE) -> Path:
    path = root / ".claude/settings.json"
    path.parent.mkdir(parents=True)
    path.write_bytes(text)
    return path


def left_in(root: Path) -> list[str]:
    return sorted(path.relative_to(root).as_posix() for path in root.rglob("*"))


def test_without_a_terminal_it_shows_and_writes_nothing(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = settings_of(workspace)
    assert main(["install", "claude-code"]) == 2
    out, err = capsys.readouterr()
    assert out.startswith(f"install hippo in claude-code\n\n{path}\n│  {{\n")
    assert '│ +    "hooks": {"SessionStart": [\n' in out and '\n│      "model": "opus",\n' in out
    assert out.endswith("\nnothing was written\n")
    assert "no terminal to ask on; add --yes" in err
    assert path.read_bytes() == MINE
    assert main(["install", "claude-code", "--dry-run", "--yes"]) == 0
    assert path.read_bytes() == MINE


def test_claude_code_and_back(workspace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = settings_of(workspace)
    assert main(["install", "claude-code", "--yes"]) == 0
    assert f"installed in claude-code: {path}" in capsys.readouterr().out
    hooks = json.loads(path.read_bytes())["hooks"]
    assert [*hooks] == ["SessionStart", "PostToolUse", "Stop", "PreCompact"]
    assert b"\n" not in path.read_bytes().replace(b"\r\n", b"")
    assert main(["install", "claude-code"]) == 0
    assert capsys.readouterr().out == f"already installed in claude-code: {path}\n"
    assert main(["uninstall", "claude-code", "--yes"]) == 0
    assert path.read_bytes() == MINE
    assert main(["uninstall", "claude-code"]) == 0
    assert f"not installed in claude-code: {path}" in capsys.readouterr().out


@pytest.mark.parametrize("agent", ["claude-code", "pi"])
def test_what_was_not_there_is_gone_again(workspace: Path, agent: str) -> None:
    before = left_in(workspace)
    assert main(["install", agent, "--yes"]) == 0
    assert left_in(workspace) != before
    assert main(["uninstall", agent, "--yes"]) == 0
    assert left_in(workspace) == before


def test_json(
    workspace: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(install, "program", lambda: ("hippo",))
    assert main(["install", "pi", "--json", "--yes"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert {**told, "changes": 0} == {
        "agent": "pi",
        "action": "install",
        "path": str(workspace / ".pi/extensions/hippo.ts"),
        "written": True,
        "changes": 0,
        "notices": [],
    }
    assert told["changes"][0]["diff"][0].startswith("+// Written by `hippo install`")
    assert main(["uninstall", "pi", "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["written"] is False


@pytest.mark.parametrize(
    ("text", "word"),
    [(b'{"a": 1,', "not valid JSON"), (b'{"a": 1} // x', "a comment"), (b"[]", "not an object")],
)
def test_settings_that_cannot_be_read_stay_as_they_are(
    workspace: Path, capsys: pytest.CaptureFixture[str], text: bytes, word: str
) -> None:
    path = settings_of(workspace, text)
    for command in ("install", "uninstall"):
        assert main([command, "claude-code", "--yes"]) == 18
        assert word in capsys.readouterr().err
    assert path.read_bytes() == text


@pytest.mark.skipif(
    sys.platform == "win32" or os.geteuid() == 0, reason="permissions do not bind this user"
)
def test_no_permission(workspace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = settings_of(workspace)
    path.parent.chmod(0o555)
    try:
        assert main(["install", "claude-code", "--yes"]) == 18
    finally:
        path.parent.chmod(0o755)
    assert "nothing was changed: Permission denied" in capsys.readouterr().err
    assert path.read_bytes() == MINE


def test_something_in_the_way(workspace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (workspace / ".claude").write_text("a file")
    (workspace / ".pi/extensions/hippo.ts").mkdir(parents=True)
    assert main(["install", "claude-code", "--yes"]) == 18
    assert main(["install", "pi", "--yes"]) == 18
    assert "nothing was changed" in capsys.readouterr().err
    assert (workspace / ".claude").read_text() == "a file"


def test_an_extension_that_is_not_ours_any_more_stays(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = workspace / ".pi/extensions/hippo.ts"
    assert main(["install", "pi", "--yes"]) == 0
    edited = path.read_text().replace("30_000", "5_000")
    for text, word in ((edited, "it was edited"), ("mine\n", "another file of this name")):
        path.write_text(text)
        for command in ("install", "uninstall"):
            assert main([command, "pi", "--yes"]) == 18
            assert word in capsys.readouterr().err
        assert path.read_text() == text


def test_a_link_stays_a_link_and_none_leads_out(workspace: Path, tmp_path: Path) -> None:
    real = workspace / "dotfiles"
    real.mkdir()
    (workspace / ".claude").mkdir()
    (real / "claude.json").write_bytes(MINE)
    link = workspace / ".claude/settings.json"
    link.symlink_to(real / "claude.json")
    assert main(["install", "claude-code", "--yes"]) == 0
    assert link.is_symlink() and b"hook Stop" in (real / "claude.json").read_bytes()
    (tmp_path / "outside").mkdir()
    (workspace / ".pi").symlink_to(tmp_path / "outside")
    assert main(["install", "pi", "--yes"]) == 7
    assert left_in(tmp_path / "outside") == []


def test_for_a_user(
    workspace: Path, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["install", "pi", "--user", "--yes"]) == 0
    assert state_of((home / ".pi/agent/extensions/hippo.ts").read_text()) == "ours"
    assert main(["install", "claude-code", "--user", "--yes"]) == 0
    assert (home / ".claude/settings.json").exists()
    monkeypatch.setenv("PI_CODING_AGENT_DIR", str(tmp_path / "moved"))
    assert main(["install", "pi", "--user", "--yes"]) == 0
    assert (tmp_path / "moved/extensions/hippo.ts").exists()
    assert main(["install", "openclaw", "--user", "--yes"]) == 18
    assert left_in(workspace) == ["HIPPOCAMPUS.md"]
    for folder in (".pi", ".claude"):
        shutil.rmtree(home / folder)


def test_openclaw(
    workspace: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    state = tmp_path / "claw"
    monkeypatch.setenv("OPENCLAW_STATE_DIR", str(state))
    assert main(["install", "openclaw", "--yes"]) == 18
    assert "no OpenClaw here" in capsys.readouterr().err
    own = state / "workspace"
    own.mkdir(parents=True)
    assert main(["install", "openclaw", "--yes"]) == 0
    assert "safeguard" in capsys.readouterr().err
    assert state_of((own / ".pi/extensions/hippo.ts").read_text()) == "ours"
    assert main(["install", "openclaw", "--yes", "--workspace", str(workspace)]) == 0
    assert (workspace / ".pi/extensions/hippo.ts").exists()
    database = state / "agents/main/agent/openclaw-agent.sqlite"
    database.parent.mkdir(parents=True)
    database.touch()
    assert main(["install", "openclaw", "--yes"]) == 18
    assert "newer than the layout of February 2026" in capsys.readouterr().err
    monkeypatch.setenv("HIPPO_WORKSPACE", str(own))
    assert main(["uninstall", "openclaw", "--yes"]) == 0
    assert left_in(own) == []


def test_hooks_without_an_index_are_told_of(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (workspace / "HIPPOCAMPUS.md").rename(workspace / "MEMORY.md")
    assert main(["install", "claude-code", "--yes"]) == 0
    assert "there is no index yet" in capsys.readouterr().err


def test_a_hippo_that_agents_would_not_find_is_told_of(
    workspace: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(install, "program", lambda: ("/opt/python", "-m", "hippocampus_cli"))
    assert main(["install", "pi", "--dry-run"]) == 0
    assert "`hippo` is not on the PATH" in capsys.readouterr().err


def test_a_bare_name_only_where_it_finds_this_hippo(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "venv").mkdir()
    (tmp_path / "bin").mkdir()
    monkeypatch.setattr(sys, "executable", str(tmp_path / "venv/python"))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    absolute = (sys.executable, "-P", "-m", "hippocampus_cli")
    assert installing.program() == absolute
    for folder in ("venv", "bin"):
        script = tmp_path / folder / "hippo"
        script.write_text("#!/bin/sh\n")
        script.chmod(0o755)
    assert installing.program() == absolute
    (tmp_path / "bin/hippo").unlink()
    (tmp_path / "bin/hippo").symlink_to(tmp_path / "venv/hippo")
    assert installing.program() == ("hippo",)
