from __future__ import annotations

import json
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
