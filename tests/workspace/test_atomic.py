"""Writing to files that other programs write too: what they have open, rename, link, or may not lose."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import Mock, patch

import pytest

from hippocampus_cli.errors import BeingWritten, FileUnwritable
from hippocampus_cli.workspace import atomic, lease
from hippocampus_cli.workspace.atomic import Overtaken, read_whole, replace_bytes
from tests.support.failing import Fault, failing

LEASES = pytest.mark.skipif(sys.platform != "linux", reason="no file leases here")


def replaced(path: Path, expected: bytes) -> None:
    replace_bytes(path, expected + b"new\n", "a.md", expected, 0.3)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "a.md"
    path.write_bytes(b"old\n")
    return path


@pytest.fixture(params=["leases", "none"])
def either(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """With and without leases and exchanges, as elsewhere than on Linux."""
    if request.param == "none":
        monkeypatch.setattr(lease, "take", lambda *_, **__: None)
        monkeypatch.setattr(atomic, "linux_rename", lambda *_: False)
    return None


@pytest.mark.skipif(sys.platform != "linux", reason="files change places on Linux only")
@pytest.mark.parametrize("name", ["a" * 252 + ".md", "é" * 126 + ".md", "海" * 84 + ".md"])
def test_a_name_as_long_as_can_be(tmp_path: Path, name: str) -> None:
    path, half = tmp_path / name, tmp_path / f"{atomic._prefix(tmp_path / name)}1.hippo-tmp"
    replace_bytes(path, b"old\n", name)
    half.write_bytes(b"of a write that was killed")
    replace_bytes(path, b"new\n", name, b"old\n")
    assert path.read_bytes() == b"new\n"
    assert list(tmp_path.iterdir()) == [path]


def test_two_files_change_places_and_a_place_that_is_taken_stays(path: Path) -> None:
    other = path.with_name("b.md")
    other.write_bytes(b"other\n")
    assert atomic.linux_rename(path, other, atomic.EXCHANGE)
    assert (path.read_bytes(), other.read_bytes()) == (b"other\n", b"old\n")
    with pytest.raises(FileExistsError):
        atomic.linux_rename(path, other, atomic.FREE)
    with pytest.raises(FileNotFoundError):
        atomic.linux_rename(path, path.with_name("none"), atomic.EXCHANGE)
    assert not atomic.linux_rename(path, other, 99)


def only(path: Path) -> None:
    assert [one.name for one in path.parent.iterdir()] == [path.name]


@pytest.mark.usefixtures("either")
def test_what_is_there_as_expected_is_changed_and_nothing_lies_about(path: Path) -> None:
    replaced(path, b"old\n")
    assert path.read_bytes() == b"old\nnew\n"
    only(path)


@pytest.mark.usefixtures("either")
def test_what_is_not_as_expected_stays(path: Path) -> None:
    with pytest.raises(Overtaken):
        replaced(path, b"older\n")
    assert path.read_bytes() == b"old\n"
    only(path)


@LEASES
def test_a_file_that_somebody_is_writing_is_left_to_them(path: Path) -> None:
    with path.open("r+b") as file:
        with pytest.raises(BeingWritten, match="open"):
            replaced(path, b"old\n")
        file.write(b"theirs")
    assert path.read_bytes() == b"theirs"
    only(path)


@LEASES
def test_who_saves_in_place_is_waited_for(path: Path) -> None:
    def save() -> None:
        with path.open("wb") as file:
            began.set()
            time.sleep(0.05)
            file.write(b"theirs\n")

    began = threading.Event()
    editor = threading.Thread(target=save)
    editor.start()
    began.wait(5)
    with pytest.raises(Overtaken):
        replaced(path, b"")
    editor.join()
    assert path.read_bytes() == b"theirs\n"
    assert read_whole(path, "a.md", 1) == b"theirs\n"


@LEASES
def test_a_reader_waits_for_the_whole_file_or_says_that_it_cannot(path: Path) -> None:
    with path.open("r+b"), pytest.raises(BeingWritten):
        read_whole(path, "a.md", 0.05)
    with path.open("rb"):
        assert read_whole(path, "a.md", 0) == b"old\n"


@LEASES
@pytest.mark.parametrize("moment", ["before", "after"])
def test_who_opens_the_file_while_it_is_replaced_writes_to_the_file_that_stays(
    path: Path, moment: str
) -> None:
    """At the last moment before the two files change places, and just after."""

    def save() -> None:
        with there.open("wb") as file:
            file.write(b"theirs\n")

    real, there = atomic._rename, path
    editor = threading.Thread(target=save)

    def slow(source: Path, target: Path, how: int = 0) -> None:
        nonlocal there
        if moment == "after" and not editor.ident:
            real(source, target, how)
            there = source  # found by the name that it had
            editor.start()
        else:
            if not editor.ident:
                editor.start()
                time.sleep(0.1)
            real(source, target, how)
        time.sleep(0.1)

    with patch.object(atomic, "_rename", slow), pytest.raises(Overtaken):
        replaced(path, b"old\n")
    editor.join()
    assert path.read_bytes() == b"theirs\n"
    only(path)


@pytest.mark.skipif(sys.platform != "linux", reason="files change places on Linux only")
@pytest.mark.parametrize("times", [1, 2])
def test_a_file_that_is_renamed_over_at_the_last_moment_stays(path: Path, times: int) -> None:
    real, saves = atomic._rename, []

    def slow(source: Path, target: Path, how: int = 0) -> None:
        if len(saves) < times:
            saves.append(f"theirs {len(saves)}\n".encode())
            beside = path.with_name("swap")
            beside.write_bytes(saves[-1])
            beside.replace(path)
        real(source, target, how)

    with patch.object(atomic, "_rename", slow), pytest.raises(Overtaken):
        replaced(path, b"old\n")
    assert path.read_bytes() == saves[-1]
    only(path)


@pytest.mark.usefixtures("either")
def test_a_new_file_takes_no_place_that_was_taken_meanwhile(path: Path) -> None:
    with patch.object(atomic, "check_still"), pytest.raises(Overtaken):
        replace_bytes(path, b"new", "a.md", None)
    assert path.read_bytes() == b"old\n"
    only(path)


def test_without_leases_late_bytes_come_back(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file was open, and looked still; it is written to just after it was replaced."""
    monkeypatch.setattr(lease, "take", lambda *_, **__: None)
    monkeypatch.setattr(atomic, "linux_rename", lambda *_: False)
    os.utime(path, (1, 1))
    real = atomic._replace
    with path.open("r+b", buffering=0) as file:

        def late(source: Path, target: Path) -> None:
            real(source, target)
            if target == path and not file.tell():
                file.write(b"theirs, late\n")

        monkeypatch.setattr(atomic, "_replace", late)
        with pytest.raises(Overtaken):
            replaced(path, b"old\n")
    assert path.read_bytes() == b"theirs, late\n"
    only(path)


def test_a_read_only_file_stays(path: Path) -> None:
    path.chmod(0o444)
    with pytest.raises(FileUnwritable, match="read-only"):
        replaced(path, b"old\n")
    assert path.read_bytes() == b"old\n"
    path.chmod(0o644)


def test_owner_and_permissions_stay(path: Path) -> None:
    path.chmod(0o640)
    if os.name == "posix" and os.geteuid() == 0:
        os.chown(path, 12345, 23456)
    before = path.stat()
    replaced(path, b"old\n")
    after = path.stat()
    assert (after.st_mode, after.st_uid, after.st_gid) == (
        *(before.st_mode, before.st_uid, before.st_gid),
    )


def test_another_name_of_the_file_keeps_what_it_held(path: Path) -> None:
    other = path.with_name("b.md")
    other.hardlink_to(path)
    replaced(path, b"old\n")
    assert (path.read_bytes(), other.read_bytes()) == (b"old\nnew\n", b"old\n")


def test_without_leases_a_file_that_grows_is_the_one_that_others_have_open(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lease, "take", lambda _: None)
    with path.open("a") as file:
        replace_bytes(path, b"old\nnew\n", "a.md", b"old\n", 0.3, growing=True)
        file.write("theirs\n")
    assert path.read_bytes() == b"old\nnew\ntheirs\n"
    only(path)


def test_a_full_disk_leaves_the_file_as_it_was(path: Path) -> None:
    with failing(Fault.FULL_ONCE, 1), pytest.raises(FileUnwritable, match="No space"):
        replaced(path, b"old\n")
    assert path.read_bytes() == b"old\n"
    only(path)


def test_what_cannot_be_appended_whole_is_taken_back(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = Mock(side_effect=[None, OSError(28, "No space left on device")])
    monkeypatch.setattr(lease, "take", lambda _: None)
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(FileUnwritable, match="No space"):
        replace_bytes(path, b"old\nnew\n", "a.md", b"old\n", 0.3, growing=True)
    assert path.read_bytes() == b"old\n"
    only(path)
