"""A killed change is finished, also where somebody edited a file of the index before that."""

from __future__ import annotations

from pathlib import Path

import pytest

from hippocampus_cli.errors import IndexNotFound
from hippocampus_cli.index.document import MASTER
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.workspace.store import IndexStore
from tests.support.failing import Fault, Killed, failing
from tests.support.topic_files import TOPIC, master

SECTION = ("By Topic", "Projects")


@pytest.fixture
def store(tmp_path: Path) -> IndexStore:
    """Entries a, b, c in the master, d in the topic file."""
    (tmp_path / MASTER).write_text(master("a", "b", "c", "d"), encoding="utf-8")
    store = IndexStore(tmp_path)
    store.change(lambda index: (index.moved(["d"], SECTION, TOPIC), None))
    return store


def swapped(index: Hierarchy) -> tuple[Hierarchy, None]:
    """Changed: b goes to the topic file, d comes back, c is used."""
    index = index.moved(["b"], SECTION, TOPIC).moved(["d"], SECTION)
    return index.set_values({"c": {"hits": "8"}}), None


def edit(store: IndexStore, path: str, old: str, new: str) -> None:
    file = store.root / path
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


@pytest.mark.parametrize("write", [1, 2, 3])
@pytest.mark.parametrize("path", [MASTER, TOPIC])
def test_each_entry_stands_once_whatever_was_written_and_whatever_is_edited(
    store: IndexStore, write: int, path: str
) -> None:
    with failing(Fault.KILLED_AFTER, write), pytest.raises(Killed):
        store.change(swapped)
    edit(store, path, "# Projects\n", "# Projects\n\nEdited.\n")
    index = IndexStore(store.root).read()
    assert sorted(one.entry.id for one in index.entries) == ["a", "b", "c", "d"]
    assert (index.by_key["b"].file, index.by_key["d"].file) == (TOPIC, MASTER)
    assert index.by_key["c"].entry.hits == 8
    assert "Edited." in index.texts[path]


def test_an_edit_of_an_entry_goes_with_it(store: IndexStore) -> None:
    with failing(Fault.KILLED_AFTER, 1), pytest.raises(Killed):
        store.change(swapped)
    edit(store, MASTER, "About b.", "About bees.")
    index = IndexStore(store.root).read()
    assert sorted(one.entry.id for one in index.entries) == ["a", "b", "c", "d"]
    assert (index.by_key["b"].file, index.by_key["b"].entry.summary) == (TOPIC, "About bees.")


def test_an_index_that_was_deleted_stays_deleted(store: IndexStore) -> None:
    with failing(Fault.KILLED_AFTER, 1), pytest.raises(Killed):
        store.change(swapped)
    store.path.unlink()
    with pytest.raises(IndexNotFound):
        IndexStore(store.root).read()
    assert "id=b" in (store.root / TOPIC).read_text(encoding="utf-8")
