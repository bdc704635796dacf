"""Pictures, documents and recordings count in every format, inside the results of tools too, and are named."""

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
    assert text_of(said("Look.", CLAUDE)) == "Look."


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
