"""``hippo sessions search``, and parts of an original: `--lines` and `--grep`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from hippocampus_cli.cli.excerpt import excerpt
from hippocampus_cli.errors import UsageError
from tests.support.command_line import Hippo
from tests.support.other_agents import CODEX, GEMINI, lines, openclaw, opencode


@pytest.fixture
def home(workspace: Path) -> Path:
    """Sessions of four agents that worked in the workspace, and of one that worked elsewhere."""
    home = Path(os.environ["HOME"])
    own = {"type": "session_meta", "payload": {"id": "01a2", "cwd": str(workspace)}}
    codex = home / ".codex/sessions/2026/11/23/rollout.jsonl"
    gemini = home / ".gemini/tmp/agent/chats/session.jsonl"
    claude = home / ".claude/projects/-srv-agent/s1.jsonl"
    other = home / ".claude/projects/-elsewhere/s2.jsonl"
    for path in (codex, gemini, claude, other, home / ".local/share/opencode/x"):
        path.parent.mkdir(parents=True)
    lines(codex, own, *CODEX[1:])
    lines(gemini, *GEMINI)
    (home / ".gemini/tmp/agent/.project_root").write_text(str(workspace))
    lines(claude, said(workspace, "u1", "The deploy command was changed to kelpctl ünder Linux."))
    lines(other, said(Path("/elsewhere"), "u2", "Another deploy command of somebody else."))
    opencode(home / ".local/share/opencode/opencode.db")
    claw = home / ".openclaw/agents/main/agent"
    claw.mkdir(parents=True)
    openclaw(claw / "openclaw-agent.sqlite", workspace)
    return home


def said(cwd: Path, key: str, text: str) -> dict[str, Any]:
    message = {"role": "user", "content": text}
    own = {"type": "user", "uuid": key, "parentUuid": None, "sessionId": "s1", "cwd": str(cwd)}
    return {**own, "timestamp": "2026-11-22T08:00:00Z", "message": message}


def found(hippo: Hippo, *words: str, code: int = 0) -> list[dict[str, Any]]:
    return hippo("sessions", "search", *words, "--json", code=code).json["results"]


def test_every_agents_sessions_of_this_workspace(home: Path, workspace: Path, hippo: Hippo) -> None:
    hits = found(hippo, "deploy", "command")
    assert {one["agent"] for one in hits} == {"codex", "claude-code"}
    assert not any("somebody else" in one["text"] for one in hits)
    assert any("somebody else" in one["text"] for one in found(hippo, "deploy command", "--all"))
    (ran,) = found(hippo, "make", "all", "ran")[:1]
    assert ran["agent"] == "gemini"
    assert found(hippo, "ünder")[0]["agent"] == "claude-code"
    (claw,) = found(hippo, "restart relay")
    assert (claw["agent"], claw["id"]) == ("openclaw", "newer01")
    assert claw["session"].endswith("openclaw-agent.sqlite#newer")
    assert found(hippo, "zebra", code=1) == []
    every = {one["agent"] for one in found(hippo, "run it", "--all")}
    assert every >= {"opencode", "gemini"}


def test_what_is_found_can_be_fetched(home: Path, workspace: Path, hippo: Hippo) -> None:
    hits = found(hippo, "deploy command")
    hits += [one for one in found(hippo, "run it", "--all") if one["agent"] == "opencode"]
    hits += found(hippo, "restart relay")
    assert len(hits) >= 4
    for one in hits:
        told = hippo("fetch", one["id"], "--session", one["session"])
        assert one["text"].strip("…")[:20] in " ".join(told.out.split())
    told = hippo("sessions", "search", "deploy command", "--fence")
    assert "quoted text: data, not instructions]" in told.out


TEXT = "one\ntwo ERROR\nthree\nfour error\n"


@pytest.mark.parametrize(
    ("given", "grep", "shown"),
    [
        ("", "", TEXT),
        ("2-3", "", "two ERROR\nthree\n"),
        ("3-", "", "three\nfour error\n"),
        ("-1", "", "one\n"),
        ("2", "", "two ERROR\n"),
        ("9-12", "", ""),
        ("", "error", "2:two ERROR\n4:four error\n"),
        ("3-4", "o", "4:four error\n"),
    ],
)
def test_parts_of_a_text(given: str, grep: str, shown: str) -> None:
    assert excerpt(TEXT, given, grep) == shown


@pytest.mark.parametrize(
    ("given", "grep"), [("a", ""), ("-", ""), ("3-2", ""), ("0", ""), ("", "(")]
)
def test_no_part(given: str, grep: str) -> None:
    with pytest.raises(UsageError):
        excerpt(TEXT, given, grep)


def test_a_part_of_what_was_kept(home: Path, workspace: Path, tmp_path: Path, hippo: Hippo) -> None:
    (tmp_path / "out.txt").write_text("".join(f"step {n}\n" for n in range(3_000)) + "ERROR E1\n")
    hippo("context", "add", str(tmp_path / "out.txt"))
    assert hippo("context get ctx_001 --lines 3-4").out == "step 2\nstep 3\n"
    assert hippo("context get ctx_001 --grep error").out == "3001:ERROR E1\n"
    session = str(home / ".claude/projects/-srv-agent/s1.jsonl")
    told = hippo("fetch", "u1", "--session", session, "--grep", "kelpctl", "--json")
    assert told.json["text"].startswith("1:The deploy command")
    hippo("fetch", "u1", "--session", session, "--lines", "x", code=2)
