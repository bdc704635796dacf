from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path

import pytest

from hippocampus_cli.context.originals import find_original, keep_messages, note_transcript
from hippocampus_cli.context.transcripts import Message
from hippocampus_cli.context.transcripts.pi import message_of
from hippocampus_cli.errors import MessageAmbiguous, MessageNotFound
from hippocampus_cli.workspace.own_files import ORIGINALS
from hippocampus_cli.workspace.user_folders import hippo_folder
from tests.support.sessions import pi_file, says, user

FOLDER = ".hippocampus/sessions/_originals"


def test_messages_of_a_program_are_kept_themselves(tmp_path: Path) -> None:
    kept = [message_of(user("one"), "aa000001"), message_of(says("t\udcff\n"), "aa000002")]
    keep_messages(tmp_path, "s", kept)
    found = find_original([tmp_path], "aa000002")
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
    assert find_original([tmp_path], "e1").message.text == "one"


def test_a_session_elsewhere_is_named_by_its_whole_path(tmp_path: Path) -> None:
    (tmp_path / "root").mkdir()
    path = pi_file(tmp_path, user("one"))
    note_transcript(tmp_path / "root", path, "pi", [])
    assert find_original([tmp_path / "root"], "e1").path == str(path.resolve())


def test_a_record_that_came_with_the_workspace_leads_to_no_file_outside(tmp_path: Path) -> None:
    root, outside = tmp_path / "w", tmp_path / "outside"
    root.mkdir()
    outside.mkdir()
    path = pi_file(outside, user("one"))
    note_transcript(root, path, "pi", ["e1"])
    assert find_original([root], "e1").message.text == "one"
    (record,) = (root / FOLDER).glob("*.jsonl")
    shutil.copytree(root, tmp_path / "handed")
    with pytest.raises(MessageNotFound):
        find_original([tmp_path / "handed"], "e1")
    record.write_bytes(record.read_bytes())  # by another hand, though to the byte the same
    os.utime(record, ns=(0, 0))
    with pytest.raises(MessageNotFound):
        find_original([root], "e1")


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
        find_original([root], "e1")


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
        find_original([tmp_path], "e1")


def messages(*texts: str) -> list[Message]:
    return [message_of(user(text), f"m{at}") for at, text in enumerate(texts)]


def test_an_id_of_several_sessions_is_refused_with_their_list(tmp_path: Path) -> None:
    for name in "ab":
        keep_messages(tmp_path, name, messages("one", f"of {name}"))
    assert find_original([tmp_path], "m0").message.text == "one"  # both say the same
    for name in "ab":
        found = find_original([tmp_path], "m1", name)
        assert (found.message.text, found.session) == (f"of {name}", name)
    with pytest.raises(
        MessageAmbiguous, match="'m1' names different messages in 2 sessions"
    ) as told:
        find_original([tmp_path], "m1")
    assert "hippo fetch m1 --session a" in told.value.advice
    assert "hippo fetch m1 --session b" in told.value.advice


def test_two_session_files_with_equal_ids_are_told_apart(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / name).mkdir()
        path = pi_file(tmp_path / name, user("one"), says(f"of {name}"))
        note_transcript(tmp_path, path, "pi", ["e2"])
    assert find_original([tmp_path], "e2", str(tmp_path / "a/session.jsonl")).message.text == "of a"
    assert find_original([tmp_path], "e2", str(tmp_path / "b/session.jsonl")).message.text == "of b"
    with pytest.raises(MessageAmbiguous, match="2 sessions"):
        find_original([tmp_path], "e2")
    with pytest.raises(MessageNotFound):
        find_original([tmp_path], "e2", "c/session.jsonl")


def test_a_session_that_is_gone_is_not_answered_by_another(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / name).mkdir()
        path = pi_file(tmp_path / name, user(f"of {name}"), says("two"), says(f"{name} three"))
        ids = ["e1"] if name == "a" else []
        note_transcript(tmp_path, path, "pi", ids)
    assert find_original([tmp_path], "e1").message.text == "of a"  # only that summary lists it
    (tmp_path / "a/session.jsonl").unlink()
    with pytest.raises(
        MessageNotFound, match=r"its session can no longer be read: a/session\.jsonl"
    ):
        find_original([tmp_path], "e1")


def test_no_number_of_compactions_removes_a_record(tmp_path: Path) -> None:
    for number in range(300):
        kept = [message_of(user(f"said {at}"), f"k{at}") for at in range(number, number + 3)]
        keep_messages(tmp_path, f"session {number % 10}", kept)
    for number in (0, 150, 301):
        assert find_original([tmp_path], f"k{number}").message.text == f"said {number}"
    held = [
        line
        for path in (tmp_path / ORIGINALS).glob("*")
        for line in path.read_text().splitlines()[1:]
    ]
    assert len(held) == 900
    assert len([*(tmp_path / ORIGINALS).glob("*")]) == 300


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such modes on Windows")
def test_originals_are_read_by_their_owner_alone(tmp_path: Path) -> None:
    keep_messages(tmp_path, "s", messages("one"))
    (path,) = (tmp_path / ORIGINALS).glob("*")
    assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("platform", "environ", "folder"),
    [
        ("linux", {}, "/h/.local/share/hippo"),
        ("linux", {"XDG_DATA_HOME": "/x"}, "/x/hippo"),
        ("linux", {"XDG_DATA_HOME": "x"}, "/h/.local/share/hippo"),
        ("darwin", {"XDG_DATA_HOME": "/x"}, "/h/Library/Application Support/hippo/data"),
        ("win32", {"LOCALAPPDATA": "/l"}, "/l/hippo/data"),
    ],
)
def test_the_users_own_folder(platform: str, environ: dict[str, str], folder: str) -> None:
    assert hippo_folder("data", environ, Path("/h"), platform) == Path(folder)
