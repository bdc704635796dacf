"""Bad files: a clear error, or what can be read and a word about the rest."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hippocampus_cli.context.transcripts import Transcript
from hippocampus_cli.errors import FileUnreadable, MessageNotFound, TranscriptUnreadable
from tests.support.sessions import HEADER, pi_entries, pi_file, user, write_lines


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


def test_the_wrong_format_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(TranscriptUnreadable):
        Transcript(pi_file(tmp_path, user("hi")), "claude-code")


@pytest.mark.parametrize("name", ["", "missing", "nul\0"])
def test_what_is_no_file_is_an_error(tmp_path: Path, name: str) -> None:
    with pytest.raises(FileUnreadable):
        Transcript(tmp_path / name)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_named_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(FileUnreadable):
        Transcript(tmp_path / "pipe")


def test_broken_lines_are_counted_and_the_chain_goes_on_over_them(tmp_path: Path) -> None:
    one, _, three = pi_entries([user("one"), user("two"), user("three")])
    path = write_lines(tmp_path / "s.jsonl", [HEADER, one, '{"type":"message","id":"e2', three])
    before = path.read_bytes()
    with Transcript(path) as session:
        assert [message.text for message in session] == ["one", "three"]
        assert session.notices() == ["1 broken line (3) skipped"]
    assert path.read_bytes() == before


def test_a_loop_of_parents_is_said(tmp_path: Path) -> None:
    one, two = pi_entries([user("one"), user("two")])
    one["parentId"] = "e2"
    with Transcript(write_lines(tmp_path / "s.jsonl", [HEADER, one, two])) as session:
        assert [message.text for message in session] == ["one", "two"]
        assert session.notices() == [
            "the parents form a loop at line 3; the branch begins after it"
        ]


def test_the_format_is_seen_behind_broken_lines(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "s.jsonl", ["{", "", *pi_entries([user("one")])])
    with Transcript(path) as session:
        assert session.format == "pi"


def test_a_session_without_messages_is_empty(tmp_path: Path) -> None:
    with Transcript(write_lines(tmp_path / "s.jsonl", [HEADER])) as session:
        assert (len(session), session.previous) == (0, None)


def test_an_id_is_found_by_its_beginning_where_it_is_the_only_one(tmp_path: Path) -> None:
    entries = pi_entries([user("one"), user("two"), user("three")])
    for entry, identity in zip(entries, ("abcd1111", "abcd2222", "ef001111"), strict=True):
        entry["id"], entry["parentId"] = identity, None
    with Transcript(write_lines(tmp_path / "s.jsonl", [HEADER, *entries])) as session:
        assert session.find("ef00").text == "three"
        assert session.find("abcd2222").text == "two"
        for missing in ("abcd", "ef0", "nope", "", "abcd1111x"):
            with pytest.raises(MessageNotFound):
                session.find(missing)
