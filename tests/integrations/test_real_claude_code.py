"""hippo's hooks in the real Claude Code, before a model that is a stub on this machine.

It runs where node and npm are; each version is installed once, into pytest's cache. The stub answers Anthropic's
messages API on a loopback port: first with one command to run, then with a word. Nothing leaves the machine.
"""

from __future__ import annotations

import json
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.integrations.model_stub import ENVIRONMENT, ROOT, Model, hippo, installed, serving

pytestmark = pytest.mark.long

SECONDS = 120
LOUD = (
    "import sys\n"
    "for n in range(4000):\n"
    "    print(f'10:{n % 60:02d}', 'ERROR E7001: disk is full' if n == 3000 else f'INFO step {n} took a while')\n"
)
WHOLE = "".join(
    f"10:{n % 60:02d} {'ERROR E7001: disk is full' if n == 3000 else f'INFO step {n} took a while'}\n"
    for n in range(4_000)
)


class Claude(NamedTuple):
    """The words that start it, and whether it replaces outputs."""

    words: tuple[str, ...]
    replaces: bool


@pytest.fixture(scope="session", params=["2.0.76", "2.1.330"])
def claude(request: pytest.FixtureRequest) -> Claude:
    newer = request.param != "2.0.76"
    if newer and (sys.platform, platform.machine()) != ("linux", "x86_64"):
        pytest.skip("the newer Claude Code is a program of its own, tried on Linux on x86-64 only")
    package = f"@anthropic-ai/claude-code{'-linux-x64' if newer else ''}"
    modules = installed(request, f"claude-code-{request.param}", f"{package}@{request.param}")
    program = modules / package / ("claude" if newer else "cli.js")
    program.chmod(0o755)
    return Claude((str(program),) if newer else ("node", str(program)), newer)


def results(asked: dict[str, Any]) -> list[str]:
    """The outputs of tools that the model was shown."""
    blocks = (
        block
        for message in asked.get("messages", ())
        for block in (message["content"] if isinstance(message["content"], list) else ())
    )
    return [json.dumps(one["content"]) for one in blocks if one.get("type") == "tool_result"]


@pytest.fixture
def model() -> Iterator[Model]:
    with serving() as server:
        yield server


def environment_of(model: Model, home: Path) -> dict[str, str]:
    """Of a Claude Code that asks ``model`` and nobody else."""
    home.mkdir()
    own = {
        "HOME": str(home),
        "ANTHROPIC_BASE_URL": model.url,
        "ANTHROPIC_API_KEY": "dummy",
        "DISABLE_TELEMETRY": "1",
        "DISABLE_AUTOUPDATER": "1",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "PYTHONPATH": str(ROOT),
    }
    return {"PATH": ENVIRONMENT["PATH"]} | own


def prompted(
    claude: Claude, workspace: Path, environment: dict[str, str], prompt: str
) -> dict[str, Any]:
    """What Claude Code says of a session with one prompt."""
    words = [*claude.words, "-p", prompt, "--allowedTools", "Bash", "--output-format", "json"]
    done = subprocess.run(
        words,
        cwd=workspace,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=SECONDS,
    )
    return dict(json.loads(done.stdout))


def test_its_first_request_has_the_brief_and_what_the_memory_knows(
    claude: Claude, model: Model, tmp_path: Path
) -> None:
    workspace = shutil.copytree(ROOT / "fixtures/workspace", tmp_path / "agent")
    model.command = "true"
    environment = environment_of(model, tmp_path / "home")
    hippo(workspace, environment, "bootstrap")
    before = (workspace / "HIPPOCAMPUS.md").read_bytes()
    hippo(workspace, environment, "install", "claude-code", "--yes")
    prompted(claude, workspace, environment, "what is our deploy command?")
    first = next(json.dumps(one) for one in model.asked if one.get("tools"))
    assert "This workspace has a memory" in first
    assert "kelpctl release prod" in first
    assert (workspace / "HIPPOCAMPUS.md").read_bytes() == before
    hippo(workspace, environment, "uninstall", "claude-code", "--yes")
    assert not (workspace / ".claude/settings.json").exists()


def test_the_plugin_is_valid_and_brings_hooks_tools_and_skill(
    claude: Claude, model: Model, tmp_path: Path
) -> None:
    workspace = shutil.copytree(ROOT / "fixtures/workspace", tmp_path / "agent")
    environment = environment_of(model, tmp_path / "home")
    hippo(workspace, environment, "bootstrap")
    environment["PATH"] = f"{Path(sys.executable).parent}:{environment['PATH']}"
    plugin = str(ROOT / "packaging/plugin")
    words = [*claude.words, "plugin", "validate", plugin]
    valid = subprocess.run(words, env=environment, capture_output=True, encoding="utf-8")
    assert valid.returncode == 0, valid.stdout + valid.stderr
    loading = claude._replace(words=(*claude.words, "--plugin-dir", plugin))
    prompted(loading, workspace, environment, "what is our deploy command?")
    first = next(json.dumps(one) for one in model.asked if one.get("tools"))
    assert "This workspace has a memory" in first and "kelpctl release prod" in first
    assert "memory__recall" in first and "hippo-memory:hippo-memory" in first


def test_an_output_is_kept_as_a_whole_or_left_alone(
    claude: Claude, model: Model, tmp_path: Path
) -> None:
    workspace = tmp_path / "agent"
    workspace.mkdir()
    (workspace / "HIPPOCAMPUS.md").write_text("# HIPPOCAMPUS.md\n")
    (workspace / "loud.py").write_text(LOUD)
    model.command = f"{sys.executable} loud.py"
    environment = environment_of(model, tmp_path / "home")
    hippo(workspace, environment, "install", "claude-code", "--yes")
    told = prompted(claude, workspace, environment, "run it")
    (shown,) = next(filter(None, map(results, model.asked)))
    if not claude.replaces:
        assert "truncated" in shown and "hippo" not in shown
        assert not (workspace / ".hippocampus/sessions").exists()
        return
    assert "ERROR E7001: disk is full" in shown
    assert f"hippo context get ctx_001 --session {told['session_id']}" in shown
    assert len(shown) < 10_000
    whole = hippo(
        workspace, environment, "context", "get", "ctx_001", "--session", told["session_id"]
    )
    assert whole == WHOLE


def test_a_failed_command_is_left_alone(claude: Claude, model: Model, tmp_path: Path) -> None:
    """Claude Code hands over a part of its output and lets nobody replace it: so nothing is called the whole."""
    workspace = tmp_path / "agent"
    workspace.mkdir()
    (workspace / "HIPPOCAMPUS.md").write_text("# HIPPOCAMPUS.md\n")
    (workspace / "loud.py").write_text(f"{LOUD}raise SystemExit(3)\n")
    model.command = f"{sys.executable} loud.py"
    environment = environment_of(model, tmp_path / "home")
    hippo(workspace, environment, "install", "claude-code", "--yes")
    prompted(claude, workspace, environment, "run it")
    (shown,) = next(filter(None, map(results, model.asked)))
    assert "Exit code 3" in shown and "characters truncated" in shown
    assert not (workspace / ".hippocampus/sessions").exists()


SAID = (
    "We decided to use Postgres 16 for the ledger.",
    "The staging port is 5433.",
    "Please remember that the spare key is in the blue tin.",
    "I prefer trains over planes.",
)


def test_the_next_session_knows_what_was_said_in_four_turns(
    claude: Claude, model: Model, tmp_path: Path
) -> None:
    workspace = shutil.copytree(ROOT / "fixtures/workspace", tmp_path / "agent")
    environment = environment_of(model, tmp_path / "home")
    hippo(workspace, environment, "bootstrap")
    hippo(workspace, environment, "install", "claude-code", "--yes")
    for turn, text in enumerate(SAID):
        words = (*claude.words, "-c") if turn else claude.words
        prompted(claude._replace(words=words), workspace, environment, text)

    def known() -> list[bool]:
        """Of what was said, what the first request of a new session has."""
        model.asked.clear()
        prompted(claude, workspace, environment, "hello")
        return [text in model.texts[0] for text in SAID]

    assert known() == [False, False, True, True]
    assert "an earlier session left waits to be judged" in model.texts[0]
    told = hippo(workspace, environment, "curate", "state", "--json")
    [task] = json.loads(told)["tasks"]
    assert [part["text"] for part in task["evidence"]] == [*SAID[:2]]
    keep = [
        {"quote": SAID[0], "subject": "ledger", "attribute": "Postgres", "value": "Postgres 16"},
        {"quote": SAID[1], "subject": "staging", "attribute": "port", "value": "5433"},
    ]
    answer = {"keep": [{**each, "kind": "decision"} for each in keep]}
    file = tmp_path / "answers.json"
    file.write_text(json.dumps({"answers": [{"id": task["id"], "answer": answer}]}))
    hippo(workspace, environment, "curate", "--answer", str(file))
    assert known() == [True] * 4
