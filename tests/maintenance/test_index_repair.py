"""``check --fix`` on disk: what is broken is repaired, and that can be taken back."""

from __future__ import annotations

from pathlib import Path

import pytest

from hippocampus_cli.api.workspace import Workspace
from hippocampus_cli.errors import IndexGone, IndexNotFound, IndexShrunk
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


def test_what_is_broken_is_repaired_once_what_was_lost_is_back(ws: Workspace) -> None:
    known, file = ids(ws), ws.root / MASTER
    twice = entry("e1").replace("E1", "Another")
    broken = f"<!-- hippocampus.md v1.0 | entries: 40 -->\n# Index\n\n{entry('e1')}\n{twice}"
    file.write_text(broken)
    for dry_run in (True, False):
        with pytest.raises(IndexShrunk):
            ws.upkeep.repair(dry_run=dry_run, now=NOW)
    ws.upkeep.restore_index(now=NOW)
    whole = file.read_text()
    dry = ws.upkeep.repair(dry_run=True, now=NOW)
    done = ws.upkeep.repair(now=NOW)
    assert dry == done
    assert {one.code for one in done} >= {"duplicate-id"}
    assert ids(ws) == {*known, "e1-2"}
    assert ws.check(now=NOW).errors == 0
    assert ws.upkeep.repair(now=NOW) == ()
    assert ws.upkeep.undo(now=NOW).exact
    assert file.read_text() == whole


def test_an_index_that_never_was_or_is_gone_is_no_repair(tmp_path: Path) -> None:
    with Workspace(tmp_path / "none", begun(tmp_path / "some").config) as nothing:
        (tmp_path / "none").mkdir()
        with pytest.raises(IndexNotFound):
            nothing.upkeep.repair(now=NOW)
    with Workspace(tmp_path / "some", nothing.config) as ws:
        (ws.root / MASTER).unlink()
        with pytest.raises(IndexGone):
            ws.upkeep.repair(now=NOW)
