"""``hippo install`` and ``hippo uninstall`` from end to end."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from hippocampus_cli.cli.main import main
from hippocampus_cli.errors import FileUnwritable
from hippocampus_cli.integrations import agents, hook_settings, loading
from hippocampus_cli.integrations.extensions import extension_text
from hippocampus_cli.integrations.hook_dialects import EVENTS
from hippocampus_cli.integrations.hook_log import Ran, write
from tests.support.command_line import Hippo

OURS = "// Written by `hippo install`"
MINE = b'{\r\n\t"model": "opus",\r\n\t"hooks": {"PreCompact": []}\r\n}\r\n'


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


def test_pi_that_was_not_told_to_trust_the_folder_loads_nothing(
    workspace: Path, tmp_path: Path, hippo: Hippo
) -> None:
    told = hippo("install pi --yes", code=1)
    assert "; not loaded because Pi loads nothing of a folder" in told.out
    trust(workspace, {str(workspace.resolve()): False, str(tmp_path.resolve()): True})
    assert hippo("install pi --json", code=1).json["loaded"] is False
    trust(workspace, {str(tmp_path.resolve()): True})
    assert hippo("install pi").out.startswith("already installed in pi")
    trust(workspace, {})
    (tmp_path / "pi-agent/settings.json").write_text('{"defaultProjectTrust": "always"}')
    hippo("install pi")
    (tmp_path / "pi-agent/settings.json").write_text("{}")
    (workspace / ".pi/settings.json").write_text('{"extensions": ["-extensions/hippo.ts"]}')
    assert "leaves it out: -extensions/hippo.ts" in hippo("install pi", code=1).out


@pytest.mark.skipif(sys.platform == "win32", reason="npm makes no links on Windows")
def test_openclaw_gets_a_plugin_in_its_own_folder(
    workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hippo: Hippo
) -> None:
    state = tmp_path / "claw"
    monkeypatch.setenv("OPENCLAW_STATE_DIR", str(state))
    assert "OpenClaw was not found" in hippo("install openclaw --yes", code=18).err
    (state / "workspace").mkdir(parents=True)
    config = state / "openclaw.json"
    config.write_text('{"meta": {"lastTouchedVersion": "2026.9.6"}}')
    before = config.read_bytes()
    hippo("install openclaw --yes")
    assert (state / "extensions/hippo/index.js").read_text().startswith(OURS)
    hippo("install openclaw --check")
    blocked = json.loads(config.read_text())
    blocked["plugins"] |= {"allow": ["other"], "deny": ["hippo"]}
    blocked["plugins"]["entries"]["hippo"]["enabled"] = False
    shown = config.read_bytes()
    config.write_text(json.dumps(blocked))
    told = hippo("install openclaw --check", code=1).out
    assert "plugins.allow" in told and "plugins.deny" in told and "entries.hippo" in told
    config.write_bytes(shown)
    hippo("uninstall openclaw --yes")
    assert config.read_bytes() == before
    assert left_in(state) == ["openclaw.json", "workspace"]


def left_in(root: Path) -> list[str]:
    return sorted(path.relative_to(root).as_posix() for path in root.rglob("*"))


def test_without_a_terminal_it_shows_and_writes_nothing(workspace: Path, hippo: Hippo) -> None:
    path = settings_of(workspace)
    out, err = hippo("install claude-code", code=2)
    title, first, *_ = out.splitlines()
    assert title == "put hippo into 1 agent, 3 files"
    assert first.split("\t")[1] == ".claude/settings.json" and first.endswith(" -1")
    assert (out + err).count("nothing was written") == 1
    out = hippo("install claude-code --diff", code=2).out
    assert f"\n{path}\n│  {{\n" in out
    assert '│ +    "hooks": {"SessionStart": [\n' in out and '\n│      "model": "opus",\n' in out
    assert "no terminal to ask on; add --yes" in err
    assert path.read_bytes() == MINE
    hippo("install claude-code --dry-run --yes")
    assert path.read_bytes() == MINE


def test_claude_code_and_back(workspace: Path, hippo: Hippo) -> None:
    path = settings_of(workspace)
    assert f"installed in claude-code: {path}" in hippo("install claude-code --yes").out
    hooks = json.loads(path.read_bytes())["hooks"]
    assert {*hooks} == {*EVENTS}
    assert b"\n" not in path.read_bytes().replace(b"\r\n", b"")
    assert hippo("install claude-code").out == f"already installed in claude-code: {path}\n"
    hippo("uninstall claude-code --yes")
    assert path.read_bytes() == MINE
    assert f"not installed in claude-code: {path}" in hippo("uninstall claude-code").out


@pytest.mark.parametrize(
    "agent", ["claude-code", "codex", "gemini", "cursor", "opencode", "pi", "any"]
)
def test_what_was_not_there_is_gone_again(workspace: Path, agent: str, hippo: Hippo) -> None:
    before = left_in(workspace)
    assert main(["install", agent, "--yes"]) in (0, 1)
    assert left_in(workspace) != before
    hippo("uninstall", agent, "--yes")
    assert left_in(workspace) == before


def test_json(workspace: Path, monkeypatch: pytest.MonkeyPatch, hippo: Hippo) -> None:
    monkeypatch.setattr(agents, "program", lambda: ("hippo",))
    trust(workspace, {str(workspace.resolve()): True})
    told = hippo("install pi --json --yes").json
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
    assert hippo("uninstall pi --json", code=2).json["written"] is False


@pytest.mark.parametrize(
    ("text", "word"),
    [(b'{"a": 1,', "not valid JSON"), (b'{"a": 1} // x', "a comment"), (b"[]", "not an object")],
)
def test_settings_that_cannot_be_read_stay_as_they_are(
    workspace: Path, hippo: Hippo, text: bytes, word: str
) -> None:
    path = settings_of(workspace, text)
    for command in ("install", "uninstall"):
        assert word in hippo(command, "claude-code", "--yes", code=18).err
    assert path.read_bytes() == text


@pytest.mark.usefixtures("permissions_bind")
def test_no_permission(workspace: Path, hippo: Hippo) -> None:
    path = settings_of(workspace)
    path.parent.chmod(0o555)
    try:
        told = hippo("install claude-code --yes", code=6)
    finally:
        path.parent.chmod(0o755)
    assert "Permission denied; nothing was changed" in told.err
    assert path.read_bytes() == MINE


def test_something_in_the_way(workspace: Path, hippo: Hippo) -> None:
    (workspace / ".claude").write_text("a file")
    (workspace / ".pi/extensions/hippo.ts").mkdir(parents=True)
    assert "nothing was changed" in hippo("install claude-code --yes", code=6).err
    hippo("install pi --yes", code=6)
    assert (workspace / ".claude").read_text() == "a file"


def test_an_extension_that_is_not_ours_any_more_stays(workspace: Path, hippo: Hippo) -> None:
    path = workspace / ".pi/extensions/hippo.ts"
    trust(workspace, {str(workspace.resolve()): True})
    hippo("install pi --yes")
    edited = path.read_text().replace("30_000", "5_000")
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))  # as git may do
    hippo("install pi --yes")
    for text, word in ((edited, "it was edited"), ("mine\n", "another file has this name")):
        path.write_text(text)
        for command in ("install", "uninstall"):
            assert word in hippo(command, "pi", "--yes", code=18).err
        assert path.read_text() == text


def test_the_program_stands_in_an_extension_word_by_word() -> None:
    text = extension_text(["/opt/my venv/bin/python", "-m", 'a"b\\c', "${x}"], "pi")
    line = 'const PROGRAM: string[] = ["/opt/my venv/bin/python", "-m", "a\\"b\\\\c", "${x}"];'
    assert text.count("const PROGRAM") == 1 and f"\n{line}\n" in text


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
    assert (home / ".pi/agent/extensions/hippo.ts").read_text().startswith(OURS)
    assert main(["install", "claude-code", "--user", "--yes"]) == 0
    assert (home / ".claude/settings.json").exists()
    monkeypatch.setenv("PI_CODING_AGENT_DIR", str(tmp_path / "moved"))
    assert main(["install", "pi", "--user", "--yes"]) == 0
    assert (tmp_path / "moved/extensions/hippo.ts").exists()
    assert main(["install", "openclaw", "--user", "--yes"]) == 18
    assert left_in(workspace) == ["HIPPOCAMPUS.md"]


def test_a_folder_of_notes_without_an_index_gets_one(workspace: Path, hippo: Hippo) -> None:
    (workspace / "HIPPOCAMPUS.md").rename(workspace / "MEMORY.md")
    hippo("install claude-code --dry-run")
    assert not (workspace / "HIPPOCAMPUS.md").exists()
    assert "HIPPOCAMPUS.md is created from the notes" in hippo("install claude-code --yes").out
    assert (workspace / "HIPPOCAMPUS.md").exists()


def test_a_hippo_that_agents_would_not_find_is_told_of(
    workspace: Path, monkeypatch: pytest.MonkeyPatch, hippo: Hippo
) -> None:
    monkeypatch.setattr(agents, "program", lambda: ("/opt/python", "-m", "hippocampus_cli"))
    told = hippo("install pi --dry-run").err
    assert "`hippo` on the PATH is not there" in told
    assert f"what is written starts {sys.executable}, a path of this machine alone" in told


def test_a_dry_run_of_several_says_once_that_nothing_was_written(
    agents_here: Path, hippo: Hippo
) -> None:
    assert hippo("install --dry-run").out.count("nothing was written") == 1


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


@pytest.fixture
def agents_here(workspace: Path, home: Path) -> Path:
    """Claude Code, Codex and Gemini CLI by their folders, with settings of somebody's."""
    own = {".claude": MINE, ".gemini": b'{"hooksConfig": {"enabled": true}}', ".codex": None}
    for name, settings in own.items():
        (home / name).mkdir()
        if settings:
            (workspace / name).mkdir()
            (workspace / name / "settings.json").write_bytes(settings)
    return workspace


def bytes_of(root: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def test_without_a_name_every_agent_that_is_here(agents_here: Path, hippo: Hippo) -> None:
    before = bytes_of(agents_here)
    hippo("install", code=2)  # nobody to ask
    assert bytes_of(agents_here) == before
    out = hippo("install --yes", code=1).out
    assert f"installed in claude-code: {agents_here}/.claude/settings.json" in out
    assert f"written for codex: {agents_here}/.codex/hooks.json; not loaded because Codex" in out
    assert "written for gemini" in out and "Gemini CLI does not trust this folder" in out
    assert "cursor" not in out and "opencode" not in out
    told = hippo("install --json", code=1).json
    assert [one["agent"] for one in told["agents"]] == ["claude-code", "codex", "gemini", "any"]
    hippo("uninstall --yes")
    assert bytes_of(agents_here) == before


def test_what_a_teammate_committed_stays_as_it_is(
    agents_here: Path, monkeypatch: pytest.MonkeyPatch, hippo: Hippo
) -> None:
    """Files that start hippo by its name are everybody's: no path of this machine comes into them."""
    monkeypatch.setattr(agents, "program", lambda: ("hippo",))
    hippo("install --yes", code=1)
    shared = bytes_of(agents_here)
    monkeypatch.setattr(
        agents, "program", lambda: ("/home/me/bin/python", "-P", "-m", "hippocampus_cli")
    )
    hippo("install --yes", code=1)
    assert bytes_of(agents_here) == shared
    settings = agents_here / ".gemini/settings.json"
    turned = dict(reversed(json.loads(settings.read_text()).items()))
    settings.write_text(json.dumps(turned))  # an agent wrote into its settings
    hippo("install --yes", code=1)
    assert json.loads(settings.read_text()) == turned and "\n" not in settings.read_text()
    hippo("uninstall --yes")
    assert not any(
        b"hippo" in data for name, data in bytes_of(agents_here).items() if "HIPPO" not in str(name)
    )


def test_where_one_cannot_be_written_none_is(agents_here: Path) -> None:
    every = agents.Agents(os.environ, lambda: agents_here)
    plans = [every.install(one) for one in every.found()]
    (agents_here / ".gemini/settings.json").write_text("{}")  # changed since it was shown
    before = bytes_of(agents_here)
    with pytest.raises(FileUnwritable, match="in the meantime"):
        every.carry_out(*plans)
    assert bytes_of(agents_here) == before


def test_a_check_reads_the_log(agents_here: Path, hippo: Hippo) -> None:
    assert hippo("install --check", code=1).out.startswith("claude-code  not installed\n")
    hippo("install --yes", code=1)
    write(agents_here, Ran("2026-11-23T09:00:00+00:00", "codex", "SessionStart", 300, 90, "s1"))
    claude, codex, gemini = hippo("install --check --json", code=1).json["checks"]
    assert (claude["installed"], claude["loaded"], claude["runs"]) == (True, True, [])
    assert codex["loaded"] is True and codex["runs"][0]["event"] == "SessionStart"
    assert gemini["loaded"] is False
    told = hippo("install codex --check").out
    assert "asked last at 2026-11-23T09:00:00+00:00 (SessionStart)" in told
    assert "\n             the MCP server starts, with 6 tools\n" in told and claude["tools"] == 6
    settings = agents_here / ".codex/config.toml"
    settings.write_text(settings.read_text().replace('"mcp"]', '"mcp", "--nonsense"]'))
    assert "MCP server does not start" in hippo("install codex --check", code=25).out


def test_without_an_agent_here_any_other_is_told(workspace: Path, hippo: Hippo) -> None:
    before = bytes_of(workspace)
    assert hippo("install --yes").out.startswith("put hippo into the workspace, ")
    assert (workspace / "AGENTS.md").is_file()
    hippo("uninstall --yes")
    assert bytes_of(workspace) == before
    assert "name one" in hippo("install --user --yes", code=18).err


def test_everything_is_taken_out_but_a_folder_by_which_an_agent_is_found(
    workspace: Path, home: Path, monkeypatch: pytest.MonkeyPatch, hippo: Hippo
) -> None:
    monkeypatch.setenv("PATH", os.defpath)
    (home / ".claude").mkdir(exist_ok=True)
    subprocess.run(["git", "init", "-q"], cwd=workspace, check=True)
    before = bytes_of(workspace)
    hippo("install claude-code --user --yes")
    hippo("install git --yes")
    hippo("uninstall claude-code --user --yes")
    hippo("uninstall --yes")
    assert (home / ".claude").is_dir() and bytes_of(workspace) == before


def test_what_codex_and_gemini_trust_is_loaded(agents_here: Path, home: Path, hippo: Hippo) -> None:
    root = agents_here.resolve()
    hooks = root / ".codex/hooks.json"
    (home / ".codex/config.toml").write_text(
        f'[projects."{root}"]\ntrust_level = "trusted"\n'
        f'[hooks.state."{hooks}:session_start:0:0"]\ntrusted_hash = "sha256:1"\n'
    )
    (home / ".gemini/trustedFolders.json").write_text(json.dumps({str(root): "TRUST_FOLDER"}))
    hippo("install --yes")
    (root / ".gemini/settings.json").write_text('{"hooksConfig": {"enabled": false}}')
    (home / ".codex/config.toml").write_text("[features]\nhooks = false\n")
    out = hippo("install --yes", code=1).out
    assert "features.hooks = false" in out and "hooksConfig.enabled = false" in out


@pytest.mark.parametrize(
    "text", [b"# Mine\n", b"# Mine", b"a\r\nb\r\n", b"a\r\nb", b"\n", b"x\n\n\n"]
)
def test_instructions_for_any_agent_come_and_go(workspace: Path, text: bytes, hippo: Hippo) -> None:
    for name in ("AGENTS.md", "CLAUDE.md"):
        (workspace / name).write_bytes(text)
    before = bytes_of(workspace)
    hippo("install any --yes")
    made = bytes_of(workspace)
    for name in ("AGENTS.md", "CLAUDE.md"):
        assert made[str(workspace / name)].startswith(text)
        assert b'query "what you look for" --or' in made[str(workspace / name)]
    skill = workspace / ".agents/skills/hippo-memory/SKILL.md"
    assert skill.read_text().startswith("---\nname: hippo-memory\ndescription: ")
    skill.write_text("---\nname: hippo-memory\ndescription: Of another version.\n---\nold\n")
    hippo("install any --yes")
    assert bytes_of(workspace) == made
    hippo("uninstall any --yes")
    assert bytes_of(workspace) == before


def test_claude_md_that_includes_the_other_is_left_alone(workspace: Path, hippo: Hippo) -> None:
    (workspace / "CLAUDE.md").write_text("@AGENTS.md\n")
    hippo("install any --yes")
    assert (workspace / "CLAUDE.md").read_text() == "@AGENTS.md\n"
    with (workspace / "AGENTS.md").open("a") as file:
        file.write("\nMine.\n")
    hippo("uninstall any --yes")
    assert (workspace / "AGENTS.md").read_text() == "\nMine.\n"


@pytest.mark.parametrize(
    ("agent", "file", "setting"),
    [
        ("claude-code", ".claude/settings.json", '{"disableAllHooks": true}'),
        ("claude-code", "{}/.claude/settings.local.json", '{"disableAllHooks": true}'),
        ("codex", ".codex/config.toml", "[features]\nhooks = false\n"),
        ("gemini", ".gemini/settings.json", '{"hooksConfig": {"enabled": false}}'),
        ("pi", ".pi/agent/settings.json", '{"extensions": ["-hippo.ts"]}'),
    ],
)
def test_what_ran_before_it_was_switched_off_does_not_count(
    agent: str,
    file: str,
    setting: str,
    workspace: Path,
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    hippo: Hippo,
) -> None:
    monkeypatch.delenv("PI_CODING_AGENT_DIR", raising=False)
    monkeypatch.setattr(loading, "start_fault", lambda command: "")  # nothing has to start for this
    monkeypatch.setattr(loading, "tools_of_server", lambda words, folder: 6)
    hippo("install", agent, "--yes", code=None)
    log = workspace / ".hippocampus/cache/hooks.log"
    log.parent.mkdir(parents=True)
    log.write_text(f"2026-11-23T16:36:15+00:00 {agent} SessionStart 205 tokens 30 ms s1\n")
    hippo("install", agent, "--check")
    place = home / file.format(workspace)
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(setting)
    assert "installed, but not loaded:" in hippo("install", agent, "--check", code=1).out


def test_each_worktree_gets_its_own_files_once(
    workspace: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where the memory is the main one's, an agent in another worktree still reads the files of that worktree."""
    other = workspace.parent / "other"
    monkeypatch.setenv("PATH", os.defpath)
    for words in ("init -q", "commit -q --allow-empty -m x", f"worktree add -q {other}"):
        own = ("git", "-c", "user.name=a", "-c", "user.email=a@b", *words.split())
        subprocess.run(own, cwd=workspace, check=True)
    before = bytes_of(other), bytes_of(workspace)
    made = []
    for folder in (other, workspace):
        monkeypatch.chdir(folder)
        for agent in ("claude-code", "any", "git"):
            assert main(["install", agent, "--yes"]) == 0
        made.append(
            {name.removeprefix(str(folder)): data for name, data in bytes_of(folder).items()}
        )
        once = bytes_of(other), bytes_of(workspace)
        capsys.readouterr()
        assert main(["install", "claude-code"]) == main(["install", "git"]) == 0
        assert capsys.readouterr().out.count("already installed") == 2
        assert (bytes_of(other), bytes_of(workspace)) == once
    assert made[0].items() - {("/.git", before[0][f"{other}/.git"])} <= made[1].items()
    for folder in (workspace, other):
        monkeypatch.chdir(folder)
        for agent in ("claude-code", "any", "git"):
            assert main(["uninstall", agent, "--yes"]) == 0
    assert (bytes_of(other), bytes_of(workspace)) == before


def test_windows_paths_stand_in_every_file_as_its_agent_reads_them(
    workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    python = "C:\\Program Files\\Python\\python.exe"
    monkeypatch.setattr(sys, "executable", python)
    nt = SimpleNamespace(name="nt", path=os.path, lexists=os.path.lexists)
    monkeypatch.setattr(agents, "os", nt)
    monkeypatch.setattr(hook_settings, "os", nt)
    words = ["C:/Program Files/Python/python.exe", "-P", "-m", "hippocampus_cli"]
    assert [*agents.program()] == words
    for agent in ("claude-code", "codex", "gemini", "cursor", "opencode", "pi"):
        before = bytes_of(workspace)
        assert main(["install", agent, "--yes"]) in (0, 1)
        texts = [data.decode() for name, data in bytes_of(workspace).items() if name not in before]
        assert texts and all("C:/Program Files/Python/python.exe" in text for text in texts)
        assert not any("\\Program" in text for text in texts)
        assert main(["install", agent, "--yes"]) in (0, 1)
        assert main(["uninstall", agent, "--yes"]) == 0 and bytes_of(workspace) == before
