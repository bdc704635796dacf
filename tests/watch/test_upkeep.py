"""What a watch asks for, on a real folder."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from hippocampus_cli.api.workspace import Workspace
from hippocampus_cli.config import Config, load
from hippocampus_cli.errors import IndexNotFound
from hippocampus_cli.maintenance.run_bootstrap import bootstrap
from hippocampus_cli.maintenance.snapshot import _SAMPLE
from hippocampus_cli.search.library import Library
from hippocampus_cli.watch.events import WatchEvent
from hippocampus_cli.watch.upkeep import _AT_ONCE, IndexUpkeep
from hippocampus_cli.workspace.fingerprints import KeptFingerprints

NOW = datetime(2026, 8, 1, 9, 14, tzinfo=UTC)
SIREN = (
    "# Siren\n\n## Test\n\nThe siren on the roof is tested on the first Tuesday of every month.\n"
)
KELPIE = "# Kelpie\n\n## Loch\n\nThe kelpie lives in the loch and was last seen in March.\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "MEMORY.md").write_text(SIREN)
    bootstrap(tmp_path, Config(), NOW)
    return tmp_path


@pytest.fixture
def upkeep(root: Path) -> Iterator[IndexUpkeep]:
    made = IndexUpkeep(root, Config())
    yield made
    made.close()


def index(root: Path) -> str:
    return (root / "HIPPOCAMPUS.md").read_text(encoding="utf-8")


def test_what_was_there_is_no_news(root: Path, upkeep: IndexUpkeep) -> None:
    assert upkeep.sync(NOW) == []
    assert upkeep.sync(NOW) == ()
    shutil.rmtree(root / ".hippocampus/cache")  # with what tells old from new
    (root / "MEMORY.md").write_text(SIREN + "\n")
    assert upkeep.sync(NOW) == [WatchEvent("changed", "MEMORY.md", None, "")]


def test_what_came_while_nobody_watched_gets_its_entry(root: Path, upkeep: IndexUpkeep) -> None:
    (root / "kelpie.md").write_text(KELPIE)
    (added,) = upkeep.sync(NOW)
    assert (added.kind, added.path, added.detail) == ("added", "kelpie.md", "Kelpie")
    assert f"id={added.entry} " in index(root)


def test_a_query_that_was_faster_takes_nothing_away(root: Path, upkeep: IndexUpkeep) -> None:
    upkeep.sync(NOW)
    (root / "kelpie.md").write_text(KELPIE)
    library = Library(root, Config())
    library.refresh()
    library.close()
    assert [one.kind for one in upkeep.sync(NOW)] == ["added"]


@pytest.mark.skipif(
    os.name == "nt", reason="Windows has no time of the last change of a file's facts"
)
def test_an_edit_whose_time_was_set_back_is_told_and_other_facts_are_not(
    root: Path, upkeep: IndexUpkeep
) -> None:
    path = root / "MEMORY.md"
    upkeep.sync(NOW)
    stat = path.stat()
    path.chmod(0o600)
    assert upkeep.sync(NOW) == []
    os.utime(path)  # nor is a note news that was written again as it was
    assert upkeep.sync(NOW) == []
    path.write_text(SIREN.replace("first Tuesday", "third Monday "))
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert path.stat().st_size == stat.st_size
    before = index(root)
    assert upkeep.sync(NOW) == [WatchEvent("changed", "MEMORY.md", None, "")]
    assert index(root) == before


def test_a_note_that_is_gone_is_told_once(root: Path, upkeep: IndexUpkeep) -> None:
    (root / "kelpie.md").write_text(KELPIE)
    upkeep.sync(NOW)
    (root / "kelpie.md").unlink()
    assert [(one.kind, one.path) for one in upkeep.sync(NOW)] == [("gone", "kelpie.md")]
    (root / "MEMORY.md").write_text(SIREN.replace("first Tuesday", "last Wednesday"))
    assert [(one.kind, one.path) for one in upkeep.sync(NOW)] == [("changed", "MEMORY.md")]


def test_vectors_follow_once_there_are_any(root: Path) -> None:
    pytest.importorskip("numpy", reason="the extra `semantic` is not installed")
    from tests.support.concepts import Concepts

    embedder = Concepts()
    config = load('[embedding]\nembedder = "use-multilingual"\n', {})
    with Workspace(root, config, opener=lambda _: embedder) as workspace:
        assert workspace.upkeep.embed().embedded == 1
    upkeep = IndexUpkeep(root, config, lambda _: embedder)
    upkeep.sync(NOW)
    (root / "kelpie.md").write_text(KELPIE)
    assert [one.kind for one in upkeep.sync(NOW)] == ["added"]
    assert any("loch" in text for text in embedder.asked)
    upkeep.close()


def test_a_refused_sync_is_done_the_next_time(root: Path, upkeep: IndexUpkeep) -> None:
    upkeep.sync(NOW)
    (root / "kelpie.md").write_text(KELPIE)
    (root / "HIPPOCAMPUS.md").rename(root / "aside")
    with pytest.raises(IndexNotFound):
        upkeep.sync(NOW)
    (root / "aside").rename(root / "HIPPOCAMPUS.md")
    assert [one.kind for one in upkeep.sync(NOW)] == ["added"]


def test_the_largest_cycle_that_is_due_is_run(root: Path, upkeep: IndexUpkeep) -> None:
    for days, cycle in ((0, "daily"), (30, "monthly"), (31, "daily")):
        (done,) = upkeep.run_due(NOW + timedelta(days=days))  # a new index has nothing to tidy yet
        assert done.kind == "cycle" and done.detail.startswith(f"{cycle}: ")
    assert upkeep.run_due(NOW + timedelta(days=31)) == ()


def test_many_notes_of_which_none_is_known_are_read_in_parts(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "kelpie.md").write_text(KELPIE)
    bootstrap(root, Config(), NOW)
    before = index(root)
    shutil.rmtree(root / ".hippocampus/cache")
    monkeypatch.setattr("hippocampus_cli.watch.upkeep._AT_ONCE", 1)
    with closing(IndexUpkeep(root, Config())) as anew, closing(KeptFingerprints(root)) as known:
        assert anew.sync(NOW) == []
        assert [*known] == ["MEMORY.md", "kelpie.md"]
    assert index(root) == before


@pytest.mark.parametrize("at_once", [16, 90])
def test_notes_that_are_read_in_parts_are_judged_as_all_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    assert _AT_ONCE > _SAMPLE  # else a part says other lines alike
    monkeypatch.setattr("hippocampus_cli.maintenance.snapshot._SAMPLE", 15)
    monkeypatch.setattr("hippocampus_cli.watch.upkeep._AT_ONCE", at_once)
    root = tmp_path / "ws"
    shutil.copytree(Path(__file__).parents[2] / "fixtures/workspace", root)
    bootstrap(root, Config(), NOW)
    topics = root / ".hippocampus/topics"
    before = index(root), {path: path.read_bytes() for path in topics.rglob("*.md")}
    shutil.rmtree(root / ".hippocampus/cache")
    with closing(IndexUpkeep(root, Config())) as anew:
        assert anew.sync(NOW) == []
    assert (index(root), {path: path.read_bytes() for path in topics.rglob("*.md")}) == before


def test_no_anchors_come_of_watching(root: Path, upkeep: IndexUpkeep) -> None:
    upkeep.sync(NOW)
    assert not (root / ".hippocampus/anchors").exists()
