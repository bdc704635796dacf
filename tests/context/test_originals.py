from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path

import pytest

from hippocampus_cli.context.originals import (
    find_original,
    keep_messages,
    known_ids,
    note_transcript,
)
from hippocampus_cli.context.transcripts.pi import message_of
from hippocampus_cli.errors import MessageNotFound
from tests.context.sessions import pi_file, says, user

FOLDER = ".hippocampus/cache/compactions"


def test_a_session_file_is_noted_and_read_again(tmp_path: Path) -> None:
    path = pi_file(tmp_path, user("one"), says("two"))
    note_transcript(tmp_path, path, "pi", [("e2", "ASSISTANT")])
    found = find_original(tmp_path, "e2")
    assert (found.message.text, found.path) == ("two", "session.jsonl")
    assert find_original(tmp_path, "e1").message.text == "one"
    assert list(known_ids(tmp_path)) == [("e2", "ASSISTANT")]


def test_messages_of_a_program_are_kept_themselves(tmp_path: Path) -> None:
    kept = [message_of(user("one"), "aa000001"), message_of(says("t\udcff\n"), "aa000002")]
    keep_messages(tmp_path, kept, [])
    found = find_original(tmp_path, "aa000002")
    assert (found.message.text, found.path) == ("t\udcff\n", "")


def test_the_same_session_has_one_record(tmp_path: Path) -> None:
    path = pi_file(tmp_path, user("one"))
    for _ in range(3):
        note_transcript(tmp_path, path, "pi", [])
    assert len(list((tmp_path / FOLDER).iterdir())) == 1


def test_damaged_records_and_lost_sessions_are_passed_over(tmp_path: Path) -> None:
    path = pi_file(tmp_path, user("one"))
    note_transcript(tmp_path, path, "pi", [])
    lost = {"transcript": str(tmp_path / "lost"), "format": "pi", "ids": 7}
    for name, text in (("a", "{"), ("b", "[]"), ("c", json.dumps(lost)), ("d", "")):
        (tmp_path / FOLDER / f"{name}.jsonl").write_text(text)
    assert find_original(tmp_path, "e1").message.text == "one"
    list(known_ids(tmp_path))


def test_a_session_elsewhere_is_named_by_its_whole_path(tmp_path: Path) -> None:
    (tmp_path / "root").mkdir()
    path = pi_file(tmp_path, user("one"))
    note_transcript(tmp_path / "root", path, "pi", [])
    assert find_original(tmp_path / "root", "e1").path == str(path.resolve())


def test_an_unknown_id_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(MessageNotFound):
        find_original(tmp_path, "e1")


def test_a_record_that_came_with_the_workspace_leads_to_no_file_outside(tmp_path: Path) -> None:
    root, outside = tmp_path / "w", tmp_path / "outside"
    root.mkdir()
    outside.mkdir()
    path = pi_file(outside, user("one"))
    note_transcript(root, path, "pi", [("e1", "USER")])
    assert find_original(root, "e1").message.text == "one"
    (record,) = (root / FOLDER).glob("*.jsonl")
    shutil.copytree(root, tmp_path / "handed")
    with pytest.raises(MessageNotFound):
        find_original(tmp_path / "handed", "e1")
    record.write_bytes(record.read_bytes())  # by another hand, though to the byte the same
    os.utime(record, ns=(0, 0))
    with pytest.raises(MessageNotFound):
        find_original(root, "e1")


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege on Windows")
def test_a_session_in_the_workspace_that_is_a_link_out_is_not_read(tmp_path: Path) -> None:
    root, outside = tmp_path / "w", tmp_path / "outside"
    root.mkdir()
    outside.mkdir()
    pi_file(outside, user("one"))
    path = pi_file(root, user("two"))
    note_transcript(root, path, "pi", [])
    path.unlink()
    path.symlink_to(outside / path.name)
    with pytest.raises(MessageNotFound):
        find_original(root, "e1")


@pytest.mark.parametrize(
    "line",
    [
        "[" * 100_000,
        '{"transcript": 5, "format": "pi"}',
        '{"transcript": "x", "format": "none"}',
        "null",
        '{"transcript": "a\\u0000b", "format": "pi"}',
        "1" * 10_000,
        "",
    ],
)
def test_a_record_that_makes_no_sense_is_passed_over(tmp_path: Path, line: str) -> None:
    (tmp_path / FOLDER).mkdir(parents=True)
    (tmp_path / FOLDER / "a.jsonl").write_text(line + "\n")
    with pytest.raises(MessageNotFound):
        find_original(tmp_path, "e1")
    assert list(known_ids(tmp_path)) == []
