"""``hippo hook --agent``: one engine, each agent's own names and answers, a log, a deadline."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from hippocampus_cli import open_workspace
from hippocampus_cli.cli import hook as command
from hippocampus_cli.integrations import hooks
from hippocampus_cli.integrations.hook_log import Ran, last_runs, write
from hippocampus_cli.integrations.hook_settings import edit_hooks
from hippocampus_cli.search import writer
from tests.support.command_line import Hippo
from tests.support.other_agents import lines, said

ROOT = Path(__file__).parents[2]
LOG = "".join(f"10:{n % 60:02d} INFO step {n} took {n % 7} ms\n" for n in range(400))
LOG += "ERROR E4012: owner_group missing in section [rotate]\nexit status 2\n"


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hippo: Hippo) -> Path:
    root = tmp_path / "agent"
    root.mkdir()
    monkeypatch.chdir(root)
    (root / "MEMORY.md").write_text("# Memory\n\n- tea at four, on the terrace\n")
    (root / "TOOLS.md").write_text(
        "# Tools\n\n## Deploy\n\nDeploy the site with `kelpctl release prod`.\n\n## Printer\n\nIt jams on Mondays.\n"
    )
    hippo("bootstrap")
    return root


@pytest.fixture
def hook(hippo: Hippo) -> Any:
    def run(agent: str, event: str, told: str = "", **given: Any) -> dict[str, Any]:
        data = json.dumps({"session_id": "s1", "hook_event_name": event} | given)
        out, err = hippo("hook", event, "--agent", agent, given=data)
        assert err == told
        return dict(json.loads(out)) if out else {}

    return run


ASKED = "How do I deploy the site?"


@pytest.mark.parametrize(
    ("agent", "start", "prompt"),
    [
        ("claude-code", "SessionStart", "UserPromptSubmit"),
        ("codex", "SessionStart", "UserPromptSubmit"),
        ("gemini", "SessionStart", "BeforeAgent"),
    ],
)
def test_the_memory_is_brought_in_each_agents_words(
    workspace: Path, hook: Any, agent: str, start: str, prompt: str
) -> None:
    begun = hook(agent, start, source="startup")["hookSpecificOutput"]
    assert begun["hookEventName"] == start and "has a memory" in begun["additionalContext"]
    told = hook(agent, prompt, prompt=ASKED)["hookSpecificOutput"]
    assert set(told) == {
        "hookEventName",
        "additionalContext",
    }  # Codex refuses what it does not know
    assert told["hookEventName"] == prompt and "kelpctl release prod" in told["additionalContext"]
    assert hook(agent, prompt, prompt=ASKED) == {}  # said before


def test_cursor_has_words_of_its_own(
    workspace: Path, monkeypatch: pytest.MonkeyPatch, hippo: Hippo
) -> None:
    event = {"conversation_id": "c1", "hook_event_name": "beforeSubmitPrompt", "prompt": ASKED}
    data = json.dumps(event | {"workspace_roots": [str(workspace)]}).encode()
    monkeypatch.chdir("/")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    told = hippo("hook beforeSubmitPrompt --agent cursor").json
    assert "kelpctl" in told["additional_context"]
    assert told["hookSpecificOutput"]["hookEventName"] == "UserPromptSubmit"


def test_copilot_runs_what_is_written_for_claude_code(workspace: Path, hook: Any) -> None:
    told = hook("claude-code", "UserPromptSubmit", prompt=ASKED, timestamp="2026-11-27T14:27:15Z")
    assert set(told) == {"additionalContext"} and "kelpctl" in told["additionalContext"]
    assert last_runs(workspace, "claude-code")[0].agent == "copilot"


def test_cursor_runs_what_is_written_for_it(workspace: Path, hook: Any) -> None:
    """Its settings name the same commands as Claude Code's, so that none runs twice."""
    written = json.loads(edit_hooks("cursor", ["hippo"], "hooks.json", "", True))["hooks"]
    for own, (one,) in written.items():
        event = one["command"].partition(" hippo hook ")[2].split()[0]
        more = {"hook_event_name": own, "conversation_id": "c1", "cursor_version": "2.1"}
        told = hook("claude-code", event, prompt=ASKED, **more)
        assert bool(told) == (event in ("SessionStart", "UserPromptSubmit"))
        assert not told or "additional_context" in told
    assert {one.event for one in last_runs(workspace, "cursor")} >= {"SessionStart", "Stop"}


@pytest.mark.parametrize("response", [LOG, {"output": LOG}])
def test_a_large_output_is_kept_once_and_replaced_by_a_reason(
    workspace: Path, hook: Any, hippo: Hippo, response: object
) -> None:
    given = {"tool_name": "Bash", "tool_response": response}
    told = hook("codex", "PostToolUse", **given, tool_input={"command": "make all"})
    assert set(told) == {"decision", "reason"} and told["decision"] == "block"
    assert "E4012: owner_group missing" in told["reason"] and "Bash make" in told["reason"]
    assert hippo("context get ctx_001 --session s1").out == LOG
    for given_command in ("cat big.log", ["bash", "-lc", "rg x"]):
        assert hook("codex", "PostToolUse", **given, tool_input={"command": given_command}) == {}


@pytest.mark.parametrize(
    ("agent", "event", "response"),
    [
        # an older hippo asked for Gemini CLI's results, and its denial reached the model as an error
        ("gemini", "AfterTool", {"llmContent": LOG, "returnDisplay": LOG}),
        ("codex", "PostToolUse", f"Warning: truncated output (original token count: 9)\n{LOG}"),
        ("codex", "PostToolUse", f"{LOG}…99 chars truncated… x"),
    ],
)
def test_what_cannot_be_replaced_or_was_cut_is_left_alone(
    workspace: Path, hook: Any, agent: str, event: str, response: object
) -> None:
    given = {"tool_name": "Bash", "tool_input": {"command": "make"}, "tool_response": response}
    assert hook(agent, event, **given) == {}
    assert not (workspace / ".hippocampus/sessions").exists()


def test_the_first_prompt_of_gemini_is_behind_what_was_said_at_the_start(
    workspace: Path, hook: Any
) -> None:
    prompt = f"<hook_context>{'memory ' * 300}</hook_context>\n\n{ASKED}"
    told = hook("gemini", "BeforeAgent", prompt=prompt)["hookSpecificOutput"]
    assert "kelpctl release prod" in told["additionalContext"]


def test_a_session_ends_and_goes_on_under_another_id(workspace: Path, hook: Any) -> None:
    given = {"tool_name": "Bash", "tool_input": {"command": "make"}, "tool_response": LOG}
    hook("codex", "PostToolUse", **given)
    with open_workspace(workspace) as opened:
        opened.context("s1").pin("ctx_001", persist=True)
    assert hook("codex", "SessionEnd", reason="other") == {}
    assert "E4012" in (workspace / "MEMORY.md").read_text()
    assert hook("codex", "Stop") == {} == hook("codex", "SessionEnd")  # it has ended
    assert "--session s1-2" in hook("codex", "PostToolUse", **given)["reason"]


def test_each_run_is_in_the_log(workspace: Path, hook: Any) -> None:
    hook("gemini", "BeforeAgent", prompt=ASKED)
    hook("gemini", "SessionStart", source="startup")
    hook("codex", "SessionStart", source="startup")
    start, prompt = last_runs(workspace, "gemini")
    assert (start.event, prompt.event, prompt.session) == ("SessionStart", "UserPromptSubmit", "s1")
    assert 0 < prompt.tokens < 500 and prompt.milliseconds < 60_000 and prompt.failed == ""


def test_the_log_says_what_went_wrong_and_does_not_grow(workspace: Path) -> None:
    (workspace / ".hippocampus/config.toml").write_text("[hook]\noutput_tokens = 'x'\n")
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    words = [sys.executable, "-m", "hippocampus_cli", "hook", "PostToolUse"]
    event = {"session_id": "s1", "tool_response": {"stdout": LOG}}
    done = subprocess.run(
        words,
        cwd=workspace,
        env=environment,
        input=json.dumps(event),
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout) == (0, "")
    (ran,) = last_runs(workspace, "claude-code")
    assert "output_tokens" in ran.failed
    for number in range(4_500):
        write(workspace, Ran("2026-01-01T09:00:00", "codex", "Stop", 0, number, "s" * 200))
    assert (workspace / ".hippocampus/cache/hooks.log").stat().st_size < 1_100_000
    assert last_runs(workspace, "codex")[0].milliseconds == 4_499


def test_standard_input_that_stays_open_is_not_waited_for(workspace: Path) -> None:
    words = [sys.executable, "-m", "hippocampus_cli", "hook", "SessionStart", "--agent", "codex"]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    began = time.monotonic()
    process = subprocess.Popen(
        words, cwd=workspace, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdin and process.stdout
    process.stdin.write(b'{"session_id": "s1", "source": "startup"}')
    process.stdin.flush()
    assert b"has a memory" in process.stdout.read()
    assert process.wait(20) == 0 and time.monotonic() - began < 8
    process.stdin.close()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no alarm")
def test_after_the_deadline_the_agent_goes_on(
    workspace: Path, monkeypatch: pytest.MonkeyPatch, hippo: Hippo
) -> None:
    monkeypatch.setattr(command, "_MOST_SECONDS", 0.2)
    monkeypatch.setattr(command, "_given", lambda: time.sleep(20))
    assert hippo("hook SessionStart") == ("", "hippo: no answer within 0.2 s\n")


TIMED_OUT = "hippo: no answer within 0.2 s\n"


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How long the memory takes, in seconds, for each prompt."""
    takes: list[float] = []
    monkeypatch.setattr(command, "_MOST_SECONDS", 0.2)
    handler = hooks._HANDLERS["UserPromptSubmit"]

    def waiting(*given: Any) -> Any:
        time.sleep(takes.pop(0))
        return handler(*given)

    monkeypatch.setitem(hooks._HANDLERS, "UserPromptSubmit", waiting)
    return takes


def marks(workspace: Path) -> list[str]:
    return sorted(path.name for path in (workspace / ".hippocampus/cache/late").iterdir())


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no alarm")
def test_after_a_time_out_the_session_is_answered_no_more(
    workspace: Path, hook: Any, slow: list[float]
) -> None:
    slow += [20.0]
    said = hook("gemini", "BeforeAgent", TIMED_OUT, session_id="a", prompt="the lathe")
    assert "`hippo query WORDS` reads them" in said["hookSpecificOutput"]["additionalContext"]
    assert hook("gemini", "BeforeAgent", session_id="a", prompt="the lathe") == {}
    assert hook("gemini", "SessionStart", session_id="a", source="resume") == {}
    assert hook("gemini", "SessionStart", session_id="b", source="startup") != {}
    assert marks(workspace) == ["a"]
    assert last_runs(workspace, "gemini")[-1].failed == "no answer within 0.2 s"
    hook("gemini", "SessionEnd", session_id="a")
    assert marks(workspace) == []
    assert hook("gemini", "SessionStart", session_id="a", source="resume") != {}


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no alarm")
def test_once_the_notes_are_read_the_session_is_answered_again(
    workspace: Path, hook: Any, hippo: Hippo, slow: list[float]
) -> None:
    slow += [20.0, 0.0]
    hook("codex", "UserPromptSubmit", TIMED_OUT, session_id="a", prompt="which lathe is ours?")
    (workspace / "new.md").write_text("# New\n\nA note that is read.\n")
    hippo("query", "a note that is read")
    assert hook("codex", "UserPromptSubmit", session_id="a", prompt="the lathe") == {}
    assert slow == [] and marks(workspace) == []


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no alarm")
def test_marks_are_not_kept_for_ever(workspace: Path, hook: Any, slow: list[float]) -> None:
    slow += [20.0, 0.0]
    hook("codex", "UserPromptSubmit", TIMED_OUT, session_id="old", prompt="the lathe")
    path = workspace / ".hippocampus/cache/late/old"
    long_ago = time.time() - 8 * 24 * 3600
    os.utime(path, (long_ago, long_ago))
    hook("codex", "UserPromptSubmit", session_id="new", prompt="the lathe")
    assert marks(workspace) == []


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no alarm")
def test_a_deadline_in_the_first_reading_of_the_notes_is_no_damage(
    workspace: Path, hook: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What mends a damaged database may not take the deadline for damage, and begin again."""
    shutil.rmtree(workspace / ".hippocampus/cache", ignore_errors=True)
    monkeypatch.setattr(command, "_MOST_SECONDS", 0.2)
    monkeypatch.setattr(writer, "index_note", lambda note: time.sleep(20))
    assert hook("codex", "UserPromptSubmit", TIMED_OUT, session_id="a", prompt="the lathe") != {}
    assert last_runs(workspace, "codex")[-1].failed == "no answer within 0.2 s"


HANGING = """
import ctypes, sys
from hippocampus_cli.cli import hook
from hippocampus_cli.integrations import hooks
from tests.support.command_line import Hippo
hook._MOST_SECONDS = 0.3
# holds the interpreter for two seconds a call: no alarm is heard within it
hooks._HANDLERS["UserPromptSubmit"] = lambda *_: ctypes.PyDLL(None).usleep(60_000_000)
sys.exit(hook.run(sys.argv[1:]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no usleep on Windows")
def test_what_python_cannot_stop_ends_in_time_and_is_marked_too(workspace: Path) -> None:
    began = time.monotonic()
    for first in (True, False):
        event = json.dumps({"session_id": "a", "prompt": "the lathe", "cwd": str(workspace)})
        words = [sys.executable, "-c", HANGING, "UserPromptSubmit", "--agent", "codex"]
        done = subprocess.run(words, input=event.encode(), capture_output=True, timeout=30)
        assert (b"`hippo query WORDS`" in done.stdout) == first
    assert done.returncode == 0  # the second time nothing is tried
    assert marks(workspace) == ["a"] and time.monotonic() - began < 20


def test_across_a_compaction_of_codex(workspace: Path, hook: Any) -> None:
    records = [{"type": "session_meta", "payload": {"id": "s1"}}]
    for number in range(12):
        records.append(said("user", f"Rotate the log files of kelpie, part {number}."))
        records.append(said("assistant", f"I decided on gzip in /srv/kelpie/rotate{number}.toml."))
    path = lines(workspace.parent / "rollout.jsonl", *records)
    assert hook("codex", "PreCompact", trigger="auto", transcript_path=str(path)) == {}
    given = hook("codex", "SessionStart", source="compact")["hookSpecificOutput"]
    assert "/srv/kelpie/rotate11.toml" in given["additionalContext"]
    assert f"hippo fetch ID --session {path}" in given["additionalContext"]


def test_a_session_is_encoded_once_at_its_end(
    workspace: Path, hook: Any, tmp_path: Path, hippo: Hippo
) -> None:
    message = {"role": "user", "content": "I prefer planes over trains now, please book that way."}
    row = {"type": "user", "uuid": "u1", "sessionId": "s1", "message": message}
    file = lines(tmp_path / "s1.jsonl", row | {"timestamp": "2026-08-05T09:00:00.000Z"})
    given = {"transcript_path": str(file), "reason": "other"}
    hook("claude-code", "SessionEnd", **given)
    hook("claude-code", "SessionEnd", **given)
    assert len(hippo("mind log --json").json["episodes"]) == 1
    hook("claude-code", "SessionEnd", transcript_path=str(tmp_path / "gone.jsonl"), reason="other")
