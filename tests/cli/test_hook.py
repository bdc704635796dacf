"""``hippo hook``: what an agent gets, and that nothing holds it up."""

from __future__ import annotations

import io
import json
import os
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from hippocampus_cli.cli.main import main

SESSION = "3f0c5a52-6d6b-4b0e-9a64-0a4c8f1f7d11"
LOG = "".join(f"10:{n % 60:02d} INFO step {n} took {n % 7} ms\n" for n in range(400))
LOG += "ERROR E4012: owner_group missing in section [rotate]\nexit status 2\n"


class Told(NamedTuple):
    out: str
    err: str

    @property
    def specific(self) -> dict[str, Any]:
        return dict(json.loads(self.out)["hookSpecificOutput"])


Hook = Callable[..., Told]


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "agent"
    root.mkdir()
    (root / "HIPPOCAMPUS.md").write_text("# HIPPOCAMPUS.md\n")
    monkeypatch.chdir(root)
    return root


@pytest.fixture
def hook(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Hook:
    """Runs a hook on an event, which may also be any bytes. The exit code is always 0."""

    def run(event: str, given: bytes | dict[str, Any], *options: str) -> Told:
        if isinstance(given, dict):
            given = json.dumps({"session_id": SESSION, "hook_event_name": event} | given).encode()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
        assert main(["hook", event, *options]) == 0
        return Told(*capsys.readouterr())

    return run


def bash(stdout: str, command: str = "make all") -> dict[str, Any]:
    response = {"stdout": stdout, "stderr": "", "interrupted": False, "isImage": False}
    return {"tool_name": "Bash", "tool_input": {"command": command}, "tool_response": response}


def transcript(folder: Path, name: str = "t.jsonl") -> str:
    """A transcript of Claude Code, its path."""
    said = [
        ("user", "Rotate the log files of kelpie every night, keep seven days."),
        ("assistant", "I decided to use gzip at level 6 in /srv/kelpie/rotate.toml."),
    ]
    lines, parent = [], None
    for number in range(20):
        role, text = said[number % 2]
        message = {"role": role, "content": [{"type": "text", "text": f"{text} ({number})"}]}
        line = {"type": role, "uuid": f"u{number:07d}", "parentUuid": parent, "message": message}
        lines.append(json.dumps(line))
        parent = line["uuid"]
    path = folder / name
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def test_a_large_output_becomes_an_entry_that_can_be_got_back(
    workspace: Path, hook: Hook, capsys: pytest.CaptureFixture[str]
) -> None:
    told = hook("PostToolUse", bash(LOG))
    output = told.specific["updatedToolOutput"]
    assert output == bash(output["stdout"])["tool_response"]
    assert output["stdout"].startswith("[ctx_001] Bash make all, turn 0, ")
    assert "E4012: owner_group missing" in output["stdout"]
    assert f"hippo context get ctx_001 --session {SESSION}`" in output["stdout"]
    assert len(output["stdout"]) < len(LOG) / 10
    assert told.err == ""
    assert main(["context", "get", "ctx_001", "--session", SESSION]) == 0
    assert capsys.readouterr().out == LOG


def test_what_is_small_or_was_asked_back_stays(workspace: Path, hook: Hook) -> None:
    for event in (
        bash("ok\n" * 100),
        bash(LOG, f"hippo context get ctx_001 --session {SESSION}"),
        bash(LOG, "python -m hippocampus_cli context get ctx_001"),
        bash(LOG, "cd x && /usr/bin/hippo fetch a1b2c3d4 | head"),
        {"tool_name": "mcp__x__y", "tool_response": None},
        {"tool_name": "mcp__x__y", "tool_input": [LOG], "tool_response": 7},
    ):
        assert hook("PostToolUse", event) == ("", "")
    assert not (workspace / ".hippocampus").exists()


def test_a_policy_has_the_last_word_and_a_setting_the_first(workspace: Path, hook: Hook) -> None:
    own = workspace / ".hippocampus"
    own.mkdir()
    (own / "config.toml").write_text("[hook]\noutput_tokens = 100_000\n")
    assert hook("PostToolUse", bash(LOG)) == ("", "")
    (own / "config.toml").write_text("")
    whole = "lifecycle_policies:\n  - match: {source.type: Bash}\n    action: {index: false}\n"
    (own / "policies.yaml").write_text(whole)
    assert hook("PostToolUse", bash(LOG)) == ("", "")


def test_across_a_compaction(
    workspace: Path, hook: Hook, capsys: pytest.CaptureFixture[str]
) -> None:
    hook("PostToolUse", bash(LOG))
    before = {"trigger": "auto", "transcript_path": transcript(workspace)}
    assert hook("PreCompact", before) == ("", "")
    text = hook("SessionStart", {"source": "compact"}).specific["additionalContext"]
    assert "/srv/kelpie/rotate.toml" in text and "[ctx_001] Bash make all" in text
    assert f"--session {SESSION}" in text
    assert len(text) <= 10_000  # what Claude Code takes
    identity = text.split("#u")[1][:7]
    assert main(["fetch", f"u{identity}"]) == 0
    assert "kelpie" in capsys.readouterr().out
    assert hook("SessionStart", {"source": "compact"}) == ("", "")  # once


@pytest.mark.parametrize("source", ["startup", "resume", "clear", "fork", "", 5])
def test_another_start_gives_nothing(workspace: Path, hook: Hook, source: object) -> None:
    hook("PreCompact", {"transcript_path": transcript(workspace)})
    assert hook("SessionStart", {"source": source}) == ("", "")
    assert hook("SessionStart", {"source": "compact"}).out


def test_another_session_gets_nothing_of_it(workspace: Path, hook: Hook) -> None:
    hook("PreCompact", {"transcript_path": transcript(workspace)})
    assert hook("SessionStart", {"source": "compact", "session_id": "other"}) == ("", "")


def test_the_end_of_a_turn_counts_where_there_is_a_session(workspace: Path, hook: Hook) -> None:
    assert hook("Stop", {}) == ("", "")
    assert not (workspace / ".hippocampus").exists()
    hook("PostToolUse", bash(LOG))
    hook("Stop", {"stop_hook_active": False})
    stored = workspace / f".hippocampus/sessions/{SESSION}/session.json"
    assert json.loads(stored.read_text())["turn"] == 1


@pytest.mark.parametrize(
    ("given", "word"),
    [
        (b"", "no JSON"),
        (b"\xff\xfe{", "no JSON"),
        (b"{'a': 1}", "no JSON"),
        (b"[" * 100_000, "no JSON"),
        (b"[1]", "not an object"),
        (b"{}", "session_id is missing"),
        (b'{"session_id": 5}', "session_id is missing"),
        (b'{"session_id": "s", "hook_event_name": "Stop"}', "'Stop', not 'PreCompact'"),
        (b'{"session_id": "../../x", "transcript_path": "t.jsonl"}', "no session's id"),
        (b'{"session_id": "s", "transcript_path": "/dev/zero"}', "a .jsonl file"),
        (b'{"session_id": "s", "transcript_path": "gone.jsonl"}', "No such file"),
        (b'{"session_id": "s", "transcript_path": "\\u0000.jsonl"}', "no file can have"),
        (b'{"session_id": "s", "transcript_path": "HIPPOCAMPUS.jsonl"}', "no message"),
        (b'{"session_id": "s", "transcript_path": "pipe.jsonl"}', "not a regular file"),
        (b'{"session_id": "s"}', "a .jsonl file"),
    ],
)  # fmt: skip
def test_a_malformed_event_is_a_word_on_standard_error(
    workspace: Path, hook: Hook, given: bytes, word: str
) -> None:
    (workspace / "HIPPOCAMPUS.jsonl").write_text("# not a transcript\n")
    if hasattr(os, "mkfifo"):
        os.mkfifo(workspace / "pipe.jsonl")
    elif word == "not a regular file":
        pytest.skip("there are no pipes here")
    told = hook("PreCompact", given)
    assert told.out == ""
    assert told.err.startswith("hippo: ") and word in told.err and told.err.count("\n") == 1


@pytest.mark.parametrize(
    "words", [["Nonsense"], ["Stop", "--bogus"], ["Stop", "Stop"], ["--", "-w"]]
)
def test_a_wrong_command_line_is_no_block(workspace: Path, hook: Hook, words: list[str]) -> None:
    told = hook(words[0], json.dumps({"session_id": "s"}).encode(), *words[1:])
    assert told.out == "" and told.err.startswith("hippo: ")


def test_without_an_event_or_a_workspace(
    tmp_path: Path, hook: Hook, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert "no workspace found" in hook("Stop", {}).err
    (tmp_path / "AGENTS.md").write_text("# Somebody's repository\n")
    told = hook("PreCompact", {"transcript_path": transcript(tmp_path)})
    assert told.out == "" and "no index here yet" in told.err
    assert not (tmp_path / ".hippocampus").exists()
    assert main(["hook"]) == 0


def test_the_workspace_is_that_of_the_project(
    tmp_path: Path, workspace: Path, hook: Hook, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    hook("PostToolUse", bash(LOG) | {"cwd": str(workspace)})
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(workspace))
    hook("PostToolUse", bash(LOG) | {"cwd": str(elsewhere)})
    monkeypatch.delenv("CLAUDE_PROJECT_DIR")
    hook("PostToolUse", bash(LOG), "--workspace", str(workspace))
    told = hook("PostToolUse", bash(LOG), "-w", str(workspace))
    assert told.specific["updatedToolOutput"]["stdout"].startswith("[ctx_004]")


def test_a_locked_store_is_not_waited_for(workspace: Path, hook: Hook) -> None:
    hook("PostToolUse", bash(LOG))
    (workspace / ".hippocampus/config.toml").write_text("[hook]\nlock_seconds = 0\n")
    with sqlite3.connect(workspace / ".hippocampus/lock", isolation_level=None) as other:
        other.execute("BEGIN EXCLUSIVE")
        told = hook("PostToolUse", bash(LOG))
        assert told.out == "" and "another hippo has been writing" in told.err
        assert hook("Stop", {}).out == ""
    other.close()


def test_a_workspace_that_cannot_be_written(workspace: Path, hook: Hook) -> None:
    (workspace / ".hippocampus").write_text("in the way")
    for event, given in (
        ("PostToolUse", bash(LOG)),
        ("PreCompact", {"transcript_path": transcript(workspace)}),
    ):
        told = hook(event, given)
        assert told.out == "" and "cannot write" in told.err


def test_what_was_kept_cannot_be_a_link_that_leads_out(workspace: Path, hook: Hook) -> None:
    (workspace.parent / "secret.md").write_text("a secret\n")
    folder = workspace / ".hippocampus/cache/handover"
    folder.mkdir(parents=True)
    (folder / f"{SESSION}.md").symlink_to(workspace.parent / "secret.md")
    assert hook("SessionStart", {"source": "compact"}) == ("", "")


def test_a_bug_of_ours_holds_nobody_up(
    workspace: Path, hook: Hook, monkeypatch: pytest.MonkeyPatch
) -> None:
    from hippocampus_cli.bridges.hooks import answering

    def broken(*_: object) -> None:
        raise KeyError("\x1b[31mx")

    monkeypatch.setitem(answering._ACTS, "Stop", broken)
    told = hook("Stop", {})
    assert told.out == "" and told.err.startswith("hippo: a bug in hippo: KeyError")
    assert "\x1b" not in told.err


def test_a_session_of_a_name_that_no_disk_takes_is_the_events_mistake(
    workspace: Path, hook: Hook
) -> None:
    told = hook("Stop", {"session_id": "a" * 300})
    assert told.out == "" and "can be no session's id" in told.err


def test_without_standard_input(
    workspace: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    assert main(["hook", "Stop"]) == 0
    told = capsys.readouterr()
    assert told.out == "" and "this is no event of a hook" in told.err
