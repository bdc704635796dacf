"""What an index lost since hippo last wrote it is noticed by every write, and made permanent by none."""

from __future__ import annotations

from pathlib import Path

import pytest

from hippocampus_cli.config.settings import Config, Upkeep
from hippocampus_cli.errors import IndexRefused, IndexShrunk
from hippocampus_cli.index.document import FOLDER, MASTER
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.workspace import guard, snapshots
from hippocampus_cli.workspace.own_files import SNAPSHOTS
from hippocampus_cli.workspace.store import IndexStore
from tests.support.topic_files import JULY, TOPIC, block, master

KEYS = tuple("abcdefghij")


def hit(index: Hierarchy) -> tuple[Hierarchy, None]:
    return index.set_values({one.key: {"hits": "7"} for one in index.entries[:1]}), None


@pytest.fixture
def store(tmp_path: Path) -> IndexStore:
    """Ten entries, known."""
    (tmp_path / MASTER).write_text(master(*KEYS))
    found = IndexStore(tmp_path)
    found.change(hit)
    return found


def put(store: IndexStore, path: str, text: str) -> None:
    file = store.root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


@pytest.mark.parametrize("text", ["", "\n", "# Index\n", master(*KEYS[:7]), master("x", "y")])
def test_an_index_that_lost_more_than_the_limit_is_not_written(
    store: IndexStore, text: str
) -> None:
    put(store, MASTER, text)
    with pytest.raises(IndexShrunk):
        store.change(hit, archive=False)
    with pytest.raises(IndexShrunk):
        store.change(hit, archive=True)
    assert (store.root / MASTER).read_text() == text
    assert store.loss(store.read(archive=True))


def test_a_few_entries_may_go_and_any_number_come(store: IndexStore) -> None:
    for keys in (KEYS[:8], (*KEYS[:8], *"klmnop"), KEYS[:8] + tuple("klmn")):
        put(store, MASTER, master(*keys))
        store.change(hit, archive=False)
        assert snapshots.newest(store.root)[1].ids == set(keys)


def test_one_entry_of_two_may_go_but_not_the_last(tmp_path: Path) -> None:
    store = IndexStore(tmp_path)
    put(store, MASTER, master("a", "b"))
    store.change(hit, archive=False)
    put(store, MASTER, master("a"))
    store.change(hit, archive=False)
    put(store, MASTER, "")
    with pytest.raises(IndexShrunk):
        store.change(hit, archive=False)


def test_what_went_to_a_topic_file_to_the_archive_or_into_another_is_not_lost(
    store: IndexStore,
) -> None:
    put(store, TOPIC, master(*KEYS[4:6]))
    put(store, JULY, master(*KEYS[6:9]))
    put(store, MASTER, master(*KEYS[:4]) + block("k", " | aka=j"))
    store.change(hit, archive=False)
    assert not store.loss(store.read(archive=True))


def test_topic_files_and_the_archive_are_guarded_too(store: IndexStore) -> None:
    put(store, TOPIC, master("p", "q", "r", "s"))
    put(store, JULY, master("t", "u", "v"))
    store.change(hit, archive=True)
    (store.root / JULY).write_text("")
    store.change(hit, archive=False)  # what does not read the archive does not lose it
    with pytest.raises(IndexShrunk):
        store.change(hit, archive=True)
    (store.root / TOPIC).unlink()
    with pytest.raises(IndexShrunk):
        store.change(hit, archive=False)


def test_what_is_accepted_is_what_is_known(store: IndexStore) -> None:
    put(store, MASTER, master("a", "b"))
    assert store.accept() == 2
    store.change(hit, archive=False)
    put(store, MASTER, master(*KEYS))
    store.change(hit, archive=False)


def test_a_limit_of_one_guards_nothing(store: IndexStore) -> None:
    (store.root / MASTER).write_text("")
    IndexStore(store.root, Config(upkeep=Upkeep(1.0))).change(hit)


@pytest.mark.parametrize("path", [MASTER, TOPIC, JULY])
def test_the_markers_of_a_merge_stop_every_write_that_reads_the_file(
    store: IndexStore, path: str
) -> None:
    put(store, path, f"{master('a') if path == MASTER else ''}<<<<<<< a\n=======\n>>>>>>> b\n")
    before = (store.root / MASTER).read_bytes()
    with pytest.raises(IndexRefused) as raised:
        store.change(hit, archive=True)
    line = (store.root / path).read_text().splitlines().index("<<<<<<< a") + 1
    assert (raised.value.path, raised.value.line) == (path, line)
    assert (store.root / MASTER).read_bytes() == before


def test_a_write_that_changes_no_id_writes_nothing_else(store: IndexStore) -> None:
    folder = store.root / SNAPSHOTS
    before = {one.name: one.stat().st_mtime_ns for one in folder.iterdir()}
    store.change(lambda index: (index.set_values({"b": {"hits": "3"}}), None))
    assert {one.name: one.stat().st_mtime_ns for one in folder.iterdir()} == before


def test_snapshots_that_cannot_be_read_guard_nothing(store: IndexStore) -> None:
    (kept,) = guard.snapshots(store.root)
    (store.root / kept.path).write_bytes(b"")
    put(store, MASTER, master("a", "b"))
    store.change(hit, archive=False)
    assert snapshots.newest(store.root)[1].ids == {"a", "b"}


def test_an_older_name_says_how_many_entries_lived(store: IndexStore) -> None:
    (kept,) = guard.snapshots(store.root)
    (store.root / kept.path).rename((store.root / kept.path).with_name("0001-10-9f3a61c2.zip"))
    (known,) = guard.snapshots(store.root)
    assert known[:3] == (1, 10, 0)


def test_git_is_told_to_leave_them_alone(store: IndexStore) -> None:
    assert "snapshots/" in (store.root / FOLDER / ".gitignore").read_text().split()


def test_what_a_kill_left_goes_with_the_next_write(store: IndexStore) -> None:
    left = store.root / SNAPSHOTS / ".0007-3-9f3a61c2.zip.9621-3662196.hippo-tmp"
    left.write_text("{")
    put(store, MASTER, master(*KEYS, "k"))
    store.change(hit, archive=False)
    assert not left.exists()
