from __future__ import annotations

from pathlib import Path

import pytest

from hippocampus_cli.errors import FileUnwritable, OutsideWorkspace
from hippocampus_cli.workspace.note_store import change_note


def test_every_byte_reaches_the_change_and_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(b"\xef\xbb\xbfa\r\nb\r\xff\x80\n")
    seen = []

    def change(text: str | None) -> str:
        seen.append(text)
        return (text or "") + "\udcfe"

    change_note(tmp_path, "a.md", change, 1)
    assert path.read_bytes() == b"\xef\xbb\xbfa\r\nb\r\xff\x80\n\xfe"
    assert seen == ["\ufeffa\r\nb\r\udcff\udc80\n"]


def test_a_new_note_gets_its_folders(tmp_path: Path) -> None:
    change_note(tmp_path, "a/b/c.md", lambda text: f"{text}", 1)
    assert (tmp_path / "a/b/c.md").read_text() == "None"


def test_what_another_program_wrote_meanwhile_is_not_lost(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("one\n")
    calls = []

    def change(text: str | None) -> str:
        calls.append(text)
        if len(calls) == 1:
            path.write_text("one\ntwo\n")
        return f"{text}three\n"

    change_note(tmp_path, "a.md", change, 1)
    assert path.read_text() == "one\ntwo\nthree\n"


def test_a_program_that_keeps_writing_is_given_up_on(tmp_path: Path) -> None:
    path = tmp_path / "a.md"

    def change(text: str | None) -> str:
        path.write_text((text or "") + "x")
        return "ours"

    with pytest.raises(FileUnwritable, match="keeps writing"):
        change_note(tmp_path, "a.md", change, 1)
    assert set(path.read_text()) == {"x"}


@pytest.mark.parametrize(
    "name", ["../a.md", "/tmp/a.md", "a/../../b.md", "", ".", "~/a.md", "a\0b"]
)
def test_no_path_leads_outside(tmp_path: Path, name: str) -> None:
    root = tmp_path / "ws"
    root.mkdir()
    with pytest.raises(OutsideWorkspace):
        change_note(root, name, lambda text: "x", 1)
    assert list(tmp_path.iterdir()) == [root]
    assert list(root.iterdir()) == []


def test_a_file_in_the_place_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "memory").write_text("a file")
    with pytest.raises(FileUnwritable) as caught:
        change_note(tmp_path, "memory/a.md", lambda text: "x", 1)
    assert caught.value.path == "memory/a.md"
    assert (tmp_path / "memory").read_text() == "a file"
