"""The index on disk: what is refused, what is kept, and what a reader can see meanwhile."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from hippocampus_cli.config.settings import Config, Lock
from hippocampus_cli.errors import (
    Busy,
    FileUnreadable,
    FileUnwritable,
    IndexNotFound,
    IndexRefused,
    OutsideWorkspace,
)
from hippocampus_cli.index.document import MASTER, Document, Text
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.parse import parse
from hippocampus_cli.workspace.lock import locked
from hippocampus_cli.workspace.own_files import ensure_folder, index_path
from hippocampus_cli.workspace.store import IndexStore

ENTRY = "## A\n→ a.md\n<!-- hx: id=a | hits=0 -->\n"


def hit(index: Hierarchy) -> tuple[Hierarchy, int]:
    """The entry used once more, and how often it was used then."""
    hits = index.by_key["a"].entry.hits + 1
    return index.set_values({"a": {"hits": str(hits)}}), hits


@pytest.fixture
def store(tmp_path: Path) -> IndexStore:
    (tmp_path / "HIPPOCAMPUS.md").write_bytes(ENTRY.encode())
    return IndexStore(tmp_path)


def test_a_change_is_written_and_bytes_elsewhere_are_not_touched(store: IndexStore) -> None:
    index_path(store.root).write_bytes(b"\xff\xfe odd\r\n" + ENTRY.encode())
    store.change(hit)
    assert (
        index_path(store.root).read_bytes()
        == b"\xff\xfe odd\r\n" + ENTRY.replace("hits=0", "hits=1").encode()
    )


def test_nothing_is_written_where_nothing_changes(store: IndexStore) -> None:
    before = index_path(store.root).stat()
    store.change(lambda document: (document, None))
    assert index_path(store.root).stat().st_mtime_ns == before.st_mtime_ns
    assert index_path(store.root).stat().st_ino == before.st_ino


def test_an_edit_between_reading_and_writing_is_not_lost(store: IndexStore) -> None:
    rounds = []

    def slow(document: Hierarchy) -> tuple[Hierarchy, int]:
        if not rounds:  # an editor saves while we think
            index_path(store.root).write_text("# by hand\n\n" + ENTRY)
        rounds.append(document)
        return hit(document)[0], len(rounds)

    index, result = store.change(slow)
    assert len(rounds) == result == 2  # the result is that of the run that was written
    assert index == store.read()
    assert index_path(store.root).read_text() == "# by hand\n\n" + ENTRY.replace("hits=0", "hits=1")


def test_a_document_that_would_not_read_back_is_not_written(store: IndexStore) -> None:
    unreadable = Hierarchy({MASTER: Document((Text("## A\n"), Text("<!-- hx: id=b -->\n")))})
    with pytest.raises(IndexRefused):
        store.change(lambda _: (unreadable, None))
    assert index_path(store.root).read_text() == ENTRY


def test_no_index(tmp_path: Path) -> None:
    with pytest.raises(IndexNotFound):
        IndexStore(tmp_path).read()
    with pytest.raises(IndexNotFound):
        IndexStore(tmp_path).change(hit)
    IndexStore(tmp_path).change(lambda d: (d, None), create=Hierarchy({MASTER: parse(ENTRY)}))
    assert (tmp_path / "HIPPOCAMPUS.md").read_text() == ENTRY


def test_a_folder_in_its_place(tmp_path: Path) -> None:
    (tmp_path / "HIPPOCAMPUS.md").mkdir()
    with pytest.raises(FileUnreadable):
        IndexStore(tmp_path).change(hit)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32"])
def test_another_encoding_is_never_appended_to(tmp_path: Path, encoding: str) -> None:
    data = ENTRY.encode(encoding)
    (tmp_path / "HIPPOCAMPUS.md").write_bytes(data)
    with pytest.raises(IndexRefused, match="UTF-8"):
        IndexStore(tmp_path).change(lambda d: (Hierarchy({MASTER: parse(d.text + ENTRY)}), None))
    assert (tmp_path / "HIPPOCAMPUS.md").read_bytes() == data


needs_links = pytest.mark.skipif(
    sys.platform == "win32", reason="links need a privilege on Windows"
)


@needs_links
def test_a_link_to_outside_is_refused_and_one_inside_stays_a_link(tmp_path: Path) -> None:
    outside = tmp_path / "outside.md"
    outside.write_text(ENTRY)
    root = tmp_path / "ws"
    (root / "notes").mkdir(parents=True)
    link = root / "HIPPOCAMPUS.md"
    link.symlink_to(outside)
    with pytest.raises(OutsideWorkspace):
        IndexStore(root).change(hit)
    assert outside.read_text() == ENTRY
    link.unlink()
    (root / "notes" / "index.md").write_text(ENTRY)
    link.symlink_to("notes/index.md")
    IndexStore(root).change(hit)
    assert link.is_symlink()
    assert "hits=1" in (root / "notes" / "index.md").read_text()


@needs_links
def test_own_folder_as_a_link_to_outside_is_refused(tmp_path: Path) -> None:
    root = tmp_path / "ws"
    root.mkdir()
    (root / "HIPPOCAMPUS.md").write_text(ENTRY)
    (tmp_path / "elsewhere").mkdir()
    (root / ".hippocampus").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OutsideWorkspace):
        IndexStore(root).change(hit)
    with pytest.raises(OutsideWorkspace, match="a link leads out"):
        IndexStore(root).read(archive=True)  # half of it would pass for the whole
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_lock_file_that_is_none_is_named(store: IndexStore) -> None:
    (store.root / ".hippocampus").mkdir()
    (store.root / ".hippocampus/lock").write_bytes(b"not a lock" * 500)
    with pytest.raises(FileUnwritable, match="not a database") as raised:
        store.change(hit)
    assert raised.value.path == ".hippocampus/lock"


@needs_links
@pytest.mark.parametrize("name", ["lock", "journal", "cache", ".gitignore", "lock-journal"])
def test_own_files_that_lead_out_are_refused(
    store: IndexStore, tmp_path_factory, name: str
) -> None:  # type: ignore[no-untyped-def]
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (store.root / ".hippocampus").mkdir()
    folder = name in ("journal", "cache")
    (store.root / ".hippocampus" / name).symlink_to(elsewhere if folder else elsewhere / "file")
    own = f".hippocampus/{name}/x" if folder else ".hippocampus/lock"
    with pytest.raises(OutsideWorkspace):
        ensure_folder(store.root, own)
    assert list(elsewhere.iterdir()) == []


def test_a_full_disk_changes_nothing(store: IndexStore, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(FileUnwritable, match="No space left"):
        store.change(hit)
    assert index_path(store.root).read_text() == ENTRY
    assert sorted(p.name for p in store.root.iterdir()) == [".hippocampus", "HIPPOCAMPUS.md"]


def test_a_writer_that_waits_too_long_says_so(store: IndexStore) -> None:
    script = (
        "import sys, time\nfrom pathlib import Path\nfrom hippocampus_cli.workspace.lock import locked\n"
        "with locked(Path(sys.argv[1]), 5):\n    print('held', flush=True)\n    sys.stdin.read()\n"
    )
    command = [sys.executable, "-c", script, str(store.root)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdin is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(Busy):
            IndexStore(store.root, Config(lock=Lock(0.05))).change(hit)
        holder.stdin.close()
    with locked(store.root, 1):
        pass


@pytest.mark.parametrize("gap", [0.0, 0.005, 0.02])
def test_an_index_that_is_renamed_away_for_a_moment_is_waited_for(
    store: IndexStore, gap: float
) -> None:
    """An editor moves the old file away and puts its new one there a moment later."""
    store.change(hit)
    away, new = (store.root / name for name in ("HIPPOCAMPUS.md~", "new"))
    ended = threading.Event()

    def edit() -> None:
        while not ended.is_set():
            new.write_bytes(index_path(store.root).read_bytes())
            index_path(store.root).rename(away)
            time.sleep(gap)
            new.rename(index_path(store.root))
            time.sleep(0.005)

    editor = threading.Thread(target=edit)
    editor.start()
    try:
        for _ in range(20):
            assert store.read().ids == {"a"}
    finally:
        ended.set()
        editor.join()
