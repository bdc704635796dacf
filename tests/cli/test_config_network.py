"""``hippo config --allow-network``: a workspace's own file sends no text anywhere until its user has said so."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest

from hippocampus_cli.cli.main import main
from tests.support.command_line import Hippo

pytest.importorskip("numpy", reason="the extra `semantic` is not installed")


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "w"
    (root / ".hippocampus").mkdir(parents=True)
    (root / "MEMORY.md").write_text("# Memory\n\nThe siren is red.\n")
    (root / ".hippocampus/config.toml").write_text('[embedding]\nembedder = "gemini"\n')
    monkeypatch.chdir(root)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "user"))
    monkeypatch.setenv("GEMINI_API_KEY", "a-key")
    return root


def test_words_alone_answer_until_it_is_allowed(root: Path, hippo: Hippo) -> None:
    hippo("bootstrap")
    said = hippo("query siren --no-write")
    assert "The siren is red." in said.out
    assert "hippo config --allow-network" in said.err
    hippo("embed", code=19)
    hippo("config --allow-network")
    # as where there are no vectors yet
    assert "run hippo embed" in hippo("query siren --no-write").err
    hippo("config --forbid-network --json")
    hippo("embed", code=19)


def test_where_nobody_is_asked_there_is_nothing_to_allow(root: Path, hippo: Hippo) -> None:
    (root / ".hippocampus/config.toml").write_text('[embedding]\nembedder = "none"\n')
    hippo("config --allow-network", code=2)


def test_settings_that_lead_out_or_are_too_large_are_refused(root: Path, tmp_path: Path) -> None:
    settings = root / ".hippocampus/config.toml"
    settings.write_text("# " + "x" * 300_000)
    assert main(["config"]) == 6
    settings.unlink()
    (tmp_path / "theirs.toml").write_text("[decay]\nrate = 0.5\n")
    settings.symlink_to(tmp_path / "theirs.toml")
    assert main(["config"]) == 7


class Listener:
    """A port of this machine, and how many connections came to it. None is answered."""

    def __init__(self) -> None:
        self._sockets = [socket.create_server(("127.0.0.1", 0))]
        self.port: int = self._sockets[0].getsockname()[1]
        if socket.has_ipv6:
            self._sockets.append(socket.create_server(("::1", self.port), family=socket.AF_INET6))
        self.connections = 0
        for one in self._sockets:
            Thread(target=self._accept, args=(one,), daemon=True).start()

    def _accept(self, one: socket.socket) -> None:
        while True:
            try:
                connection, _ = one.accept()
            except OSError:
                return
            self.connections += 1
            connection.close()

    def close(self) -> None:
        for one in self._sockets:
            one.close()


_CONNECT, _ADDRESSES = socket.socket.connect, socket.getaddrinfo


@pytest.fixture
def listener(monkeypatch: pytest.MonkeyPatch) -> Iterator[Listener]:
    """What counts, in a test that may open connections to this machine."""
    opened = Listener()
    monkeypatch.setattr(socket.socket, "connect", _CONNECT)
    monkeypatch.setattr(socket, "getaddrinfo", _ADDRESSES)
    monkeypatch.setattr(time, "sleep", lambda seconds: None)  # before it is asked again
    yield opened
    opened.close()


def use_everything(hippo: Hippo) -> str:
    """Run what could ask a server; all that was said."""
    commands = (
        *("bootstrap", "query which colour has the siren", "brief", "embed"),
        *("remember The harbor office opens at nine.", "anchors build", "anchors lookup siren"),
        *("mind encode", "maintain --daily", "weekly", "monthly", "check", "status", "report"),
        "watch --once",
    )
    client = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t"}}
    calls: list[tuple[str, dict[str, object]]] = [
        ("initialize", client),
        ("tools/call", {"name": "query", "arguments": {"question": "siren"}}),
        ("tools/call", {"name": "memory_search", "arguments": {"query": "siren"}}),
    ]
    lines = "".join(
        f"{json.dumps({'jsonrpc': '2.0', 'id': at, 'method': method, 'params': given})}\n"
        for at, (method, given) in enumerate(calls)
    )
    told = [hippo(command, code=None) for command in commands]
    return "".join("".join(one) for one in (*told, hippo("mcp", given=lines)))


ADDRESSES = (
    "http://127.0.0.1:{}",
    "http://localhost:{}",
    "http://LOCALHOST:{}/v1",
    "http://127.1:{}",
    "http://127.0.0.2:{}",
    "http://2130706433:{}",
    "http://0x7f000001:{}",
    "http://[::1]:{}",
    "http://[::ffff:127.0.0.1]:{}",
    "http://0.0.0.0:{}",
    "http://localhost.:{}",
    "https://127.0.0.1:{}",
)


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_file_alone_has_nobody_asked(
    root: Path, listener: Listener, address: str, hippo: Hippo
) -> None:
    url = address.format(listener.port)
    settings = root / ".hippocampus/config.toml"
    for embedder in ("ollama", "openai"):
        settings.write_text(f'[embedding]\nembedder = "{embedder}"\nurl = "{url}"\n')
        for command in ("bootstrap", "query siren", "embed", "maintain --daily"):
            hippo(command, code=None)
    assert listener.connections == 0


@pytest.mark.parametrize(
    "text",
    [
        'embedder = "ollama"\nurl = "{}"\n',
        'embedder = "openai"\nurl = "{}"\nkey_variable = "GEMINI_API_KEY"\n',
    ],
)
def test_no_command_asks_whom_a_file_alone_names(
    root: Path, listener: Listener, text: str, hippo: Hippo
) -> None:
    url = f"http://127.0.0.1:{listener.port}"
    (root / ".hippocampus/config.toml").write_text("[embedding]\n" + text.replace("{}", url))
    (root / ".env").write_text(f"HIPPO_EMBEDDING_EMBEDDER=ollama\nHIPPO_EMBEDDING_URL={url}\n")
    said = use_everything(hippo)
    assert listener.connections == 0
    assert "hippo config --allow-network" in said


def test_the_users_embedder_does_not_speak_for_the_files_address(
    root: Path, listener: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / ".hippocampus/config.toml").write_text(
        f'[embedding]\nurl = "http://127.0.0.1:{listener.port}"\n'
    )
    monkeypatch.setenv("HIPPO_EMBEDDING_EMBEDDER", "ollama")
    assert main(["bootstrap"]) == 0
    assert main(["embed"]) == 19
    assert listener.connections == 0


@pytest.mark.parametrize("by", ["consent", "address", "both"])
def test_the_users_own_word_counts(
    root: Path, listener: Listener, by: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = f"http://127.0.0.1:{listener.port}"
    text = 'embedder = "ollama"\n' if by == "address" else f'embedder = "ollama"\nurl = "{url}"\n'
    (root / ".hippocampus/config.toml").write_text("" if by == "both" else f"[embedding]\n{text}")
    if by == "consent":
        assert main(["config", "--allow-network"]) == 0
    else:
        monkeypatch.setenv("HIPPO_EMBEDDING_URL", url)
    if by == "both":
        monkeypatch.setenv("HIPPO_EMBEDDING_EMBEDDER", "ollama")
    assert main(["bootstrap"]) == 0
    main(["query", "siren"])
    main(["embed"])
    assert listener.connections > 0


def test_another_address_is_asked_about_again(root: Path, listener: Listener, hippo: Hippo) -> None:
    settings = root / ".hippocampus/config.toml"
    settings.write_text('[embedding]\nembedder = "ollama"\n')
    hippo("config --allow-network")
    settings.write_text(
        f'[embedding]\nembedder = "ollama"\nurl = "http://127.0.0.1:{listener.port}"\n'
    )
    hippo("bootstrap")
    hippo("embed", code=19)
    assert listener.connections == 0
