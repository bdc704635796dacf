"""Reading a note."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.errors import FileUnreadable, OutsideWorkspace
from hippocampus_cli.markdown.lines import encode
from hippocampus_cli.workspace.read import is_binary, read_note

needs_links = pytest.mark.skipif(os.name == "nt", reason="links need a privilege on Windows")


@pytest.mark.parametrize("data", [b"", b"a\r\nb\rc\n", b"\xef\xbb\xbf# A", b"\xff caf\xe9 \xc3"])
def test_every_byte_can_be_written_back(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.md").write_bytes(data)
    note = read_note(tmp_path, "a.md", 100)
    assert (note.path, encode(note.text)) == ("a.md", data)


@pytest.mark.parametrize(
    ("data", "binary"),
    [
        (b"", False),
        (b"text", False),
        (b"\x1b[0m\x07", False),
        (b"a\0b", True),
        (b"x" * 8191 + b"\0", False),
        (b"a line\0of a log\n" * 99, True),
        (bytes(range(256)) * 32, True),
        ("é\0".encode() + "wörter\n".encode() * 2000, False),
        ("text".encode("utf-16"), True),
        (b"\xfe\xff", True),
        (b"\xef\xbb\xbftext", False),
    ],
)
def test_binary(data: bytes, binary: bool) -> None:
    assert is_binary(data) is binary


def test_what_cannot_be_read_says_why(tmp_path: Path) -> None:
    (tmp_path / "big.md").write_bytes(b"x" * 11)
    (tmp_path / "bin.md").write_bytes(b"\0")
    (tmp_path / "folder.md").mkdir()
    reasons = {"big.md": "larger than 10", "bin.md": "binary", "gone.md": "No such file"}
    for path, reason in reasons.items():
        with pytest.raises(FileUnreadable, match=reason) as caught:
            read_note(tmp_path, path, 10)
        assert caught.value.path == path
    for path in ("folder.md", "", ".", "big.md/x", "a\0b", "x" * 5000, "x" * 300 + "/y"):
        with pytest.raises((FileUnreadable, OutsideWorkspace)):
            read_note(tmp_path, path, 10)
    assert read_note(tmp_path, "big.md", 11).text == "x" * 11


@needs_links
def test_nothing_outside_is_read(tmp_path: Path) -> None:
    root = tmp_path / "ws"
    root.mkdir()
    (tmp_path / "secret.md").write_text("secret")
    (root / "out.md").symlink_to(tmp_path / "secret.md")
    (root / "up").symlink_to("..")
    absolute = str(tmp_path / "secret.md")
    for path in ("out.md", "up/secret.md", "../secret.md", "up/../../secret.md", absolute, "~/x"):
        with pytest.raises(OutsideWorkspace):
            read_note(root, path, 100)


@needs_links
def test_a_link_inside_is_read_under_its_own_name(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("text")
    (tmp_path / "b.md").symlink_to("a.md")
    note = read_note(tmp_path, "b.md", 100)
    assert (note.path, note.text) == ("b.md", "text")


@given(st.text(max_size=40))
def test_any_path_is_answered_or_refused(path: str) -> None:
    try:
        read_note(Path("nowhere-at-all"), path, 10)
    except (FileUnreadable, OutsideWorkspace):
        return
    raise AssertionError("there is nothing to read")
