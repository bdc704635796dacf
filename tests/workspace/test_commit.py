"""Several files as one: all or none, at every point where a process can be killed."""

from __future__ import annotations

import io
import os
import warnings
import zipfile
from datetime import date
from pathlib import Path

import pytest

from hippocampus_cli.errors import ChangeUnfinished, FileUnreadable, FileUnwritable, IndexNotFound
from hippocampus_cli.index.archive import Why, bring_back, retired
from hippocampus_cli.index.document import MASTER
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.workspace import commit
from hippocampus_cli.workspace.atomic import Replacement
from hippocampus_cli.workspace.own_files import index_path
from hippocampus_cli.workspace.store import IndexStore
from hippocampus_cli.workspace.transaction import packed, unpacked
from tests.support.failing import Fault, Killed, failing, interrupted
from tests.support.topic_files import TOPIC, block, master

PENDING = ".hippocampus/pending.zip"
SECTION = ("By Topic", "Projects")


@pytest.fixture
def store(tmp_path: Path) -> IndexStore:
    (tmp_path / "HIPPOCAMPUS.md").write_text(master("a", "b", "c"), encoding="utf-8")
    return IndexStore(tmp_path)


def shard(index: Hierarchy) -> tuple[Hierarchy, None]:
    return index.moved(["b"], SECTION, TOPIC), None


@pytest.mark.parametrize("write", [0, 1, 2])
def test_killed_before_any_write_the_next_reader_sees_all_or_nothing(
    store: IndexStore, write: int
) -> None:
    with failing(Fault.KILLED_BEFORE, write + 1), pytest.raises(Killed):
        store.change(shard)
    index = IndexStore(store.root).read()
    assert sorted(one.key for one in index.entries) == ["a", "b", "c"]
    assert bool(index.beyond) == (write > 0)
    assert not (store.root / PENDING).exists()


def test_a_disk_that_is_full_half_way_leaves_everything_as_it_was(store: IndexStore) -> None:
    before = index_path(store.root).read_bytes()
    with failing(Fault.FULL_ONCE, 3), pytest.raises(FileUnwritable, match="No space"):
        store.change(shard)
    assert index_path(store.root).read_bytes() == before
    assert not (store.root / TOPIC).exists()
    assert not (store.root / PENDING).exists()


@pytest.mark.parametrize("write", [1, 2, 3])
def test_who_saves_the_index_while_it_is_written_is_not_overwritten(
    store: IndexStore, write: int
) -> None:
    """Saved at the last moment before each write: before anything is done, half way, and too late to matter."""
    path, saves = index_path(store.root), []

    def save() -> None:
        saves.append(path.read_text(encoding="utf-8"))
        path.write_text(saves[-1].replace("My own words.", "My newer words."), encoding="utf-8")

    with interrupted(write, save):
        index, _ = store.change(shard)
    assert len(saves) == 1
    assert "My newer words." in path.read_text(encoding="utf-8")
    assert sorted(one.key for one in index.entries) == ["a", "b", "c"]
    assert index.by_key["b"].file == TOPIC


@pytest.mark.parametrize(
    "name",
    [
        "after/../outside.md",
        "after/notes.md",
        "after/.hippocampus/config.toml",
        "x",
        "after/.hippocampus/topics/../../x",
    ],
)
def test_a_pending_file_from_elsewhere_reaches_nothing_but_hippos_own_files(
    store: IndexStore, name: str
) -> None:
    store.change(lambda index: (index, None))
    (store.root / ".hippocampus").mkdir(exist_ok=True)
    with zipfile.ZipFile(store.root / PENDING, "w") as archive:
        archive.writestr(name, "owned")
    before = {path for path in store.root.rglob("*") if path.is_file()}
    store.read()
    after = {path for path in store.root.rglob("*") if path.is_file()}
    assert after == before - {store.root / PENDING}


def damaged() -> bytes:
    """A zip whose directory is whole and whose contents are not."""
    data = bytearray(packed({"HIPPOCAMPUS.md": Replacement(None, b"word " * 999)}))
    data[60:80] = bytes(byte ^ 0x5A for byte in data[60:80])
    return bytes(data)


def test_a_damaged_one_is_removed_too(store: IndexStore) -> None:
    pending = store.root / PENDING
    pending.parent.mkdir(exist_ok=True)
    before = index_path(store.root).read_bytes()
    for data in (damaged(), damaged()[:50]):
        pending.write_bytes(data)
        assert len(store.read().entries) == 3
        assert not pending.exists() and index_path(store.root).read_bytes() == before


def test_one_that_may_not_be_read_stays_for_whoever_may(
    store: IndexStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    pending = store.root / PENDING
    pending.parent.mkdir(exist_ok=True)
    pending.write_bytes(b"another user's")
    real = os.open

    def refusing(path: str | Path, *given: int) -> int:
        if path == pending:
            raise PermissionError(13, "Permission denied")
        return real(path, *given)

    monkeypatch.setattr(os, "open", refusing)
    assert len(store.read().entries) == 3
    with pytest.raises(FileUnreadable, match="Permission"):
        store.change(shard)
    assert pending.exists()


def test_what_is_packed_unpacks() -> None:
    files = {
        "HIPPOCAMPUS.md": Replacement(b"old", b"new"),
        TOPIC: Replacement(None, "ü\udcff".encode("utf-8", "surrogateescape")),
        ".hippocampus/meta.json": Replacement(b"{}", None),
    }
    assert unpacked(packed(files), "it", commit.is_own) == files


def test_a_topic_file_that_leads_outside_is_not_read(
    store: IndexStore, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside") / "secret.md"
    outside.write_text(master("secret"), encoding="utf-8")
    (store.root / ".hippocampus/topics").mkdir(parents=True)
    (store.root / TOPIC).symlink_to(outside)
    assert "secret" not in store.read().by_key


def test_a_pending_file_that_comes_back_later_changes_nothing(store: IndexStore) -> None:
    with failing(Fault.KILLED_AFTER, 1), pytest.raises(Killed):
        store.change(shard)
    stale = (store.root / PENDING).read_bytes()
    store.read()
    store.change(lambda one: (one.moved(["b"], SECTION).set_values({"b": {"hits": "3"}}), None))
    store.change(lambda one: (one.moved(["c", "b"], SECTION, TOPIC), None))
    store.change(lambda one: (one.moved(["b"], SECTION), None))
    before = {path: path.read_bytes() for path in store.root.rglob("*.md")}
    (store.root / PENDING).write_bytes(stale)
    assert "after a kill, a sync or a backup" in IndexStore(store.root).settle()
    assert {path: path.read_bytes() for path in store.root.rglob("*.md")} == before
    assert not (store.root / PENDING).exists()


def test_a_change_that_can_be_neither_finished_nor_taken_back_is_told_of(store: IndexStore) -> None:
    with failing(Fault.FULL, 3), pytest.raises(ChangeUnfinished, match="incomplete: No space"):
        store.change(shard)
    assert "has been completed" in IndexStore(store.root).settle()
    assert IndexStore(store.root).read().by_key["b"].file == TOPIC
    assert IndexStore(store.root).settle() == ""


def _zipped(*members: tuple[str, bytes], kind: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(buffer, "w", kind) as archive:
        warnings.simplefilter("ignore")  # of names that stand twice
        for name, data in members:
            archive.writestr(name, data)
    return buffer.getvalue()


def test_what_unpacks_to_too_much_is_refused() -> None:
    with pytest.raises(FileUnreadable):
        unpacked(_zipped((f"after/{TOPIC}", bytes(100_000_000))), "it", commit.is_own)


@pytest.mark.parametrize(
    "data",
    [
        _zipped((f"after/{TOPIC}", b"a"), (f"after/{TOPIC}", b"b")),
        _zipped((f"after/{TOPIC}", b"a"), kind=zipfile.ZIP_BZIP2),
        _zipped(("after/.hippocampus/topics/a\nb.md", b"")),
        _zipped(("after/.hippocampus/topics/a.md:stream", b"")),
        _zipped(("after/.hippocampus/topics/../../../a.md", b"")),
        _zipped((f"after/{TOPIC}", b"a"))[:-30],
        _zipped((f"after/{TOPIC}", b"a")).replace(b"PK\x01\x02", b"PK\x01\x03"),
    ],
)
def test_what_no_hippo_packed_is_refused(data: bytes) -> None:
    with pytest.raises(FileUnreadable):
        unpacked(data, "it", commit.is_own)


BEGUN = ("By Topic", "Projects")


@pytest.fixture
def opened(tmp_path: Path) -> IndexStore:
    """Entries a, b, c in the master, d in the topic file."""
    (tmp_path / MASTER).write_text(master("a", "b", "c", "d"), encoding="utf-8")
    opened = IndexStore(tmp_path)
    opened.change(lambda index: (index.moved(["d"], BEGUN, TOPIC), None))
    return opened


def swapped(index: Hierarchy) -> tuple[Hierarchy, None]:
    """Changed: b goes to the topic file, d comes back, c is used."""
    index = index.moved(["b"], BEGUN, TOPIC).moved(["d"], BEGUN)
    return index.set_values({"c": {"hits": "8"}}), None


def edit(opened: IndexStore, path: str, old: str, new: str) -> None:
    file = opened.root / path
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


@pytest.mark.parametrize("write", [1, 2, 3])
@pytest.mark.parametrize("path", [MASTER, TOPIC])
def test_each_entry_stands_once_whatever_was_written_and_whatever_is_edited(
    opened: IndexStore, write: int, path: str
) -> None:
    with failing(Fault.KILLED_AFTER, write), pytest.raises(Killed):
        opened.change(swapped)
    edit(opened, path, "# Projects\n", "# Projects\n\nEdited.\n")
    index = IndexStore(opened.root).read()
    assert sorted(one.entry.id for one in index.entries) == ["a", "b", "c", "d"]
    assert (index.by_key["b"].file, index.by_key["d"].file) == (TOPIC, MASTER)
    assert index.by_key["c"].entry.hits == 8
    assert "Edited." in index.texts[path]


def test_an_edit_of_an_entry_goes_with_it(opened: IndexStore) -> None:
    with failing(Fault.KILLED_AFTER, 1), pytest.raises(Killed):
        opened.change(swapped)
    edit(opened, MASTER, "About b.", "About bees.")
    index = IndexStore(opened.root).read()
    assert sorted(one.entry.id for one in index.entries) == ["a", "b", "c", "d"]
    assert (index.by_key["b"].file, index.by_key["b"].entry.summary) == (TOPIC, "About bees.")


def test_an_entry_that_is_moved_while_it_leaves_for_the_archive_stands_once(
    opened: IndexStore,
) -> None:
    with failing(Fault.KILLED_AFTER, 1), pytest.raises(Killed):
        day = date(2026, 7, 1)
        opened.change(
            lambda index: (retired(index, {"b": {}}, Why.SILENT, day), None), archive=True
        )
    text = index_path(opened.root).read_text(encoding="utf-8").replace(block("b"), "")
    moved = text.replace("## By Topic", f"{block('b')}\n## By Topic")
    index_path(opened.root).write_text(moved, encoding="utf-8")
    index = IndexStore(opened.root).read(archive=True)
    there = [one.entry.id for one in (*index.entries, *index.archived)]
    assert sorted(there) == ["a", "b", "c", "d"]


def test_an_index_that_only_grew_and_was_then_edited_has_the_change_already(
    opened: IndexStore,
) -> None:
    day, homes = date(2026, 7, 1), {"b": BEGUN}
    opened.change(lambda index: (retired(index, {"b": {}}, Why.SILENT, day), None), archive=True)
    with failing(Fault.KILLED_AFTER, 2), pytest.raises(Killed):
        opened.change(lambda index: (bring_back(index, homes), None), archive=True)
    edit(opened, MASTER, "My own words.", "My own words.\n\nEdited.")
    index = IndexStore(opened.root).read(archive=True)
    there = [one.entry.id for one in (*index.entries, *index.archived)]
    assert sorted(there) == ["a", "b", "c", "d"]


def test_an_index_that_was_deleted_stays_deleted(opened: IndexStore) -> None:
    with failing(Fault.KILLED_AFTER, 1), pytest.raises(Killed):
        opened.change(swapped)
    index_path(opened.root).unlink()
    with pytest.raises(IndexNotFound):
        IndexStore(opened.root).read()
    assert "id=b" in (opened.root / TOPIC).read_text(encoding="utf-8")
