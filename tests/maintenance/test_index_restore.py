"""A lost index comes back from a snapshot with all that was made since, and that can be taken back."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hippocampus_cli.api.workspace import Workspace
from hippocampus_cli.config.settings import Config
from hippocampus_cli.errors import (
    IndexGone,
    IndexShrunk,
    IndexUnreadable,
    NoSnapshot,
)
from hippocampus_cli.index.document import MASTER
from hippocampus_cli.workspace.own_files import SNAPSHOTS
from tests.maintenance.law_seven import entry_bytes
from tests.support.upkept import NOW, entry, text, write

KEYS = tuple(f"e{number}" for number in range(12))


def begun(root: Path) -> Workspace:
    write(root, {f"{key}.md": f"# {key}\n\nWords of {key} that say enough.\n" for key in KEYS})
    (root / MASTER).write_text(text([entry(key) for key in KEYS]))
    found = Workspace(root, Config())
    found.at(NOW).upkeep.run("daily")
    return found


def ids(ws: Workspace) -> set[str]:
    index = ws.store.read(archive=True)
    return {one.entry.id for one in (*index.entries, *index.archived)}


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    """A dozen entries, each with its note, after a daily cycle."""
    return begun(tmp_path)


def test_an_undo_of_it_loses_nothing(ws: Workspace) -> None:
    (ws.root / MASTER).write_text(text([entry("new")]))
    number = ws.at(NOW).upkeep.restore_index().number
    ws.at(NOW).entries.add("Made since", ["e1.md"], force=True)
    undone = ws.at(NOW).upkeep.undo(number)
    assert (undone.exact, set(undone.kept)) == (False, set(KEYS))
    assert ws.index().ids == {"new", "made-since"}
    ws.at(NOW).upkeep.run("daily")
    ws.at(NOW).upkeep.restore(*KEYS)
    assert ws.index().ids == {*KEYS, "new", "made-since"}


UNREADABLE = {
    "utf-16": text([entry("e1")]).encode("utf-16"),
    "bytes": bytes(range(256)) * 8,
    "folder": None,
}


def make_unreadable(ws: Workspace, kind: str) -> None:
    data = UNREADABLE[kind]
    (ws.root / MASTER).unlink()
    if data is None:
        (ws.root / MASTER).mkdir()
        (ws.root / MASTER / "inside.txt").write_text("theirs")
    else:
        (ws.root / MASTER).write_bytes(data)


@pytest.mark.parametrize("kind", UNREADABLE)
def test_an_index_that_cannot_be_read_is_set_aside_and_comes_back(ws: Workspace, kind: str) -> None:
    before = entry_bytes(ws.root)
    make_unreadable(ws, kind)
    for work in (lambda: ws.at(NOW).upkeep.run("daily"), lambda: ws.at(NOW).upkeep.undo()):
        with pytest.raises(IndexUnreadable) as raised:
            work()
        assert "restore --index" in raised.value.advice
    assert len(ws.at(NOW).upkeep.restore_index(dry_run=True).back) == 12
    assert ws.store.exists()
    done = ws.at(NOW).upkeep.restore_index()
    assert entry_bytes(ws.root) == before
    assert done.aside == ".hippocampus/unreadable-index-1"
    kept = ws.root / done.aside
    is_folder = UNREADABLE[kind] is None
    assert (kept / "inside.txt").exists() if is_folder else kept.read_bytes() == UNREADABLE[kind]
    make_unreadable(ws, "bytes")
    assert ws.at(NOW).upkeep.restore_index().aside == ".hippocampus/unreadable-index-2"


def test_what_cannot_be_read_stays_where_no_snapshot_is_kept(ws: Workspace) -> None:
    make_unreadable(ws, "folder")
    for one in (ws.root / SNAPSHOTS).glob("*.zip"):
        one.unlink()
    with pytest.raises(NoSnapshot):
        ws.at(NOW).upkeep.restore_index()
    assert (ws.root / MASTER / "inside.txt").exists()


@pytest.mark.parametrize("kind", [*UNREADABLE, "gone"])
def test_without_an_index_a_query_and_a_brief_tell_what_they_can(ws: Workspace, kind: str) -> None:
    (ws.root / MASTER).unlink() if kind == "gone" else make_unreadable(ws, kind)
    for mode in ("hybrid", "search"):
        found = ws.at(NOW).query("words of e3", mode=mode)
        assert found.results[0].path == "e3.md"
        assert ["restore --index" in one for one in found.notices] == [True]
        assert not found.written
    with pytest.raises(IndexGone if kind == "gone" else IndexUnreadable):
        ws.at(NOW).query("words of e3", mode="index")
    (notice,) = ws.at(NOW).brief().notices
    assert notice.endswith("`hippo check`")
    assert ws.store.exists() == (kind != "gone")
    if UNREADABLE.get(kind):
        assert (ws.root / MASTER).read_bytes() == UNREADABLE[kind]


def test_entries_made_in_what_was_left_stay(ws: Workspace) -> None:
    (ws.root / MASTER).write_text(text([entry(KEYS[0], hits=9), entry("new")]))
    with pytest.raises(IndexShrunk):
        ws.at(NOW).upkeep.run("daily")
    done = ws.at(NOW).upkeep.restore_index()
    assert (len(done.back), done.since) == (11, ("new",))
    assert ws.index().by_key[KEYS[0]].entry.hits == 9
    assert ids(ws) == {*KEYS, "new"}
    ws.at(NOW).upkeep.run("daily")


def test_an_older_one_by_its_number(ws: Workspace) -> None:
    first = ws.upkeep.snapshots()[-1].number
    ws.at(NOW).entries.add("Made since", ["e1.md"], force=True)
    ws.at(NOW + timedelta(days=1)).upkeep.run("weekly")
    done = ws.at(NOW + timedelta(days=1)).upkeep.restore_index(first)
    assert done.snapshot.number == first
    assert "made-since" in done.since and "made-since" in ids(ws)
    with pytest.raises(NoSnapshot):
        ws.at(NOW).upkeep.restore_index(99)


@settings(max_examples=20)
@example(cut=0.9375, added=[], cycle="daily")  # of no entry, but of a list
@example(cut=0.388671875, added=[], cycle="daily")  # in the middle of an id
@given(
    cut=st.floats(0, 1),
    added=st.lists(st.sampled_from(("x", "y", "z")), unique=True),
    cycle=st.sampled_from(("daily", "weekly", "monthly")),
)
def test_whatever_is_left_of_it_every_entry_comes_back_and_what_was_said_stays(
    tmp_path_factory: pytest.TempPathFactory, cut: float, added: list[str], cycle: str
) -> None:
    with begun(tmp_path_factory.mktemp("cut")) as ws:
        ws.at(NOW + timedelta(days=8)).upkeep.run(cycle)
        known, file = ids(ws), ws.root / MASTER
        data = file.read_bytes()
        file.write_bytes(data[: int(cut * len(data))])
        if added:
            more = "".join(f"\n{entry(key)}" for key in added)
            with file.open("a") as open_:
                open_.write(f"\n\n## Said\n\nWritten by hand, later.\n{more}")
        done = ws.at(NOW + timedelta(days=8)).upkeep.restore_index()
        there = ids(ws)
        assert known | set(added) <= there
        if added:
            assert file.read_bytes().count(b"Written by hand, later.") == 1
        else:
            assert file.read_bytes() == data
        assert not [one for one in ws.at(NOW).check().diagnostics if one.code == "duplicate-id"]
        if done.number is not None:
            left = ws.at(NOW + timedelta(days=8)).upkeep.undo()
            assert not left.exact or file.read_bytes().startswith(data[: int(cut * len(data))])
            ws.at(NOW + timedelta(days=8)).upkeep.restore_index()
            assert known | set(added) <= ids(ws)


def test_a_sound_index_is_left_alone(ws: Workspace) -> None:
    before = (ws.root / MASTER).read_bytes()
    assert ws.at(NOW).upkeep.repair() == ()
    assert (ws.root / MASTER).read_bytes() == before
    assert len(ws.upkeep.history()) == 1


def test_what_is_broken_is_repaired_once_what_was_lost_is_back(ws: Workspace) -> None:
    known, file = ids(ws), ws.root / MASTER
    twice = entry("e1").replace("E1", "Another")
    broken = f"<!-- hippocampus.md v1.0 | entries: 40 -->\n# Index\n\n{entry('e1')}\n{twice}"
    file.write_text(broken)
    for dry_run in (True, False):
        with pytest.raises(IndexShrunk):
            ws.at(NOW).upkeep.repair(dry_run=dry_run)
    ws.at(NOW).upkeep.restore_index()
    whole = file.read_text()
    dry = ws.at(NOW).upkeep.repair(dry_run=True)
    done = ws.at(NOW).upkeep.repair()
    assert dry == done
    assert {one.code for one in done} >= {"duplicate-id"}
    assert ids(ws) == {*known, "e1-2"}
    assert ws.at(NOW).check().errors == 0
    assert ws.at(NOW).upkeep.repair() == ()
    assert ws.at(NOW).upkeep.undo().exact
    assert file.read_text() == whole
