"""Taking cycles back: what a change of some files alone, later edits and additions make of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from hippocampus_cli.api.workspace import Workspace
from hippocampus_cli.config.settings import Config
from hippocampus_cli.index.document import ARCHIVE, MASTER
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.parse import parse
from hippocampus_cli.maintenance.undo import taken_back
from hippocampus_cli.workspace.atomic import Replacement
from tests.support.failing import Fault, Killed, failing
from tests.support.topic_files import TOPIC, master
from tests.support.upkept import NOW, entry, text, write


def begun(root: Path, config: Config | None = None, queue: Sequence[str] = ()) -> Workspace:
    """A note, and an index with an entry of something else."""
    write(root, {"a.md": "# A\n\nWords that say enough.\n"})
    (root / MASTER).write_text(text([entry("b")], queue))
    return Workspace(root, config or Config())


def test_what_a_cycle_added_stands_once_when_the_index_was_edited_since(tmp_path: Path) -> None:
    with begun(tmp_path) as ws:
        ws.at(NOW).upkeep.run("daily")
        file = tmp_path / MASTER
        file.write_text(file.read_text().replace("My own words.", "My newer words."))
        undone = ws.at(NOW).upkeep.undo()
        index = ws.store.read(archive=True)
    assert (undone.exact, undone.kept) == (False, ("a",))
    assert [one.entry.id for one in (*index.entries, *index.archived)] == ["b", "a"]
    assert index.by_key["a"].file.startswith(ARCHIVE)


def test_what_a_cycle_added_and_a_later_one_archived_stays_there(tmp_path: Path) -> None:
    with begun(tmp_path, Config(decay=Config().decay._replace(forgetting=2.0))) as ws:
        ws.at(NOW).upkeep.run("daily")
        ws.at(NOW.replace(year=2027)).upkeep.run("weekly", force=True)
        before = ws.store.read(archive=True).by_key["a"]
        ws.at(NOW).upkeep.undo(1)
        assert ws.store.read(archive=True).by_key["a"].entry == before.entry
    assert before.entry.values["why"] == "pruned"


def test_files_that_a_cycle_left_alone_are_left_alone() -> None:
    old, new = master("b"), master("b", "c")
    index = Hierarchy({MASTER: parse(master("a")), TOPIC: parse(new)})
    change = {TOPIC: Replacement(old.encode(), new.encode())}
    result, exact, kept = taken_back(change, index, NOW)
    assert (exact, kept) == (True, ("c",))
    assert result.texts[MASTER] == master("a")
    assert result.texts[TOPIC] == old


def test_a_bullet_that_a_restored_index_brought_back_is_archived_as_an_entry(
    tmp_path: Path,
) -> None:
    index = tmp_path / MASTER
    with begun(tmp_path, queue=["- Look here → a.md\n"]) as ws:
        assert [one.origin for one in ws.at(NOW).upkeep.restore("look-here")] == ["index"]
        ws.at(NOW).upkeep.run("daily")
        index.write_text("")
        ws.at(NOW).upkeep.restore_index()
        assert "- Look here" in index.read_text()
        ws.at(NOW).upkeep.undo()
        ws.at(NOW).upkeep.restore("look-here")
    assert "Look here" in index.read_text() and "→ a.md" in index.read_text()


def test_a_cycle_that_was_killed_half_way_is_the_latest_one(tmp_path: Path) -> None:
    with begun(tmp_path) as ws:
        ws.at(NOW).upkeep.run("daily")
        before = (tmp_path / MASTER).read_bytes()
        write(tmp_path, {"c.md": "# C\n\nOther words that say enough.\n"})
        with failing(Fault.KILLED_AFTER, 2), pytest.raises(Killed):
            ws.at(NOW.replace(year=2031)).upkeep.run("weekly")  # silent by then
        undone = ws.at(NOW).upkeep.undo()
    assert (undone.record.cycle, undone.exact) == ("weekly", True)
    assert (tmp_path / MASTER).read_bytes() == before
