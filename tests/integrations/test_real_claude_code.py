"""hippo's hooks in the real Claude Code, before a model that is a stub on this machine.

It runs where node and npm are; each version is installed once, into pytest's cache. The stub answers Anthropic's
messages API on a loopback port: first with one command to run, then with a word. Nothing leaves the machine.
"""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple

import pytest

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]
ENVIRONMENT = dict(os.environ)  # before a fixture takes the real home away
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
    npm, node = shutil.which("npm"), shutil.which("node")
    if not npm or not node:
        pytest.skip("npm is not here, so the hooks were not tried in the real Claude Code")
    newer = request.param != "2.0.76"
    if newer and (sys.platform, platform.machine()) != ("linux", "x86_64"):
        pytest.skip("the newer Claude Code is a program of its own, tried on Linux on x86-64 only")
    package = f"@anthropic-ai/claude-code{'-linux-x64' if newer else ''}"
    folder = request.config.cache.mkdir(f"claude-code-{request.param}")
    program = folder / "node_modules" / package / ("claude" if newer else "cli.js")
    if not program.exists():
        wanted = f"{package}@{request.param}"
        words = [npm, "install", "--no-audit", "--no-fund", "--ignore-scripts", wanted]
        done = subprocess.run(words, cwd=folder, env=ENVIRONMENT, capture_output=True, text=True)
        if done.returncode or not program.exists():
            why = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
            pytest.skip(f"npm cannot install {wanted}, so it was not tried: {why}")
    program.chmod(0o755)
    return Claude((str(program),) if newer else (node, str(program)), newer)


class _Model(BaseHTTPRequestHandler):
    """Asks for one command, then says a word; what it was asked is in ``server.asked``."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        self._send(b"{}", "application/json")

    def do_HEAD(self) -> None:
        self._send(b"{}", "application/json")

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))) or b"{}")
        if "count_tokens" in self.path or "messages" not in self.path:
            return self._send(b'{"input_tokens": 10}', "application/json")
        self.server.asked.append(asked)  # type: ignore[attr-defined]
        calls = any(tool.get("name") == "Bash" for tool in asked.get("tools", ()))
        call = calls and not results(asked)
        if asked.get("stream"):
            return self._send(
                _stream(asked["model"], self.server.command if call else None), "text/event-stream"
            )  # type: ignore[attr-defined]
        text = [{"type": "text", "text": "ok"}]
        done = {"stop_reason": "end_turn", "stop_sequence": None, "content": text}
        return self._send(json.dumps(_message(asked["model"]) | done).encode(), "application/json")

    def _send(self, data: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def _message(model: str) -> dict[str, Any]:
    usage = {"input_tokens": 1, "output_tokens": 1}
    own = {"id": "msg_1", "type": "message", "role": "assistant", "model": model}
    return own | {"content": [], "stop_reason": None, "stop_sequence": None, "usage": usage}


def _stream(model: str, command: str | None) -> bytes:
    """The events of an answer: a call of Bash, or a word."""
    block: dict[str, Any] = {"type": "text", "text": ""}
    delta: dict[str, Any] = {"type": "text_delta", "text": "done"}
    if command is not None:
        block = {"type": "tool_use", "id": "toolu_01", "name": "Bash", "input": {}}
        given = json.dumps({"command": command, "description": "run it"})
        delta = {"type": "input_json_delta", "partial_json": given}
    stop = {"stop_reason": "tool_use" if command else "end_turn", "stop_sequence": None}
    events: list[dict[str, Any]] = [
        {"type": "message_start", "message": _message(model)},
        {"type": "content_block_start", "index": 0, "content_block": block},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": stop, "usage": {"output_tokens": 5}},
        {"type": "message_stop"},
    ]
    return "".join(f"event: {one['type']}\ndata: {json.dumps(one)}\n\n" for one in events).encode()


def results(asked: dict[str, Any]) -> list[str]:
    """The outputs of tools that the model was shown."""
    blocks = (
        block
        for message in asked.get("messages", ())
        for block in (message["content"] if isinstance(message["content"], list) else ())
    )
    return [json.dumps(one["content"]) for one in blocks if one.get("type") == "tool_result"]


@pytest.fixture
def model() -> Iterator[ThreadingHTTPServer]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Model)
    server.asked = []  # type: ignore[attr-defined]
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def hippo(workspace: Path, environment: dict[str, str], *words: str) -> str:
    command = [sys.executable, "-m", "hippocampus_cli", *words]
    done = subprocess.run(
        command, cwd=workspace, env=environment, capture_output=True, encoding="utf-8"
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def environment_of(model: Any, home: Path) -> dict[str, str]:
    """Of a Claude Code that asks ``model`` and nobody else."""
    home.mkdir()
    own = {
        "HOME": str(home),
        "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{model.server_address[1]}",
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
    claude: Claude, model: Any, tmp_path: Path
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


def test_an_output_is_kept_as_a_whole_or_left_alone(
    claude: Claude, model: Any, tmp_path: Path
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
