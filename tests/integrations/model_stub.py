"""A model that is a stub on this machine: what agents ask of it, in four protocols, is in ``asked``.

It answers with one command to run where it is offered a tool for that and has not run it, then with a word:
Anthropic's messages, OpenAI's chat completions and responses, and Gemini's contents.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
ENVIRONMENT = dict(os.environ)  # before a fixture takes the real home away
SHELLS = ("Bash", "bash", "shell", "shell_command", "exec_command", "run_shell_command", "exec")
Call = tuple[str, dict[str, Any]]
_STRICT = ("exec_command", "shell_command", "shell", "exec")
Events = Iterable[tuple[str | None, dict[str, Any]]]


class Model(ThreadingHTTPServer):
    """``command`` is what it asks to be run, empty for nothing; ``script`` are calls of tools, one after another, or
    what makes a call of what it was asked."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.asked: list[dict[str, Any]] = []
        self.command = ""
        self.script: list[Call | Callable[[dict[str, Any]], Call]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    @property
    def texts(self) -> list[str]:
        """What it was asked, as text, each request that offers tools."""
        return [json.dumps(one, ensure_ascii=False) for one in self.asked if one.get("tools")]


@contextmanager
def serving() -> Iterator[Model]:
    server = Model()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Model

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        self._send(b"{}", "application/json")

    do_HEAD = do_GET

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))) or b"{}")
        path = self.path.partition("?")[0]
        if "count" in path:
            return self._send(b'{"input_tokens": 10, "totalTokens": 10}', "application/json")
        self.server.asked.append(asked)
        shell = _shell(asked)
        key = f"c{len(self.server.asked)}"  # of a call
        ran = sum(json.dumps(asked).count(word) for word in _RAN)
        call: Call | None = None
        if shell and self.server.command and not ran:
            given = {"cmd" if shell == "exec_command" else "command": self.server.command}
            call = (shell, given | ({} if shell in _STRICT else {"description": "run it"}))
        elif asked.get("tools") and ran < len(self.server.script):
            scripted = self.server.script[ran]
            call = scripted(asked) if callable(scripted) else scripted
        if path.endswith("/responses"):
            return self._stream(_responses(call, key))
        if "/chat/completions" in path:
            return (
                self._stream(_chat(call, key), "data: [DONE]\n\n") if asked.get("stream") else None
            )
        if "GenerateContent" in path or "generateContent" in path:
            return self._gemini(call, stream="stream" in path)
        return self._stream(_anthropic(asked.get("model", ""), call))

    def _gemini(self, call: Call | None, *, stream: bool) -> None:
        part: dict[str, Any] = {"text": "done"}
        if call:
            part = {"functionCall": {"name": call[0], "args": call[1]}}
        found = {"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}
        usage = {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}
        answer = {"candidates": [found], "usageMetadata": usage}
        if stream:
            return self._stream([(None, answer)])
        return self._send(json.dumps(answer).encode(), "application/json")

    def _stream(self, events: Events, end: str = "") -> None:
        lines = (
            f"{f'event: {name}' + chr(10) if name else ''}data: {json.dumps(one)}\n\n"
            for name, one in events
        )
        self._send(("".join(lines) + end).encode(), "text/event-stream")

    def _send(self, data: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


_RAN = ('"tool_result"', '"role": "tool"', '"function_call_output"', '"functionResponse"')


def _shell(asked: dict[str, Any]) -> str | None:
    """The name of a tool that runs commands, of those that are offered."""
    words = json.dumps(asked.get("tools", []))
    return next((name for name in SHELLS if f'"name": "{name}"' in words), None)


def _anthropic(model: str, call: Call | None) -> Events:
    usage = {"input_tokens": 1, "output_tokens": 1}
    message = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": model,
        "usage": usage,
    }
    message |= {"content": [], "stop_reason": None, "stop_sequence": None}
    block: dict[str, Any] = {"type": "text", "text": ""}
    delta: dict[str, Any] = {"type": "text_delta", "text": "done"}
    if call:
        block = {"type": "tool_use", "id": "toolu_01", "name": call[0], "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(call[1])}
    stop = {"stop_reason": "tool_use" if call else "end_turn", "stop_sequence": None}
    for one in (
        {"type": "message_start", "message": message},
        {"type": "content_block_start", "index": 0, "content_block": block},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": stop, "usage": {"output_tokens": 5}},
        {"type": "message_stop"},
    ):
        yield str(one["type"]), one


def _responses(call: Call | None, key: str) -> Events:
    item: dict[str, Any] = {
        "type": "message",
        "id": "m1",
        "role": "assistant",
        "content": [{"type": "output_text", "text": "done"}],
    }
    if call:
        given = json.dumps(call[1])
        item = {
            "type": "function_call",
            "id": "f1",
            "call_id": key,
            "name": call[0],
            "arguments": given,
        }
    usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
    yield "response.created", {"type": "response.created", "response": {"id": "r1"}}
    yield (
        "response.output_item.done",
        {"type": "response.output_item.done", "output_index": 0, "item": item},
    )
    yield (
        "response.completed",
        {"type": "response.completed", "response": {"id": "r1", "usage": usage}},
    )


def _chat(call: Call | None, key: str) -> Events:
    delta: dict[str, Any] = {"role": "assistant", "content": "done"}
    if call:
        given = json.dumps(call[1])
        tool = {
            "index": 0,
            "id": key,
            "type": "function",
            "function": {"name": call[0], "arguments": given},
        }
        delta = {"role": "assistant", "content": None, "tool_calls": [tool]}
    base = {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "fake-1"}
    yield None, {**base, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
    end = "tool_calls" if call else "stop"
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    yield (
        None,
        {**base, "choices": [{"index": 0, "delta": {}, "finish_reason": end}], "usage": usage},
    )


def installed(request: pytest.FixtureRequest, name: str, *packages: str) -> Path:
    """The folder of packages that npm installs once, into pytest's cache; skipped where it cannot."""
    npm = shutil.which("npm")
    if not npm or not shutil.which("node"):
        pytest.skip(f"npm is not here, so {packages[0]} was not tried")
    folder = request.config.cache.mkdir(name)
    if not (folder / "whole").exists():
        words = [npm, "install", "--no-audit", "--no-fund", "--ignore-scripts", *packages]
        done = subprocess.run(words, cwd=folder, env=ENVIRONMENT, capture_output=True, text=True)
        if done.returncode:
            why = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
            pytest.skip(f"npm cannot install {packages}, so it was not tried: {why}")
        (folder / "whole").touch()
    return Path(folder) / "node_modules"


def hippo(workspace: Path, environment: dict[str, str], *words: str) -> str:
    command = [sys.executable, "-m", "hippocampus_cli", *words]
    done = subprocess.run(
        command, cwd=workspace, env=environment, capture_output=True, encoding="utf-8"
    )
    assert done.returncode == 0, done.stderr + done.stdout
    return done.stdout
