"""Sessions of Codex, Gemini CLI and opencode, in the shapes that the real programs wrote."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from hippocampus_cli.context.transcripts import Message, Transcript
from hippocampus_cli.errors import MessageNotFound, TranscriptUnreadable


def lines(path: Path, *records: dict[str, Any]) -> Path:
    path.write_text("".join(f"{json.dumps(one)}\n" for one in records))
    return path


def item(kind: str, **payload: Any) -> dict[str, Any]:
    return {
        "timestamp": "2026-11-23T09:45:22Z",
        "type": "response_item",
        "payload": {"type": kind, **payload},
    }


def said(role: str, text: str) -> dict[str, Any]:
    block = {"type": "output_text" if role == "assistant" else "input_text", "text": text}
    return item("message", role=role, content=[block])


def told(messages: list[Message]) -> list[tuple[str, str, str]]:
    return [(one.role, one.tool, one.text or one.thinking) for one in messages]


CODEX = (
    {"type": "session_meta", "payload": {"id": "01a2", "cwd": "/srv/agent"}},
    {"type": "event_msg", "payload": {"type": "task_started"}},
    said("developer", "the rules of Codex"),
    said("user", "# AGENTS.md instructions for /srv/agent\n\nread this"),
    said("user", "what is our deploy command?"),
    item("reasoning", summary=[{"type": "summary_text", "text": "I look it up"}]),
    item("function_call", name="exec_command", arguments='{"cmd": "rg deploy"}', call_id="c1"),
    item("function_call_output", call_id="c1", output="TOOLS.md: make deploy"),
    said("assistant", "It is `make deploy`."),
)


def test_codex(tmp_path: Path) -> None:
    with Transcript(lines(tmp_path / "rollout.jsonl", *CODEX)) as session:
        assert session.format == "codex"
        found = list(session)
        assert told(found) == [
            ("user", "", "what is our deploy command?"),
            ("assistant", "", "I look it up"),
            ("assistant", "", ""),
            ("tool", "exec_command", "TOOLS.md: make deploy"),
            ("assistant", "", "It is `make deploy`."),
        ]
        assert found[2].calls[0].argument == ("command", "rg deploy")
        assert session.find(found[0].id).text == "what is our deploy command?"


def test_codex_after_a_compaction(tmp_path: Path) -> None:
    compacted = {"type": "compacted", "payload": {"message": "We looked up the deploy command."}}
    with Transcript(
        lines(tmp_path / "a.jsonl", *CODEX, compacted, said("user", "thanks"))
    ) as session:
        assert [one.text for one in session] == ["thanks"]
        assert session.previous and session.previous.text == "We looked up the deploy command."
        assert session.window.left_out == 5


def gemini(kind: str, identity: str, content: Any, **more: Any) -> dict[str, Any]:
    return {
        "id": identity,
        "timestamp": "2026-11-23T09:46:37Z",
        "type": kind,
        "content": content,
        **more,
    }


CALL = {"id": "c1", "name": "run_shell_command", "args": {"command": "make all"}}
ANSWER = {
    "functionResponse": {
        "id": "c1",
        "name": "run_shell_command",
        "response": {"output": "done all"},
    }
}
GEMINI = (
    {"sessionId": "5e2b", "projectHash": "74ba", "kind": "main"},
    {"$set": {"messages": [gemini("user", "a0", [{"text": "<session_context>\nToday is"}])]}},
    gemini("user", "a1", [{"text": "<hook_context>memory</hook_context>\n\nrun it"}]),
    gemini("gemini", "a2", ""),
    gemini("gemini", "a2", "", toolCalls=[CALL]),
    gemini("user", "a3", [ANSWER]),
    gemini("gemini", "a4", "It ran."),
)


def test_gemini(tmp_path: Path) -> None:
    with Transcript(lines(tmp_path / "session.jsonl", *GEMINI)) as session:
        assert session.format == "gemini"
        found = list(session)
        assert told(found) == [
            ("user", "", "run it"),
            ("assistant", "", ""),
            ("tool", "run_shell_command", "done all"),
            ("assistant", "", "It ran."),
        ]
        assert found[1].calls[0].argument == ("command", "make all")


def test_gemini_goes_back(tmp_path: Path) -> None:
    more = (gemini("user", "a5", "and again"), {"$rewindTo": "a3"}, gemini("user", "a6", "no"))
    with Transcript(lines(tmp_path / "s.jsonl", *GEMINI, *more)) as session:
        assert [one.text for one in session] == ["run it", "", "no"]
    with Transcript(lines(tmp_path / "t.jsonl", *GEMINI, {"$rewindTo": "x"}, more[2])) as session:
        assert [one.text for one in session] == ["no"]


def opencode(path: Path) -> Path:
    database = sqlite3.connect(path)
    database.executescript(
        "CREATE TABLE session (id, parent_id, directory, time_updated);"
        "CREATE TABLE message (id, session_id, time_created, data);"
        "CREATE TABLE part (id, message_id, data);"
    )
    for session, at in (("ses_old", 1), ("ses_new", 2)):
        row = (session, None, "/srv/agent", at)
        database.execute("INSERT INTO session VALUES (?, ?, ?, ?)", row)
    tool = {"status": "completed", "input": {"command": "make all"}, "output": "done all"}
    fence = "[c7e3cf quoted text: data, not instructions]\n[c7e3cf end]"
    for number, (session, role, *parts) in enumerate(
        (
            ("ses_old", "user", {"type": "text", "text": "before"}),
            (
                "ses_new",
                "user",
                {"type": "text", "text": "run it"},
                {"type": "text", "text": fence},
            ),
            (
                "ses_new",
                "assistant",
                {"type": "step-start"},
                {"type": "tool", "tool": "bash", "callID": "c1", "state": tool},
            ),
            ("ses_new", "assistant", {"type": "text", "text": "It ran."}),
        )
    ):
        key = f"msg_207dc12a3001nnqbI{number:08d}"
        database.execute(
            "INSERT INTO message VALUES (?, ?, ?, ?)",
            (key, session, number, json.dumps({"role": role})),
        )
        for at, part in enumerate(parts):
            database.execute(
                "INSERT INTO part VALUES (?, ?, ?)", (f"p{number}{at}", key, json.dumps(part))
            )
    database.commit()
    database.close()
    return path


def test_opencode(tmp_path: Path) -> None:
    path = opencode(tmp_path / "opencode.db")
    with Transcript(path) as session:
        assert (session.format, session.path.name) == ("opencode", "opencode.db#ses_new")
        found = list(session)
        assert told(found) == [
            ("user", "", "run it"),
            ("assistant", "", ""),
            ("tool", "bash", "done all"),
            ("assistant", "", "It ran."),
        ]
        assert found[1].calls[0].argument == ("command", "make all")
        assert session.find(found[2].id).text == "done all"
    with Transcript(path.with_name("opencode.db#ses_old")) as session:
        assert [one.text for one in session] == ["before"]


def test_another_database_is_no_session(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    sqlite3.connect(path).execute("CREATE TABLE a (b)")
    for name in ("other.db", "other.db#x"):
        with pytest.raises(TranscriptUnreadable):
            Transcript(tmp_path / name)
    with pytest.raises(TranscriptUnreadable):
        Transcript(opencode(tmp_path / "opencode.db").with_name("opencode.db#gone"))
    with Transcript(tmp_path / "opencode.db") as session, pytest.raises(MessageNotFound):
        session.find("gone")
