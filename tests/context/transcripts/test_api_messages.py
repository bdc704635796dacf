from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hippocampus_cli.context.transcripts import Message, Transcript
from tests.support.sessions import write_lines

OPENAI: list[dict[str, Any]] = [
    {"role": "developer", "content": "Be brief."},
    {"role": "user", "content": [{"type": "input_text", "text": "List it."}]},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {
                "id": "c1",
                "type": "function",
                "function": {"name": "shell", "arguments": '{"command":"ls"}'},
            }
        ],
    },
    {"role": "tool", "tool_call_id": "c1", "content": "a.txt"},
]
ANTHROPIC: list[dict[str, Any]] = [
    {"role": "user", "content": "List it."},
    {
        "role": "assistant",
        "content": [{"type": "tool_use", "id": "t1", "name": "ls", "input": {"path": "/x"}}],
    },
    {
        "role": "user",
        "content": [
            {
                "type": "tool_result",
                "tool_use_id": "t1",
                "content": [{"type": "text", "text": "a"}],
            },
            {"type": "text", "text": "Go on."},
        ],
    },
]


def read(folder: Path, document: object) -> list[Message]:
    path = folder / "messages.json"
    path.write_text(json.dumps(document, indent=2), encoding="utf-8")
    with Transcript(path) as session:
        assert session.format == "messages"
        return list(session)


def test_openai(tmp_path: Path) -> None:
    system, asked, calls, came = read(tmp_path, OPENAI)
    assert (system.role, asked.text) == ("system", "List it.")
    assert calls.calls[0].argument == ("command", "ls")
    assert (came.role, came.tool, came.text, came.id) == ("tool", "shell", "a.txt", "m4")


def test_anthropic(tmp_path: Path) -> None:
    _, calls, came, asked = read(tmp_path, ANTHROPIC)
    assert calls.calls[0].argument == ("path", "/x")
    assert (came.id, came.role, came.tool, came.text) == ("m3", "tool", "ls", "a")
    assert (asked.id, asked.role, asked.text) == ("m3.2", "user", "Go on.")


def test_a_request_with_messages_in_it(tmp_path: Path) -> None:
    assert len(read(tmp_path, {"model": "x", "system": "s", "messages": OPENAI})) == 4


def test_one_message_a_line(tmp_path: Path) -> None:
    with Transcript(write_lines(tmp_path / "m.jsonl", OPENAI)) as session:
        assert session.format == "messages"
        assert [one.line for one in session] == [1, 2, 3, 4]


def test_a_request_on_one_line(tmp_path: Path) -> None:
    path = tmp_path / "m.json"
    for times in (1, 900):  # more than what tells its format
        path.write_text(json.dumps({"messages": ANTHROPIC * times}))
        with Transcript(path) as session:
            assert len(session) == 4 * times


@pytest.mark.parametrize("content", [None, 7, {"type": "text", "text": "x"}, [[]], [None], ["x"]])
def test_odd_contents_are_no_obstacle(tmp_path: Path, content: object) -> None:
    (found,) = read(tmp_path, [{"role": "user", "content": content}])
    assert found.text in ("", "x")


def test_an_unknown_role_is_kept(tmp_path: Path) -> None:
    (found,) = read(tmp_path, [{"role": "oracle", "content": "x"}])
    assert found.role == "oracle"
