"""Copies of the index: whole, verified, few, and all in one place."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.errors import FileUnreadable, NoSnapshot, OutsideWorkspace
from hippocampus_cli.index.document import MASTER
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.workspace.guard import snapshots
from hippocampus_cli.workspace.own_files import SNAPSHOTS
from hippocampus_cli.workspace.snapshots import newest, opened, take
from hippocampus_cli.workspace.store import IndexStore
from tests.support.topic_files import JULY, TOPIC, block, master

NOW = datetime(2026, 8, 1, 2, 30, tzinfo=UTC)


def kept_files(root: Path) -> list[str]:
    """Every file of the folder, from the workspace's root."""
    return sorted(path.relative_to(root).as_posix() for path in (root / SNAPSHOTS).glob("*"))


def index_files(root: Path) -> dict[str, bytes]:
    return {path: (root / path).read_bytes() for path in (MASTER, TOPIC, JULY)}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A workspace with an index of three kinds of file, and one snapshot of it."""
    for path, keys in ((MASTER, "abc"), (TOPIC, "de"), (JULY, "z")):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(master(*keys))
    IndexStore(tmp_path).change(lambda index: (index.counted(), None), archive=True)
    return tmp_path


def add(root: Path, key: str) -> None:
    section = ("By Topic", "Projects")
    IndexStore(root).change(lambda index: (index.add(section, [block(key).strip()]), None))


def test_a_snapshot_holds_every_file_and_its_name_says_how_many_entries_live(root: Path) -> None:
    (one,) = snapshots(root)
    assert (one.number, one.entries, one.archived) == (1, 5, 1)
    assert opened(root, one) == index_files(root)


def test_the_same_index_makes_no_second_one(root: Path) -> None:
    take(root, index_files(root), NOW)
    assert len(snapshots(root)) == 1
    (root / MASTER).write_text(master("a", "b", "c") + "More.\n")
    take(root, index_files(root), NOW)
    assert [one.at for one in snapshots(root)][1:] == [NOW]


def test_a_new_entry_makes_a_snapshot(root: Path) -> None:
    add(root, "n")
    assert newest(root)[1].ids == set("abcden")
    assert newest(root, 1)[1].ids == set("abcde")


@given(st.integers(0, 2_000), st.integers(1, 255))
def test_a_damaged_one_is_never_used(
    tmp_path_factory: pytest.TempPathFactory, at: int, flip: int
) -> None:
    folder = tmp_path_factory.mktemp("damaged")
    take(folder, {MASTER: master("a").encode()}, NOW)
    take(folder, {MASTER: master("a", "b").encode()}, NOW)
    one, two = snapshots(folder)
    data = bytearray((folder / two.path).read_bytes())
    data[at % len(data)] ^= flip
    (folder / two.path).write_bytes(data)
    there, index = newest(folder)
    if there == one:
        assert index.texts == {MASTER: master("a")}
        with pytest.raises(FileUnreadable):
            newest(folder, 2)
    else:  # a byte that nobody reads: a time, an attribute
        assert index.texts == {MASTER: master("a", "b")}


def test_where_there_is_none_that_is_said(tmp_path: Path) -> None:
    assert snapshots(tmp_path) == kept_files(tmp_path) == []
    for number, which in ((None, "snapshot"), (0, "snapshot 0"), (3, "snapshot 3")):
        with pytest.raises(NoSnapshot, match=f"no {which} of"):
            newest(tmp_path, number)


def test_the_last_forty_are_kept(tmp_path: Path) -> None:
    for number in range(1, 43):
        take(tmp_path, {MASTER: f"{master('a')}{number}\n".encode()})
    assert [one.number for one in snapshots(tmp_path)] == [*range(3, 43)]


def test_a_full_disk_costs_the_snapshot_alone(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("hippocampus_cli.workspace.atomic._rename", full)
    (root / MASTER).write_text(master("a", "b", "c", "n"))
    IndexStore(root).snapshot(NOW)
    assert len(snapshots(root)) == 1


def test_a_folder_that_leads_outside_is_left_alone(
    root: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    folder = root / ".hippocampus/snapshots"
    for one in folder.iterdir():
        one.rename(elsewhere / one.name)
    folder.rmdir()
    folder.symlink_to(elsewhere)
    before = sorted(elsewhere.iterdir())
    IndexStore(root).change(lambda index: (Hierarchy({MASTER: index.master, **index.files}), None))
    with pytest.raises(OutsideWorkspace):
        take(root, index_files(root), NOW)
    assert snapshots(root) == []
    assert sorted(elsewhere.iterdir()) == before
