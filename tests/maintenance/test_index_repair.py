"""``check --fix`` on disk: lost entries and lists come back, and it can be taken back."""

from __future__ import annotations

from pathlib import Path

import pytest

from hippocampus_cli.api.workspace import Workspace
from hippocampus_cli.errors import IndexGone, IndexNotFound
from hippocampus_cli.index.document import MASTER
from tests.maintenance.restored import begun, ids
from tests.support.upkept import NOW, entry


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    return begun(tmp_path)


def test_a_sound_index_is_left_alone(ws: Workspace) -> None:
    before = (ws.root / MASTER).read_bytes()
    assert ws.upkeep.repair(now=NOW) == ()
    assert (ws.root / MASTER).read_bytes() == before
    assert len(ws.upkeep.history()) == 1


def test_what_is_lost_and_what_is_broken_at_once(ws: Workspace) -> None:
    known, file = ids(ws), ws.root / MASTER
    twice = entry("e1").replace("E1", "Another")
    broken = f"<!-- hippocampus.md v1.0 | entries: 40 -->\n# Index\n\n{entry('e1')}\n{twice}"
    file.write_text(broken)
    dry = ws.upkeep.repair(dry_run=True, now=NOW)
    done = ws.upkeep.repair(now=NOW)
    assert dry == done
    assert {"index-shrunk", "duplicate-id"} <= {one.code for one in done}
    assert ids(ws) == {*known, "e1-2"}
    assert ws.check(now=NOW).errors == 0
    assert ws.upkeep.repair(now=NOW) == ()
    assert ws.upkeep.undo(now=NOW).exact
    assert (file.read_text(), ids(ws)) == (broken, {"e1"})
    assert "index-shrunk" in [one.code for one in ws.check(now=NOW).diagnostics]
    ws.upkeep.restore_index(now=NOW)
    assert ids(ws) == {*known, "e1-2"}


def test_a_list_that_was_there_comes_back(ws: Workspace) -> None:
    file = ws.root / MASTER
    whole = file.read_text()
    begin = whole.index("<!-- hippo:begin decay-queue")
    end = whole.index("<!-- hippo:end decay-queue -->\n") + len("<!-- hippo:end decay-queue -->\n")
    file.write_text(whole[:begin] + whole[end:])
    assert [one.code for one in ws.upkeep.repair(now=NOW)] == ["lost-view"]
    assert file.read_text() == whole


def test_a_deleted_index_is_restored_and_one_that_never_was_is_not(tmp_path: Path) -> None:
    with Workspace(tmp_path / "none", begun(tmp_path / "some").config) as nothing:
        (tmp_path / "none").mkdir()
        with pytest.raises(IndexNotFound):
            nothing.upkeep.repair(now=NOW)
    with Workspace(tmp_path / "some", nothing.config) as ws:
        known = ids(ws)
        (ws.root / MASTER).unlink()
        with pytest.raises(IndexGone):
            ws.check(now=NOW)
        assert [one.code for one in ws.upkeep.repair(now=NOW)][:1] == ["index-shrunk"]
        assert ids(ws) == known
