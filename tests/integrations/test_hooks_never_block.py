"""Whatever is written into an agent's settings ends in success, and in time, whatever became of hippo since."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hippocampus_cli.cli.main import main
from hippocampus_cli.integrations import hook_settings
from hippocampus_cli.integrations.extensions import extension_text
from hippocampus_cli.integrations.hook_settings import LAYOUTS, edit_hooks

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="hooks are run by sh here")

SYSTEM = "/usr/bin:/bin"
EVENT = json.dumps({"session_id": "s1", "prompt": "what is the port", "source": "startup"})
BROKEN = {
    "exits with 1": "exit 1",
    "exits with 2": "echo no >&2; exit 2",
    "exits with 126": "exit 126",
    "exits with 127": "exit 127",
    "is killed": "kill -9 $$",
    "reads nothing": "exec 0<&-; exit 3",
}
LAYOUT_NAMES = sorted(LAYOUTS)


def written(agent: str) -> list[str]:
    text = edit_hooks(agent, ["hippo"], "settings.json", "", True)
    found = hook_settings.commands(text, "settings.json")
    assert len(found) == len(LAYOUTS[agent].hooks)
    return found


def fake(folder: Path, script: str) -> str:
    """A PATH with a hippo that is this script of a shell."""
    folder.mkdir(exist_ok=True)
    path = folder / "hippo"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return f"{folder}:{SYSTEM}"


def ran(
    command: str, path: str, folder: Path, shell: str = "sh"
) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PATH": path}
    return subprocess.run(
        [shell, "-c", command],
        env=environment,
        cwd=folder,
        input=EVENT,
        capture_output=True,
        text=True,
        timeout=30,
    )


@pytest.mark.parametrize("shell", ["sh", "bash"])
@pytest.mark.parametrize("agent", LAYOUT_NAMES)
def test_without_hippo_every_command_succeeds(agent: str, shell: str, tmp_path: Path) -> None:
    for command in written(agent):
        done = ran(command, SYSTEM, tmp_path, shell)
        assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.parametrize("script", BROKEN.values(), ids=BROKEN)
@pytest.mark.parametrize("agent", LAYOUT_NAMES)
def test_a_broken_hippo_is_a_success_too(agent: str, script: str, tmp_path: Path) -> None:
    path = fake(tmp_path / "bin", script)
    for command in written(agent):
        assert ran(command, path, tmp_path).returncode == 0


@pytest.mark.parametrize("agent", LAYOUT_NAMES)
def test_an_interpreter_that_is_gone_is_a_success_too(agent: str, tmp_path: Path) -> None:
    path = fake(tmp_path / "bin", "")
    (tmp_path / "bin/hippo").write_text("#!/nowhere/python\n")
    for command in written(agent):
        assert ran(command, path, tmp_path).returncode == 0
    text = edit_hooks(
        agent, ["/nowhere/my venv/python", "-P", "-m", "hippocampus_cli"], "x", "", True
    )
    for command in hook_settings.commands(text, "x"):
        assert ran(command, SYSTEM, tmp_path).returncode == 0


@pytest.mark.skipif(not shutil.which("timeout", path=SYSTEM), reason="no timeout here")
@pytest.mark.parametrize("agent", LAYOUT_NAMES)
def test_a_hippo_that_hangs_is_stopped_with_all_it_started(agent: str, tmp_path: Path) -> None:
    path = fake(tmp_path / "bin", "sleep 900")
    first = written(agent)[0]
    began = time.monotonic()
    seconds = LAYOUTS[agent].hooks[0].timeout - 1
    done = ran(first.replace(f"echo {seconds})", "echo 1)"), path, tmp_path)
    assert done.returncode == 0 and time.monotonic() - began < 20


@pytest.mark.parametrize("agent", LAYOUT_NAMES)
def test_the_commands_answer_before_the_agent_gives_up(agent: str) -> None:
    layout = LAYOUTS[agent]
    for hook, command in zip(layout.hooks, written(agent), strict=True):
        assert f"echo {hook.timeout - 1})" in command and command.endswith(" || exit 0")


def test_windows_shells_get_what_they_know(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hook_settings.os, "name", "nt")
    assert written("claude-code")[0] == "hippo hook PreCompact || exit 0"
    assert written("gemini")[1] == "hippo hook SessionStart --agent gemini; exit 0"


@pytest.mark.parametrize("agent", LAYOUT_NAMES)
def test_the_real_one_answers(agent: str, tmp_path: Path) -> None:
    (tmp_path / "HIPPOCAMPUS.md").write_text(
        "# HIPPOCAMPUS.md\n\n## Print server\n→ TOOLS.md\n<!-- hx: id=a -->\nPort 7002.\n"
    )
    (tmp_path / "TOOLS.md").write_text("# Tools\n\nThe print server has port 7002.\n")
    path = fake(tmp_path / "bin", f'exec {sys.executable} -P -m hippocampus_cli "$@"')
    start = next(one for one in written(agent) if "SessionStart" in one)
    done = ran(start, path, tmp_path)
    assert done.returncode == 0 and "hippo" in json.dumps(json.loads(done.stdout))


@pytest.mark.parametrize("agent", LAYOUT_NAMES)
def test_what_an_older_hippo_wrote_is_renewed_and_nobody_elses(agent: str) -> None:
    layout = LAYOUTS[agent]
    hook = next(one for one in layout.hooks if one.event.lower() == "sessionstart")
    older = " ".join(("hippo hook", hook.name, *layout.options))
    other = "other-hippo-tool hook"
    handlers = [{"command": older, "timeout": 10}, {"command": other}]
    groups = handlers if not layout.grouped else [{"hooks": handlers}]
    text = json.dumps({"hooks": {hook.event: groups}})
    assert hook_settings.commands(text, "x") == [older]
    made = edit_hooks(agent, ["hippo"], "x", text, True)
    assert older not in hook_settings.commands(made, "x") and other in made
    assert len(hook_settings.commands(made, "x")) == len(layout.hooks)
    assert edit_hooks(agent, ["hippo"], "x", made, True) == made
    assert other in edit_hooks(agent, [], "x", made, False)


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "agent"
    (root / ".gemini").mkdir(parents=True)
    (root / "HIPPOCAMPUS.md").write_text("# HIPPOCAMPUS.md\n")
    monkeypatch.chdir(root)
    return root


def installed(workspace: Path, agent: str, program: list[str]) -> Path:
    path = workspace / {"gemini": ".gemini/settings.json", "pi": ".pi/extensions/hippo.ts"}[agent]
    path.parent.mkdir(parents=True, exist_ok=True)
    is_pi = agent == "pi"
    path.write_text(
        extension_text(program, "pi") if is_pi else edit_hooks(agent, program, "x", "", True)
    )
    return path


@pytest.mark.parametrize("agent", ["gemini", "pi"])
@pytest.mark.parametrize(
    ("script", "told"),
    [
        (None, "`hippo` is not on the PATH"),
        ("echo oh >&2; exit 2", "`hippo` is broken (exit code 2): oh"),
        ("echo '{'", "`hippo` is broken (exit code 0): {"),
        ("true", "`hippo` is broken (exit code 0)"),
    ],
)
def test_a_check_starts_what_is_installed(
    agent: str,
    script: str | None,
    told: str,
    workspace: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = SYSTEM if script is None else fake(tmp_path / "bin", script)
    monkeypatch.setenv("PATH", path)
    file = installed(workspace, agent, ["hippo"])
    before = file.read_bytes()
    assert main(["install", agent, "--check"]) == 25
    assert capsys.readouterr().out.startswith(f"{agent:<13}installed, but {told}")
    assert main(["install", agent, "--check", "--json"]) == 25
    (document,) = json.loads(capsys.readouterr().out)["checks"]
    assert document["installed"] is True and document["fault"].startswith(told)
    assert file.read_bytes() == before


def test_a_program_by_its_path_that_is_gone_is_told(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    installed(workspace, "gemini", ["/nowhere/my venv/python", "-P", "-m", "hippocampus_cli"])
    assert main(["install", "gemini", "--check"]) == 25
    assert "installed, but `/nowhere/my venv/python` is not there\n" in capsys.readouterr().out


def test_a_check_tells_of_what_an_older_hippo_wrote(
    workspace: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = fake(tmp_path / "bin", f'exec {sys.executable} -P -m hippocampus_cli "$@"')
    monkeypatch.setenv("PATH", path)
    handler = {"type": "command", "command": "hippo hook SessionStart --agent gemini"}
    file = workspace / ".gemini/settings.json"
    file.write_text(json.dumps({"hooks": {"SessionStart": [{"hooks": [handler]}]}}))
    assert main(["install", "gemini", "--check"]) == 1
    told = capsys.readouterr().out
    assert "installed, but it is not up to date: run `hippo install gemini`\n" in told
    main(["install", "gemini", "--yes"])
    assert file.read_text().count("hook SessionStart") == 1
    capsys.readouterr()
    main(["install", "gemini", "--check"])
    assert "up to date" not in capsys.readouterr().out


EXTENSION = """
import { Hippo } from "./hippo.mjs";
const hooks = await Hippo({ directory: process.cwd() });
for (const sessionID of ["one", "one", "two"]) {
    const began = Date.now();
    const system = ["mine"];
    await hooks["experimental.chat.system.transform"]({ sessionID }, { system });
    const parts = [{ type: "text", text: "a prompt", id: "p" }];
    await hooks["chat.message"]({ sessionID }, { parts });
    const result = { output: "x".repeat(9000) };
    await hooks["tool.execute.after"]({ tool: "bash", sessionID, args: {} }, result);
    await hooks.event({ event: { type: "session.idle", properties: { sessionID } } });
    console.log(JSON.stringify([Date.now() - began, system, parts.length, result.output.length]));
}
"""


@pytest.mark.skipif(not shutil.which("node"), reason="no node here")
@pytest.mark.parametrize(
    "script",
    [
        *(None, "exit 2", "echo garbage", "echo null", "echo 5", "yes", "sleep 900"),
        *("exec sleep 900", """echo '{"context": 5, "output": [1]}'"""),
    ],
)
def test_a_plugin_goes_on_without_an_answer(script: str | None, tmp_path: Path) -> None:
    node = shutil.which("node")
    path = SYSTEM if script is None else fake(tmp_path / "bin", script)
    text = extension_text(["hippo"], "opencode").replace("LIMIT_MS = 9_000", "LIMIT_MS = 500")
    (tmp_path / "hippo.mjs").write_text(text)
    (tmp_path / "run.mjs").write_text(EXTENSION)
    done = subprocess.run(
        [str(node), "run.mjs"],
        cwd=tmp_path,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    first, again, other = map(json.loads, done.stdout.splitlines())
    assert [first[1:], again[1:], other[1:]] == [[["mine"], 1, 9000]] * 3
    if script and script.endswith("900"):  # one time-out a session, and none for what follows in it
        assert again[0] < 250 and max(first[0], other[0]) < 1_400
