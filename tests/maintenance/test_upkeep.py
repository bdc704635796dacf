"""Cycles on a real folder: what they write, what they refuse, and how they are taken back."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from hippocampus_cli.api.workspace import Workspace
from hippocampus_cli.config.settings import Config, Index
from hippocampus_cli.errors import (
    EntryNotFound,
    FileUnreadable,
    LossRefused,
    NothingToUndo,
    UpkeepBusy,
)
from hippocampus_cli.index.document import ARCHIVE, MASTER, TOPICS
from hippocampus_cli.index.metadata import Priority
from hippocampus_cli.maintenance.actions import Kind
from hippocampus_cli.workspace.lock import locked
from hippocampus_cli.workspace.own_files import RUNNING
from tests.support.upkept import NOTES, NOW, entry, text, write


@pytest.fixture
def ws(tmp_path: Path) -> Iterator[Workspace]:
    write(tmp_path, NOTES)
    with Workspace(tmp_path, Config()) as opened:
        opened.at(NOW - timedelta(days=1)).bootstrap()
        yield opened


def everything(root: Path) -> dict[str, bytes]:
    """Every file but caches and locks."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and "cache" not in path.parts and not path.name.endswith("lock")
    }


def kinds(ws: Workspace, cycle: str, now: datetime = NOW, **more: bool) -> set[Kind]:
    return {one.kind for one in ws.at(now).upkeep.run(cycle, **more).actions}


@pytest.mark.parametrize("cycle", ["daily", "weekly", "monthly", "replay"])
def test_a_second_run_at_the_same_time_plans_nothing(ws: Workspace, cycle: str) -> None:
    ws.at(NOW).upkeep.run(cycle)
    before = everything(ws.root)
    again = ws.at(NOW).upkeep.run(cycle)
    assert (again.number, again.plan.changes) == (None, False)
    assert again.actions == ()
    assert everything(ws.root) == before


def test_a_dry_run_writes_nothing_and_says_what_the_run_then_does(ws: Workspace) -> None:
    before = everything(ws.root)
    preview = ws.at(NOW).upkeep.run("weekly", dry_run=True)
    assert everything(ws.root) == before
    assert preview.actions == ws.at(NOW).upkeep.run("weekly").actions


def test_on_a_quiet_day_nothing_changes_but_when_upkeep_ran(ws: Workspace) -> None:
    before = ws.index()
    assert not ws.at(NOW).upkeep.run("daily").actions
    assert ws.index() == before
    meta = json.loads((ws.root / ".hippocampus/meta.json").read_text())
    assert meta["cycles"] == {"daily": NOW.isoformat()}
    assert meta["index"]["entries"] == len(ws.index().entries)
    assert ws.at(NOW + timedelta(days=7)).upkeep.due() == ["daily", "weekly"]


def test_a_new_note_gets_an_entry_and_an_old_one_without_news_none(ws: Workspace) -> None:
    ws.at(NOW).upkeep.run("daily")
    write(
        ws.root, {"memory/2026-08-01.md": "# 2026-08-01\n\n## Door\n\nThe new code is 4471.\n"}, NOW
    )
    outcome = ws.at(NOW + timedelta(hours=1)).upkeep.run("daily")
    added = [one for one in outcome.actions if one.kind is Kind.ADD]
    assert [one.after for one in added] == ["memory/2026-08-01.md"]
    assert added[0].reason == "a new note"
    words = "Run make rollback TARGET=prod and wait for the siren. " * 12
    grown = NOTES["docs/tools.md"] + f"{words}\n\n## Rollback\n\n{words}\n"
    write(ws.root, {"docs/tools.md": grown}, NOW)
    more = ws.at(NOW + timedelta(hours=2)).upkeep.run("daily").actions
    assert [(one.after, one.reason) for one in more if one.kind is Kind.ADD] == [
        ("docs/tools.md §Backups", "a new section"),
        ("docs/tools.md §Rollback", "a new section"),
    ]
    assert "4471" in ws.index().by_key[added[0].key].entry.topic


def test_after_five_years_everything_unused_is_in_the_queue_then_in_the_archive(
    ws: Workspace,
) -> None:
    later = NOW + timedelta(days=5 * 365)
    total = len(ws.index().entries)
    assert kinds(ws, "weekly", later) >= {Kind.QUEUE}
    assert all("Decay Queue" in one.section for one in ws.index().entries)
    later += timedelta(days=31)
    while len(ws.index().entries):  # in slices, so that no cycle is refused
        before = len(ws.index().entries)
        ws.at(later).upkeep.run("monthly")
        assert 0 < before - len(ws.index().entries) <= max(1, 0.2 * before)
        later += timedelta(days=1)
    index = ws.store.read(archive=True)
    assert (len(index.entries), len(index.archived)) == (0, total)
    assert list(index.archive) == [f"{ARCHIVE}2031-08.md", f"{ARCHIVE}2031-09.md"]
    assert (ws.root / ".hippocampus/reports/2031-08.md").is_file()
    assert ws.status().unindexed == ()  # an entry in the archive is one
    weekly = ws.at(later + timedelta(days=40)).upkeep.run("weekly")
    assert Kind.ADD not in {one.kind for one in weekly.actions} and ws.index().entries == ()
    result = ws.at(later + timedelta(days=41)).query("restic backups run at four")
    assert [one.change for one in result.written] == ["revived", "hit"]
    assert [str(one.entry.pointers[0]) for one in ws.index().entries] == ["docs/tools.md"]


def test_core_files_stay(tmp_path: Path) -> None:
    write(tmp_path, {"MEMORY.md": "# Memory\n\n## Ines\n\nInes runs the workshop in Porto.\n"})
    with Workspace(tmp_path, Config()) as opened:
        opened.at(NOW).bootstrap()
        for years in (5, 6, 30):
            opened.at(NOW + timedelta(days=365 * years)).upkeep.run("monthly")
        (there,) = opened.index().entries
        assert there.entry.pri is Priority.HIGH and "Decay Queue" not in there.section
        assert "silent on" not in opened.index().master.text


def test_search_brings_an_archived_daily_back(tmp_path: Path) -> None:
    (tmp_path / "memory").mkdir()
    note = (
        "# Day\n\nLunch with Ines at the harbour, soup and bread.\n\n## Trip\n\nA boat to Hjelle.\n"
    )
    (tmp_path / "memory/2020-05-01.md").write_text(note)
    with Workspace(tmp_path, Config()) as opened:
        opened.at(NOW).bootstrap()
        (made,) = opened.index().entries
        assert made.entry.pointers[0].section is None
        for years in (5, 6):
            opened.at(NOW + timedelta(days=365 * years)).upkeep.run("monthly", force=True)
        assert not opened.index().entries
        for days, changes in ((0, ["revived", "hit"]), (1, ["hit", "tagged"])):
            moment = NOW + timedelta(days=365 * 7 + days)
            written = opened.at(moment).query("day of the lunch with Ines").written
            assert [one.change for one in written] == changes
        assert [one.key for one in opened.index().entries] == [made.key]


def test_restore_brings_back_what_is_named(ws: Workspace) -> None:
    later = NOW + timedelta(days=5 * 365)
    ws.at(later).upkeep.run("weekly")
    first, second = (one.key for one in ws.index().entries[:2])
    (restored,) = ws.at(later).upkeep.restore(first)
    assert (restored.origin, restored.strength) == ("queue", 1.0)
    assert "Decay Queue" not in ws.index().by_key[first].section
    later += timedelta(days=31)
    while second in ws.index().ids:
        ws.at(later).upkeep.run("monthly")
        later += timedelta(days=1)
    (restored,) = ws.at(later).upkeep.restore(second)
    assert restored.origin == "archive"
    assert ws.index().by_key[second].section == restored.section != ()
    (there,) = ws.at(later).upkeep.restore(second)
    assert there.origin == "index"
    with pytest.raises(EntryNotFound):
        ws.upkeep.restore(first, "nobody")


def test_an_unmounted_workspace_is_left_alone(ws: Workspace) -> None:
    ws.at(NOW).upkeep.run("weekly")
    for path in list(NOTES)[1:]:
        (ws.root / path).unlink()
    before, later = ws.index(), NOW + timedelta(days=7)
    (notice,) = ws.at(later).upkeep.run("weekly", dry_run=True).notices
    assert "--force" in notice and "mounted" in notice
    with pytest.raises(LossRefused, match="mounted"):
        ws.at(NOW + timedelta(days=7)).upkeep.run("weekly")
    assert ws.index() == before


def test_what_was_removed_on_purpose_does_not_stop_upkeep_for_ever(ws: Workspace) -> None:
    more = {f"{name}.md": f"# {name}\n\nWords about {name}.\n" for name in ("ada", "bea", "cleo")}
    write(ws.root, more)
    ws.at(NOW).upkeep.run("weekly")
    for path in list(NOTES):
        (ws.root / path).unlink()
    with pytest.raises(LossRefused, match="mounted"):
        ws.at(NOW + timedelta(days=7)).upkeep.run("weekly")
    assert Kind.FLAG in kinds(ws, "weekly", NOW + timedelta(days=7), force=True)
    (ws.root / "ada.md").unlink()
    assert Kind.FLAG in kinds(ws, "weekly", NOW + timedelta(days=14))


def test_two_runs_never_overlap(ws: Workspace) -> None:
    with Workspace(ws.root, Config(lock=Config().lock._replace(timeout_seconds=0.0))) as other:
        with locked(ws.root, 0, RUNNING), pytest.raises(UpkeepBusy):
            other.at(NOW).upkeep.run("daily")
        with locked(ws.root, 0, RUNNING), pytest.raises(UpkeepBusy):
            other.at(NOW).upkeep.undo()


def test_a_run_waits_for_the_one_before_it(ws: Workspace) -> None:
    """A watcher's sync takes a moment; the night's cycle must not be dropped for it."""
    begun = threading.Event()

    def hold() -> None:
        with locked(ws.root, 0, RUNNING):
            begun.set()
            time.sleep(0.2)  # nothing tells when the other one has begun to wait

    other = threading.Thread(target=hold)
    other.start()
    begun.wait()
    assert ws.at(NOW + timedelta(days=5 * 365)).upkeep.run("monthly").number == 1
    other.join()


def test_an_index_over_its_budget_is_sharded_and_still_answers(tmp_path: Path) -> None:
    notes = {
        f"notes/{at}.md": f"# Topic {at}\n\nThe secret of {at} is word{at}.\n" for at in range(60)
    }
    write(tmp_path, notes)
    config = Config(index=Index(max_tokens=20_000, sharded_tokens=20_000))
    with Workspace(tmp_path, config) as opened:
        opened.at(NOW).bootstrap()
    small = Config(index=Index(max_tokens=2_500, sharded_tokens=2_000))
    with Workspace(tmp_path, small) as opened:
        total = len(opened.index().entries)
        outcome = opened.at(NOW).upkeep.run("weekly")
        index = opened.index()
        assert index.beyond and len(index.entries) == total
        assert outcome.stats["tokens"] <= 2_000  # type: ignore[operator]
        assert list((tmp_path / ".hippocampus/temporal").glob("*.md"))
        away = next(one for one in index.entries if one.file.startswith(TOPICS))
        word = away.entry.topic.split()[-1]
        result = opened.at(NOW).query(f"secret of word{word}", mode="index", write=False)
        assert result.results[0].entry == away.key


def test_undo_keeps_what_was_edited_since(ws: Workspace) -> None:
    later = NOW + timedelta(days=5 * 365)
    sections = {one.key: one.section for one in ws.index().entries}
    ws.at(later).upkeep.run("weekly")
    ws.at(later + timedelta(hours=1)).query("restic backups")
    index_file = ws.root / MASTER
    index_file.write_text(
        index_file.read_text().replace("## Decay Queue", "Mine!\n\n## Decay Queue")
    )
    undone = ws.at(later).upkeep.undo()
    assert not undone.exact
    assert {one.key: one.section for one in ws.index().entries} == sections
    assert "Mine!" in index_file.read_text()
    assert sum(one.entry.hits for one in ws.index().entries) == 1


def test_undo_goes_further_back_and_an_undo_can_be_undone(ws: Workspace) -> None:
    texts = [(ws.root / MASTER).read_bytes()]
    for years in (5, 6):
        ws.at(NOW + timedelta(days=365 * years)).upkeep.run("monthly", force=True)
        texts.append((ws.root / MASTER).read_bytes())
    ws.at(NOW).upkeep.undo()
    assert (ws.root / MASTER).read_bytes() == texts[1]
    ws.at(NOW).upkeep.undo()
    assert (ws.root / MASTER).read_bytes() == texts[0]
    with pytest.raises(NothingToUndo, match="no cycle to undo"):
        ws.at(NOW).upkeep.undo()
    ws.at(NOW).upkeep.undo(4)
    assert (ws.root / MASTER).read_bytes() == texts[1]
    with pytest.raises(NothingToUndo, match="undo 4 is undone already") as caught:
        ws.at(NOW).upkeep.undo(4)
    assert "hippo undo 5" in caught.value.advice
    with pytest.raises(NothingToUndo, match="no cycle 99"):
        ws.at(NOW).upkeep.undo(99)


def test_an_entry_that_an_undone_cycle_had_added_is_kept_in_the_archive(ws: Workspace) -> None:
    ws.at(NOW).upkeep.run("daily")
    write(ws.root, {"door.md": "# Door\n\nThe new code of the door is 4471.\n"}, NOW)
    outcome = ws.at(NOW + timedelta(days=1)).upkeep.run("daily")
    (added,) = (one.key for one in outcome.actions if one.kind is Kind.ADD)
    undone = ws.at(NOW).upkeep.undo()
    assert undone.kept == (added,)
    assert ws.store.read(archive=True).by_key[added].entry.values["why"] == "undone"
    again = ws.at(NOW + timedelta(days=2)).upkeep.run("daily")
    assert Kind.ADD not in {one.kind for one in again.actions}
    ws.at(NOW).upkeep.restore(added)
    assert ws.index().by_key[added].file == MASTER


def test_what_leaves_takes_its_relations_along_in_the_same_run(tmp_path: Path) -> None:
    write(tmp_path, {f"{name}.md": f"# {name}\n\nWords.\n" for name in "abcdefgh"})
    old = [entry(name, age=3000, base=0.3, queued="2020-01-01", pri="low") for name in "abc"]
    kept = entry("d", age=3000, base=1.0, rel="a,b,c")
    (tmp_path / MASTER).write_text(text([kept], old))
    config = Config(upkeep=Config().upkeep._replace(loss_limit=1.0))
    with Workspace(tmp_path, config) as opened:
        opened.at(NOW).upkeep.run("monthly")
        index = opened.store.read(archive=True)
        assert {one.entry.id for one in index.archived} == set("abc")
        assert not index.by_key["d"].entry.rel
        assert kinds(opened, "monthly", force=True) == set()


def test_what_was_taken_back_is_not_done_again(ws: Workspace) -> None:
    later = NOW + timedelta(days=5 * 365)
    ws.at(later).upkeep.run("weekly")
    ws.at(later).upkeep.undo()
    outcome = ws.at(later + timedelta(days=7)).upkeep.run("weekly")
    assert Kind.QUEUE not in {one.kind for one in outcome.actions}


def test_the_history_says_what_and_why(ws: Workspace) -> None:
    later = NOW + timedelta(days=5 * 365)
    outcome = ws.at(later).upkeep.run("monthly")
    (record,) = ws.upkeep.history()
    assert (record.number, record.cycle, record.at) == (1, "monthly", later)
    assert {one.key for one in record.actions} == {one.key for one in outcome.actions}
    assert record.stats["entries"] == len(ws.index().entries)
    (ws.root / ".hippocampus/history/0001-monthly.json").write_text("{")
    assert ws.upkeep.history() == []


def test_only_the_latest_cycles_keep_their_files(ws: Workspace) -> None:
    config = Config(upkeep=Config().upkeep._replace(history=2))
    with Workspace(ws.root, config) as opened:
        for days in range(4):
            write(ws.root, {f"memory/{days}.md": f"# Day {days}\n\nTides of day {days}.\n"}, NOW)
            opened.at(NOW + timedelta(days=days)).upkeep.run("daily")
        assert [one.restorable for one in opened.upkeep.history()] == [False, False, True, True]
        with pytest.raises(NothingToUndo, match="too long ago"):
            opened.at(NOW).upkeep.undo(1)


def test_a_clock_that_was_ahead_stops_neither_cycles_nor_replays(ws: Workspace) -> None:
    write(ws.root, {"memory/defrag-log.md": "## 2099-01-01 02:30 — Defrag Complete\n"}, NOW)
    ws.at(NOW + timedelta(days=90)).upkeep.run("monthly")
    assert ws.at(NOW).upkeep.due() == ["daily", "weekly", "monthly"]
    ws.at(NOW).upkeep.run("monthly")
    assert ws.at(NOW).upkeep.due() == []
    later = NOW + timedelta(days=1)
    log = f"## {later:%Y-%m-%d %H:%M} — Defrag Complete\n\n- Cleaned: `docs/tools.md`\n"
    write(ws.root, {"memory/defrag-log.md": log}, later)
    assert Kind.REPLAY in kinds(ws, "daily", later + timedelta(hours=1))


def test_damaged_files_of_a_cycle_are_named(ws: Workspace) -> None:
    ws.at(NOW + timedelta(days=5 * 365)).upkeep.run("monthly")
    before = (ws.root / MASTER).read_bytes()
    path = ws.root / ".hippocampus/history/0001-monthly.zip"
    path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(FileUnreadable, match="damaged") as caught:
        ws.at(NOW).upkeep.undo()
    assert caught.value.path == ".hippocampus/history/0001-monthly.zip"
    assert (ws.root / MASTER).read_bytes() == before


def test_a_hand_made_index_without_header_and_lists_gets_none(tmp_path: Path) -> None:
    write(tmp_path, {"a.md": "# A\n\nWords.\n"})
    made = text([entry("a", age=9)], header=False)
    (tmp_path / MASTER).write_text(made)
    with Workspace(tmp_path, Config()) as opened:
        opened.at(NOW).upkeep.run("monthly")
        lines = opened.index().master.text.splitlines()
    assert [line for line in made.splitlines() if line not in lines] == [
        next(line for line in made.splitlines() if "id=a" in line)
    ]


def test_uses_on_a_locked_index_are_made_up_for(ws: Workspace) -> None:
    ws.at(NOW).upkeep.run("daily")
    with Workspace(ws.root, Config(lock=Config().lock._replace(timeout_seconds=0.0))) as other:
        with locked(ws.root, 0):
            result = other.at(NOW + timedelta(hours=1)).query("restic backups run at four")
        assert result.written == () and result.notices
    outcome = ws.at(NOW + timedelta(days=1)).upkeep.run("daily")
    (made_up,) = (one for one in outcome.actions if one.kind is Kind.ACCESS)
    assert ws.index().by_key[made_up.key].entry.hits == 1
    assert kinds(ws, "daily", NOW + timedelta(days=1)) == set()


@pytest.mark.usefixtures("permissions_bind")
def test_a_folder_that_cannot_be_written_is_an_error_and_changes_nothing(ws: Workspace) -> None:
    (ws.root / ".hippocampus").chmod(0o500)
    before = ws.index()
    with pytest.raises(Exception, match="cannot write"):
        ws.at(NOW).upkeep.run("weekly")
    assert ws.index() == before
