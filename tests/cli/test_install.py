"""``hippo install`` and ``hippo uninstall`` from end to end."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path

import pytest

from hippocampus_cli.api import agents
from hippocampus_cli.cli.main import main
from hippocampus_cli.integrations.extensions import state_of

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


@pytest.fixture(autouse=True)
def nowhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No agent is here but what a test makes, and nothing of it in the home of tests."""
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("PI_CODING_AGENT_DIR", str(tmp_path / "pi-agent"))


def trust(workspace: Path, told: dict[str, bool]) -> None:
    folder = workspace.parent / "pi-agent"
    folder.mkdir(exist_ok=True)
    (folder / "trust.json").write_text(json.dumps(told))


def program_of(folder: Path, name: str, package: str, version: str, **more: object) -> None:
    """A program on the PATH, a link into its package as npm makes one."""
    package_folder = folder / "lib/node_modules" / package
    (package_folder / "dist").mkdir(parents=True)
    about = {"name": package, "version": version, **more}
    (package_folder / "package.json").write_text(json.dumps(about))
    script = package_folder / "dist/cli.js"
    script.write_text("#!/usr/bin/env node\n")
    script.chmod(0o755)
    (folder / "bin").mkdir(exist_ok=True)
    (folder / "bin" / name).unlink(missing_ok=True)
    (folder / "bin" / name).symlink_to(script)


@pytest.mark.skipif(sys.platform == "win32", reason="npm makes no links on Windows")
def test_pi_that_was_not_told_to_trust_the_folder_loads_nothing(
    workspace: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["install", "pi", "--yes"]) == 0
    out, err = capsys.readouterr()
    assert out.endswith("hippo.ts; whether it is loaded cannot be seen from here\n")
    assert "from 0.79.0 on" in err
    program_of(tmp_path, "pi", "@earendil-works/pi-coding-agent", "0.87.1")
    assert main(["install", "pi"]) == 1
    out = capsys.readouterr().out
    assert "written before for pi" in out and "; not loaded because Pi from 0.79.0 on" in out
    assert "(here is 0.87.1)" in out and "installed" not in out
    trust(workspace, {str(workspace.resolve()): False, str(tmp_path.resolve()): True})
    assert main(["install", "pi", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["loaded"] is False
    trust(workspace, {str(tmp_path.resolve()): True})
    assert main(["install", "pi"]) == 0
    assert capsys.readouterr().out.startswith("already installed in pi")
    trust(workspace, {})
    (tmp_path / "pi-agent/settings.json").write_text('{"defaultProjectTrust": "always"}')
    assert main(["install", "pi"]) == 0
    (tmp_path / "pi-agent/settings.json").write_text("{}")
    shutil.rmtree(tmp_path / "lib")
    program_of(tmp_path, "pi", "@mariozechner/pi-coding-agent", "0.73.1")
    assert main(["install", "pi"]) == 0
    assert capsys.readouterr().out.endswith(
        f"already installed in pi: {workspace}/.pi/extensions/hippo.ts\n"
    )
    (workspace / ".pi/settings.json").write_text('{"extensions": ["-extensions/hippo.ts"]}')
    assert main(["install", "pi"]) == 1
    assert "leaves it out: -extensions/hippo.ts" in capsys.readouterr().out


def test_hooks_that_are_switched_off_are_not_installed(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = settings_of(workspace, b'{"disableAllHooks": true}')
    assert main(["install", "claude-code", "--yes"]) == 1
    told = capsys.readouterr().out
    assert f"written for claude-code: {path}; not loaded because {path} has disableAllHooks" in told
    path.write_text("{}")
    path.with_name("settings.local.json").write_text('{"disableAllHooks": true}')
    assert main(["install", "claude-code", "--yes"]) == 1
    assert "settings.local.json has disableAllHooks" in capsys.readouterr().out


@pytest.mark.skipif(sys.platform == "win32", reason="npm makes no links on Windows")
def test_an_older_claude_code_is_told_of(
    workspace: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program_of(tmp_path, "claude", "@anthropic-ai/claude-code", "2.0.76")
    assert main(["install", "claude-code", "--yes"]) == 0
    assert "this Claude Code is 2.0.76: large outputs are not replaced" in capsys.readouterr().err
    versions = tmp_path / "share/claude/versions"
    versions.mkdir(parents=True)
    (versions / "2.1.330").write_text("")
    (versions / "2.1.330").chmod(0o755)
    (tmp_path / "bin/claude").unlink()
    (tmp_path / "bin/claude").symlink_to(versions / "2.1.330")
    assert main(["install", "claude-code"]) == 0
    assert "large outputs" not in capsys.readouterr().err


@pytest.mark.skipif(sys.platform == "win32", reason="npm makes no links on Windows")
def test_an_openclaw_that_asks_no_extension_is_refused_or_told_of(
    workspace: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    state = tmp_path / "claw"
    (state / "workspace").mkdir(parents=True)
    monkeypatch.setenv("OPENCLAW_STATE_DIR", str(state))
    config = state / "openclaw.json"
    config.write_text('{"meta": {"lastTouchedVersion": "2026.9.6"}}')
    assert main(["install", "openclaw", "--yes"]) == 18
    assert "OpenClaw 2026.9.6 embeds no Pi any more" in capsys.readouterr().err
    program_of(tmp_path, "openclaw", "openclaw", "2026.5.28")
    config.write_text("{}")
    assert main(["install", "openclaw", "--yes"]) == 18
    shutil.rmtree(tmp_path / "lib")
    program_of(tmp_path, "openclaw", "openclaw", "2026.5.27")
    assert left_in(state) == ["openclaw.json", "workspace"]
    for compaction, code in (({}, 1), ({"mode": "safeguard"}, 1), ({"mode": "default"}, 0)):
        config.write_text(json.dumps({"agents": {"defaults": {"compaction": compaction}}}))
        assert main(["install", "openclaw", "--yes"]) == code
        out = capsys.readouterr().out
        assert ("not loaded because agents.defaults.compaction.mode" in out) == bool(code)
        assert ("installed in openclaw" in out) != bool(code)


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
    assert [*hooks] == ["SessionStart", "UserPromptSubmit", "PostToolUse", "Stop", "PreCompact"]
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
    monkeypatch.setattr(agents, "program", lambda: ("hippo",))
    trust(workspace, {str(workspace.resolve()): True})
    assert main(["install", "pi", "--json", "--yes"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert {**told, "changes": 0} == {
        "agent": "pi",
        "action": "install",
        "path": str(workspace / ".pi/extensions/hippo.ts"),
        "written": True,
        "changes": 0,
        "loaded": True,
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


@pytest.mark.usefixtures("permissions_bind")
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
    for text, word in ((edited, "it was edited"), ("mine\n", "another file has this name")):
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
    monkeypatch.delenv("PI_CODING_AGENT_DIR")
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
    assert "OpenClaw was not found" in capsys.readouterr().err
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
    monkeypatch.setattr(agents, "program", lambda: ("/opt/python", "-m", "hippocampus_cli"))
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
    assert agents.program() == absolute
    for folder in ("venv", "bin"):
        script = tmp_path / folder / "hippo"
        script.write_text("#!/bin/sh\n")
        script.chmod(0o755)
    assert agents.program() == absolute
    (tmp_path / "bin/hippo").unlink()
    (tmp_path / "bin/hippo").symlink_to(tmp_path / "venv/hippo")
    assert agents.program() == ("hippo",)
