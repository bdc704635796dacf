"""Sessions as Codex, Gemini CLI and opencode write them."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

from hippocampus_cli.context.transcripts import Message


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


def openclaw(path: Path, folder: Path) -> Path:
    """A database of OpenClaw with two sessions; of the older one a record is packed."""
    database = sqlite3.connect(path)
    database.execute(
        "CREATE TABLE transcript_events (session_id, seq, event_json, created_at, event_zstd)"
    )
    head = {"type": "session", "version": 3, "id": "s", "cwd": str(folder)}
    for session, at, text in (("older", 1, "rotate the keys"), ("newer", 2, "restart the relay")):
        said = {"role": "user", "content": text}
        own = {"type": "message", "id": f"{session}01", "parentId": None, "message": said}
        for seq, record in enumerate((head, own)):
            row = (session, seq, json.dumps(record), at * 1_000, None)
            database.execute("INSERT INTO transcript_events VALUES (?, ?, ?, ?, ?)", row)
    packed = ("older", 2, None, 1_000, b"(\xb5/\xfd")
    database.execute("INSERT INTO transcript_events VALUES (?, ?, ?, ?, ?)", packed)
    database.commit()
    database.close()
    return path
