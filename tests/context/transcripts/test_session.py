"""Bad files: a clear error, or what can be read and a word about the rest."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from hippocampus_cli.config.context import Compaction
from hippocampus_cli.context.compaction import compact
from hippocampus_cli.context.session_files import text_of
from hippocampus_cli.context.transcripts import Message, Transcript
from hippocampus_cli.context.transcripts.message import (
    MEDIUM_TOKENS,
    Messages,
    messages_in,
    parts_of,
)
from hippocampus_cli.errors import TranscriptUnreadable
from tests.support.sessions import HEADER, pi_entries, user, write_lines


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "it is empty"),
        (b" \n\n", "it is empty"),
        (b"\x7fELF\0\0\0", "it holds binary data, not text"),
        ("{}".encode("utf-16"), "it holds binary data, not text"),
        (b"# notes\n\nwords\n", "hippo does not know its format"),
        (b'{"some":"json"}\n', "hippo does not know its format"),
        (b"[]", "it holds no message in the format messages"),
        (b'[{"a":', "not JSON: Expecting value: line 1 column 7 (char 6)"),
    ],
)
def test_what_is_no_transcript_is_named(tmp_path: Path, data: bytes, reason: str) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(data)
    with pytest.raises(TranscriptUnreadable) as error:
        Transcript(path)
    assert error.value.facts["reason"] == reason
    assert path.read_bytes() == data


def test_broken_lines_are_counted_and_the_chain_goes_on_over_them(tmp_path: Path) -> None:
    one, _, three = pi_entries([user("one"), user("two"), user("three")])
    path = write_lines(tmp_path / "s.jsonl", [HEADER, one, '{"type":"message","id":"e2', three])
    before = path.read_bytes()
    with Transcript(path) as session:
        assert [message.text for message in session] == ["one", "three"]
        assert session.notices() == ["1 broken line (3) skipped"]
    assert path.read_bytes() == before


def test_a_loop_of_parents_ends_the_way(tmp_path: Path) -> None:
    one, two = pi_entries([user("one"), user("two")])
    one["parentId"] = "e2"
    with Transcript(write_lines(tmp_path / "s.jsonl", [HEADER, one, two])) as session:
        assert [message.text for message in session] == ["one", "two"]


def test_the_format_is_seen_behind_broken_lines(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "s.jsonl", ["{", "", *pi_entries([user("one")])])
    with Transcript(path) as session:
        assert session.format == "pi"


def test_a_session_without_messages_is_empty(tmp_path: Path) -> None:
    with Transcript(write_lines(tmp_path / "s.jsonl", [HEADER])) as session:
        assert (len(session), session.previous) == (0, None)


DATA = "iVBORw0KGgo" * 900
CLAUDE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": DATA}}
PDF = {"type": "document", "source": {"type": "base64", "media_type": "application/pdf"}}


@pytest.mark.parametrize(
    ("block", "named"),
    [
        (CLAUDE, "1 picture"),
        ({"type": "image", "source": {"type": "url", "url": "https://a.example/x.png"}}, "1 picture"),
        ({"type": "image", "data": DATA, "mimeType": "image/jpeg"}, "1 picture"),
        ({"type": "image_url", "image_url": {"url": f"data:image/png;base64,{DATA}"}}, "1 picture"),
        ({"type": "image_url", "image_url": {"url": "https://a.example/y.png"}}, "1 picture"),
        ({"type": "input_image", "image_url": f"data:image/png;base64,{DATA}"}, "1 picture"),
        ({"type": "input_image", "image_url": "https://a.example/z.png"}, "1 picture"),
        ({"inlineData": {"mimeType": "image/webp", "data": DATA}}, "1 picture"),
        ({"fileData": {"mimeType": "video/mp4", "fileUri": "gs://a/b.mp4"}}, "1 video"),
        ({"inlineData": {"mimeType": "audio/wav", "data": DATA}}, "1 recording"),
        ({"type": "input_audio", "input_audio": {"data": DATA, "format": "wav"}}, "1 recording"),
        (PDF, "1 document"),
        ({"type": "file", "file": {"filename": "a.pdf", "file_data": DATA}}, "1 document"),
        ({"type": "input_file", "filename": "b.pdf", "file_data": DATA}, "1 document"),
        ({"type": "file", "mime": "image/png", "filename": "c.png", "url": f"data:,{DATA}"}, "1 picture"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("nested", [False, True])
def test_a_medium_counts_wherever_it_stands(
    block: dict[str, Any], named: str, nested: bool
) -> None:
    content: Any = [{"type": "text", "text": "a label"}, block]
    if nested:
        content = [{"type": "tool_result", "tool_use_id": "t1", "content": content}]
    (message,) = messages_in("user", content)
    assert message.media == named
    assert MEDIUM_TOKENS < message.tokens < MEDIUM_TOKENS + 40


def test_what_only_looks_like_one_is_none() -> None:
    for block in ({"type": "text", "text": "an image", "source": {"url": "x"}}, {"type": "new"}):
        assert not any(part.media for part in parts_of([block]))


def said(*blocks: Any, role: str = "user") -> Message:
    return messages_in(role, list(blocks))[0]


def test_several_are_counted_by_kind() -> None:
    message = said("look", CLAUDE, PDF, CLAUDE, {"type": "image", "path": "/y.png"})
    assert message.media == "3 pictures, 1 document"
    assert message.tokens > 4 * MEDIUM_TOKENS


def test_the_summary_names_them() -> None:
    asked = said("Look at the label of the printer.", CLAUDE)
    shown = said({"type": "tool_result", "tool_use_id": "t1", "content": [CLAUDE, CLAUDE]})
    alone = said({"type": "image", "path": "/x/a.png"})
    made = compact(Messages([asked, shown, alone]), Compaction()).summary
    assert "[1 picture] Look at the label of the printer." in made
    assert "[2 pictures]" in made and made.count("[1 picture]") == 2
    assert DATA not in made


def test_the_original_names_them_where_there_is_no_text() -> None:
    assert text_of(said(CLAUDE)) == "[1 picture]"
    only = said({"type": "tool_result", "tool_use_id": "t1", "content": [CLAUDE]})
    assert text_of(only) == "[1 picture]"
    assert text_of(said("Look.", CLAUDE)) == "Look.\n\n[1 picture]"


def test_opencode(tmp_path: Path) -> None:
    path = tmp_path / "opencode.db"
    picture = {"type": "file", "mime": "image/png", "url": f"data:image/png;base64,{DATA}"}
    asked = picture | {"filename": "label.png"}
    state = {"status": "completed", "input": {}, "output": "read", "attachments": [picture]}
    tool = {"type": "tool", "tool": "read", "callID": "c1", "state": state}
    with sqlite3.connect(path) as database:
        database.executescript(
            "CREATE TABLE session (id, directory, parent_id, time_updated);"
            "CREATE TABLE message (id, session_id, time_created, data);"
            "CREATE TABLE part (id, message_id, data);"
            "INSERT INTO session VALUES ('s', '/x', NULL, 1);"
        )
        for key, role, part in (("m1", "user", asked), ("m2", "assistant", tool)):
            row = (key, "s", 1, json.dumps({"role": role}))
            database.execute("INSERT INTO message VALUES (?, ?, ?, ?)", row)
            database.execute("INSERT INTO part VALUES (?, ?, ?)", (key, key, json.dumps(part)))
    database.close()
    with Transcript(path.with_name("opencode.db#s")) as transcript:
        found = [one.media for one in transcript]
    assert found == ["1 picture", "", "1 picture"]


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
