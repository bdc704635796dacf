"""Reading many notes one after the other."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.errors import FileUnreadable, HippoError
from hippocampus_cli.workspace.note import Note
from hippocampus_cli.workspace.read import read_note
from hippocampus_cli.workspace.reader import Reader

needs_links = pytest.mark.skipif(os.name == "nt", reason="links need a privilege on Windows")
_LARGEST = 20


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "ws"
    for folder in ("notes/deep", "other"):
        (root / folder).mkdir(parents=True)
    (tmp_path / "secret.md").write_text("secret")
    for path in ("a.md", "notes/a.md", "notes/b.md", "notes/deep/a.md", "other/a.md"):
        (root / path).write_text(f"{path} \r\n")
    (root / "big.md").write_text("x" * (_LARGEST + 1))
    (root / "full.md").write_text("x" * _LARGEST)
    (root / "bin.md").write_bytes(b"\0")
    return root


@pytest.fixture
def reader(root: Path) -> Iterator[Reader]:
    made = Reader(root, _LARGEST)
    yield made
    made.close()


def told(read: object) -> object:
    """What reading gives, be it a note or an error."""
    assert callable(read)
    try:
        found = read()
    except HippoError as error:
        return type(error), error.facts
    assert isinstance(found, Note)
    return found.path, found.text


def both(root: Path, reader: Reader, path: str) -> tuple[object, object]:
    return told(lambda: reader.note(path)), told(lambda: read_note(root, path, _LARGEST))


_PATHS = (
    *("a.md", "notes/a.md", "notes/b.md", "notes/deep/a.md", "other/a.md", "big.md", "full.md"),
    *(
        "bin.md",
        "notes",
        "gone.md",
        "gone/a.md",
        "",
        ".",
        "notes/",
        "notes/.",
        "notes/..",
        "a.md/b",
    ),
    *("../secret.md", "notes/../a.md", "./a.md", "notes//a.md", "~/a.md", "/etc/hosts", "a\0b"),
    *("x" * 300, "x" * 5000, "notes/" + "x" * 5000, "C:\\a.md", "\\a.md"),
)


@pytest.mark.parametrize("path", _PATHS)
def test_it_reads_and_refuses_what_reading_one_note_does(
    root: Path, reader: Reader, path: str
) -> None:
    found, expected = both(root, reader, path)
    assert found == expected


@given(paths=st.lists(st.sampled_from(_PATHS), max_size=8))
def test_whatever_was_read_before(
    paths: list[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    root = tmp_path_factory.mktemp("ws")
    (root / "notes").mkdir()
    (root / "a.md").write_text("one")
    (root / "notes" / "a.md").write_text("another")
    reader = Reader(root, _LARGEST)
    for path in paths:
        found, expected = both(root, reader, path)
        assert found == expected
    reader.close()


@needs_links
def test_links_are_followed_inside_only(root: Path, reader: Reader) -> None:
    (root / "in.md").symlink_to("a.md")
    (root / "out.md").symlink_to("../secret.md")
    (root / "inner").symlink_to("notes")
    (root / "outer").symlink_to("..")
    for path in ("in.md", "out.md", "inner/a.md", "outer/secret.md", "notes/a.md"):
        found, expected = both(root, reader, path)
        assert found == expected


@needs_links
def test_a_folder_that_becomes_a_link_to_the_outside_leads_nowhere(
    root: Path, reader: Reader
) -> None:
    (root.parent / "b.md").write_text("outside")
    reader.note("notes/a.md")
    (root / "notes").rename(root / "before")
    (root / "notes").symlink_to("..")
    assert reader.note("notes/b.md").text == "notes/b.md \r\n"  # of the folder that was looked at

    with pytest.raises(HippoError):
        reader.note("notes/secret.md")


def test_it_can_be_used_again_after_it_was_closed(root: Path, reader: Reader) -> None:
    reader.note("notes/a.md")
    reader.close()
    (root / "notes" / "b.md").write_text("new")
    assert reader.note("notes/b.md").text == "new"


@pytest.mark.skipif(os.name == "nt", reason="named pipes are files on POSIX only")
def test_a_named_pipe_does_not_hang(root: Path, reader: Reader) -> None:
    os.mkfifo(root / "pipe.md")
    with pytest.raises(FileUnreadable, match="not a regular file"):
        reader.note("pipe.md")


@pytest.mark.skipif(
    not Path("/proc/self/fd").is_dir(), reason="open files are listed on Linux only"
)
def test_no_file_stays_open(root: Path) -> None:
    before = len(list(Path("/proc/self/fd").iterdir()))
    reader = Reader(root, _LARGEST)
    for path in ("a.md", "notes/a.md", "big.md", "bin.md", "gone.md", "notes/deep/a.md"):
        told(lambda path=path: reader.note(path))
    reader.close()
    assert len(list(Path("/proc/self/fd").iterdir())) == before
