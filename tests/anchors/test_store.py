"""The index on disk: built, updated, verified."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.made_up import age
from hippocampus_cli.anchors import files, update
from hippocampus_cli.anchors.lookup_database import LookupDatabase
from hippocampus_cli.api.workspace import Workspace
from hippocampus_cli.config import Config
from hippocampus_cli.errors import (
    AnchorsDamaged,
    AnchorsNotFound,
    AnchorsOfAnother,
    Busy,
    FileUnwritable,
    UsageError,
)
from hippocampus_cli.workspace.lock import locked
from hippocampus_cli.workspace.own_files import ANCHOR_INDEX, ANCHOR_META, ANCHORS_LOCK
from tests.support.anchor_notes import (
    FILLER,
    LATER,
    NOTES,
    NOW,
    built,
    files_of,
    found,
    keeper,
    write,
)

TWIN = ".hippocampus/cache/anchors.sqlite"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return built(write(tmp_path))


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One that each try leaves as it was."""
    return built(write(tmp_path_factory.mktemp("sound")))


def timeless(made: dict[str, bytes]) -> tuple[object, ...]:
    meta = json.loads(made["hippocampus-meta.json"])
    for key in ("built_at", "updated_at"):
        del meta[key]
    return made["hippocampus-index.json"], meta


@pytest.mark.parametrize("call", ["update", "lookup", "status", "follow", "index", "boosts"])
def test_nothing_is_made_by_itself(call: str, tmp_path: Path) -> None:
    write(tmp_path)
    arguments = {
        "update": (["TOOLS.md"], NOW),
        "lookup": ("x", NOW),
        "follow": ([], NOW),
        "boosts": ("x",),
    }
    with keeper(tmp_path) as made, pytest.raises(AnchorsNotFound, match="no anchor index"):
        getattr(made, call)(*arguments.get(call, ()))
    assert not (tmp_path / ".hippocampus/anchors").exists()


def test_nothing_to_look_up(root: Path) -> None:
    with keeper(root) as made, pytest.raises(UsageError, match="nothing to look up"):
        made.lookup(" \n", NOW)


def test_leads_are_every_chunk_by_its_note_the_surest_first(root: Path) -> None:
    with keeper(root) as made:
        leads = made.boosts("who scraped the barnacles off the membrane")
        hits = made.index().leads("who scraped the barnacles off the membrane")
    assert max(leads, key=lambda path: leads[path][0].score) == "memory/2026-07-30.md"
    assert sorted(one for path in leads for one in leads[path]) == sorted(
        (hit.start_line, hit.end_line, hit.score) for hit in hits
    )
    assert all(found == sorted(found, key=lambda one: -one.score) for found in leads.values())


def test_leads_leave_out_what_was_changed_and_change_nothing(root: Path) -> None:
    before = files_of(root)
    (root / "memory/2026-07-30.md").write_text("# Nothing\n\nThe barnacles have moved.\n")
    (root / "TOOLS.md").unlink()
    with keeper(root) as made:
        leads = made.boosts("barnacles on the membrane of the oxygen probe, and the label printer")
    assert "projects/kelpie/PROJECT.md" in leads
    assert not {"memory/2026-07-30.md", "TOOLS.md"} & leads.keys()
    assert files_of(root) == before


def test_two_builds_of_the_same_notes_are_one_but_for_the_time(root: Path) -> None:
    once = files_of(root)
    with keeper(root) as made:
        assert not made.build(LATER).changed
    assert timeless(files_of(root)) == timeless(once)


def test_a_check_changes_nothing(root: Path) -> None:
    once = files_of(root)
    with keeper(root) as made:
        assert not made.build(LATER, check=True).changed
        (root / "TOOLS.md").write_text("# Other\n\nSomething else.\n")
        assert made.build(LATER, check=True).changed
    assert files_of(root) == once


def test_a_check_where_nothing_was_built_writes_nothing(tmp_path: Path) -> None:
    write(tmp_path)
    with keeper(tmp_path) as made:
        assert made.build(NOW, check=True).changed
    assert not (tmp_path / ".hippocampus").exists()


def test_progress_is_told(tmp_path: Path) -> None:
    notes = {f"{n}.md": f"# Topic{n} alpha\n\n## Other{n} beta\n" for n in range(60)}
    steps: list[tuple[int, int]] = []
    with keeper(write(tmp_path, notes)) as made:
        made.build(NOW, progress=lambda done, total: steps.append((done, total)))
    assert len(steps) > 1 and steps == sorted(steps)
    assert all(done <= total for done, total in steps)


def test_an_empty_workspace_has_no_anchors(tmp_path: Path) -> None:
    with keeper(tmp_path) as made:
        done = made.build(NOW)
        assert (done.anchors, done.chunks, done.files) == (0, 0, 0)
        assert made.lookup("anything", NOW).hits == ()


def test_topics_and_tags_of_the_index_are_anchors(tmp_path: Path) -> None:
    entry = (
        "# HIPPOCAMPUS.md\n\n## Ocean chemistry\n→ projects/kelpie/PROJECT.md §Sensors\n"
        "<!-- hx: id=x | tags=membrane oxygen -->\n"
    )
    with keeper(write(tmp_path, {**NOTES, "HIPPOCAMPUS.md": entry})) as made:
        made.build(NOW)
    assert "membrane oxygen" in json.loads(files_of(tmp_path)["hippocampus-index.json"])


def test_a_changed_note_leaves_every_list_and_comes_back(root: Path) -> None:
    (root / "TOOLS.md").write_text(
        f"# Tools\n\n{FILLER}\n\n## Printer\n\nThe label printer was sold.\n{FILLER}\n"
    )
    with keeper(root) as made:
        done = made.update(["TOOLS.md"], LATER)
    assert (done.changed, done.removed, done.unchanged) == (("TOOLS.md",), (), ())
    rows = json.loads(files_of(root)["hippocampus-index.json"])
    held = [one for entries in rows.values() for one in entries if one["path"] == "TOOLS.md"]
    assert {(one["line"], one["end_line"]) for one in held} <= {(1, 3), (5, 8)}
    assert [one["line"] for one in rows["label printer"]] == [5]
    meta = json.loads(files_of(root)["hippocampus-meta.json"])
    assert meta["updated_at"] == LATER.isoformat() and meta["files"]["TOOLS.md"]["updated"]


def test_an_update_after_no_change_writes_nothing(root: Path) -> None:
    once, stamp = files_of(root), files.stamp(root)
    os.utime(root / "TOOLS.md")
    with keeper(root) as made:
        done = made.update([*NOTES, "nowhere.md"], LATER)
    assert done.unchanged == tuple(sorted(NOTES))
    assert (files_of(root), files.stamp(root)) == (once, stamp)


def test_a_note_that_is_gone_leaves_the_index(root: Path) -> None:
    (root / "TOOLS.md").unlink()
    with keeper(root) as made:
        assert made.update(["TOOLS.md"], LATER).removed == ("TOOLS.md",)
        assert made.update(["TOOLS.md"], LATER).removed == ()
    assert b"TOOLS.md" not in files_of(root)["hippocampus-index.json"]
    assert b'"kelpctl"' not in files_of(root)["hippocampus-index.json"]


def test_new_text_brings_new_anchors_which_find_older_chunks(tmp_path: Path) -> None:
    root = built(
        write(tmp_path, {**NOTES, "old.md": f"# Diary\n\nSaw a capybara swim.\n{FILLER}\n"})
    )
    assert found(root, "capybara") == ["old.md:1"]  # no anchor, but a word that stands in one chunk
    (root / "new.md").write_text(f"# Capybara\n\nAnother capybara.\n{FILLER}\n")
    with keeper(root) as made:
        assert "capybara" in made.update(["new.md"], LATER).new_anchors
    assert set(found(root, "capybara")) == {"new.md:1", "old.md:1"}


def test_a_list_keeps_within_its_bounds(tmp_path: Path) -> None:
    notes = {f"{n}.md": f"# Walrus\n\nThe walrus slept.\n{FILLER}\n" for n in range(12)}
    root = built(write(tmp_path, notes), k=5, k_max=8)
    assert len(json.loads(files_of(root)["hippocampus-index.json"])["walrus"]) == 5
    for n in range(6):
        (root / f"new{n}.md").write_text(f"# Walrus\n\nA walrus, a walrus!\n{FILLER}\n")
    with keeper(root, k=5, k_max=8) as made:
        made.update([f"new{n}.md" for n in range(6)], LATER)
    rows = json.loads(files_of(root)["hippocampus-index.json"])["walrus"]
    assert len(rows) == 8
    assert [one["score"] for one in rows] == sorted((one["score"] for one in rows), reverse=True)


def test_follow_finds_what_stirred(root: Path) -> None:
    (root / "TOOLS.md").unlink()
    (root / "projects/kelpie/PROJECT.md").write_text(f"# Kelpie\n\nSunk.\n{FILLER}\n")
    (root / "new.md").write_text(f"# Zeppelin\n\nAfloat.\n{FILLER}\n")
    with keeper(root) as made:
        done = made.follow(made.book.scan().files, LATER)
        again = made.follow(made.book.scan().files, LATER)
    assert done.changed == ("new.md", "projects/kelpie/PROJECT.md")
    assert done.removed == ("TOOLS.md",)
    assert (again.changed, again.removed) == ((), ())


def test_a_lookup_never_shows_lines_that_are_gone(root: Path) -> None:
    (root / "TOOLS.md").write_text(f"# Tools\n\n## Label printer\n\nSold.\n{FILLER}\n")
    with keeper(root) as made:
        looked = made.lookup("label printer", LATER)
    assert looked.updated == ("TOOLS.md",)
    assert looked.hits[0][:2] == ("TOOLS.md", 1)
    (root / "TOOLS.md").unlink()
    assert all(not one.startswith("TOOLS.md") for one in found(root, "label printer"))


def test_a_change_within_a_tick_of_the_clock_is_seen(root: Path) -> None:
    path = root / "TOOLS.md"
    found(root, "label printer")
    stat, text = path.stat(), path.read_text()
    path.write_text(text.replace("green", "brown"))
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    with keeper(root) as made:
        assert made.lookup("label printer", LATER).updated == ("TOOLS.md",)


@pytest.mark.skipif(
    os.name == "nt", reason="Windows has no time of the last change of a file's facts"
)
def test_an_edit_whose_time_was_set_back_is_seen(tmp_path: Path) -> None:
    path = write(tmp_path) / "TOOLS.md"
    age(path)
    built(tmp_path)
    stat, text = path.stat(), path.read_text()
    path.write_text(text.replace("green", "brown"))
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    with keeper(tmp_path) as made:
        assert made.lookup("label printer", LATER).updated == ("TOOLS.md",)
        assert made.lookup("label printer", LATER).updated == ()


def test_another_process_changes_the_index_while_one_is_open(root: Path) -> None:
    with keeper(root) as one:
        assert not one.lookup("zeppelin", NOW).hits
        (root / "new.md").write_text(f"# Zeppelin\n\nAfloat.\n{FILLER}\n")
        with keeper(root) as other:
            other.update(["new.md"], LATER)
        assert one.lookup("zeppelin", NOW).hits[0].path == "new.md"


@pytest.mark.parametrize("damage", [b"", b"SQLite format 3\0 and then nothing", b"junk" * 2_000])
def test_a_damaged_twin_is_made_anew(root: Path, damage: bytes) -> None:
    once = found(root, "label printer")
    for ending in ("-wal", "-shm"):
        (root / (TWIN + ending)).unlink(missing_ok=True)
    (root / TWIN).write_bytes(damage)
    assert found(root, "label printer") == once


@given(
    st.sampled_from([ANCHOR_INDEX, ANCHOR_META]),
    st.integers(0, 40_000),
    st.one_of(st.none(), st.integers(0, 7)),
    st.sampled_from(["lookup", "update", "follow"]),
)
def test_damaged_files_are_built_again_with_a_word_and_a_query_goes_on_without(
    sound: Path, name: str, at: int, bit: int | None, call: str
) -> None:
    """``bit`` ``None``: the file ends there."""
    before = files_of(sound)
    data = bytearray((sound / name).read_bytes())
    at %= len(data)
    if bit is None:
        del data[at:]
    else:
        data[at] ^= 1 << bit
    (sound / name).write_bytes(data)
    found_before = set(files_of(sound))
    with keeper(sound) as made:
        try:
            made.index()
        except AnchorsDamaged as error:
            another = isinstance(error, AnchorsOfAnother)
        else:  # a moment of the build
            another = True
        with suppress(AnchorsDamaged):
            made.boosts("label printer")
    assert set(files_of(sound)) == found_before
    if not another:
        with keeper(sound) as made:
            arguments = {"lookup": ("label printer",), "update": (["TOOLS.md"],), "follow": ([],)}
            stats = made.book.scan().files
            given = (stats,) if call == "follow" else arguments[call]
            done = getattr(made, call)(*given, NOW)
            assert [one for one in done.notices if one.endswith("; built again from the notes")]
            assert not made.lookup("label printer", NOW).notices
        assert files_of(sound) == before
    for path, whole in before.items():
        (sound / ANCHOR_META).with_name(path).write_bytes(whole)


def test_damaged_files_on_a_full_disk_are_told_of(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise FileUnwritable(path="x", reason="No space left on device")

    (root / ANCHOR_META).write_bytes(b"{")
    monkeypatch.setattr(files, "write", full)
    with keeper(root) as made, pytest.raises(AnchorsDamaged):
        made.lookup("label printer", NOW)
    assert (root / ANCHOR_META).read_bytes() == b"{"


def test_somebody_else_is_writing(root: Path) -> None:
    (root / "TOOLS.md").write_text("# Other\n")
    config = Config()
    quick = "timeout_seconds = 0.05"
    from hippocampus_cli.anchors.store import AnchorStore
    from hippocampus_cli.config import load

    config = load(f"[lock]\n{quick}\n", {})
    made = AnchorStore(root, config)
    with locked(root, 1.0, ANCHORS_LOCK):
        with pytest.raises(Busy):
            made.update(["TOOLS.md"], NOW)
        looked = made.lookup("label printer", NOW)
    made.close()
    stale = [one for one in looked.hits if one.path == "TOOLS.md"]
    assert stale and all(one.stale for one in stale)
    assert "not updated" in looked.notices[0]


def test_how_the_index_stands(root: Path) -> None:
    (root / "TOOLS.md").unlink()
    (root / "new.md").write_text("# New\n")
    (root / "memory/2026-07-30.md").write_text("# Other\n")
    before = files_of(root)
    with keeper(root) as made:
        standing = made.status()
    assert (standing.changed, standing.new, standing.gone) == (
        ("memory/2026-07-30.md",),
        ("new.md",),
        ("TOOLS.md",),
    )
    assert standing.bytes == sum(map(len, before.values()))
    assert files_of(root) == before


def test_remembering_keeps_anchors_in_step_and_makes_none(root: Path, tmp_path_factory) -> None:  # type: ignore[no-untyped-def]
    with Workspace(root, Config()) as ws:
        done = ws.remember(
            f"The zeppelin hangar is locked.\n\n{FILLER}", title="Zeppelin hangar", now=NOW
        )
        hits = ws.anchors.lookup("zeppelin hangar", now=NOW).hits
    assert hits[0].path == done.path
    bare = write(tmp_path_factory.mktemp("bare"))
    with Workspace(bare, Config()) as ws:
        ws.remember("Nothing.", now=NOW)
    assert not (bare / ".hippocampus/anchors").exists()


def test_damaged_anchors_do_not_keep_one_from_remembering(root: Path) -> None:
    (root / ANCHOR_INDEX).write_bytes(b"{")
    with Workspace(root, Config()) as ws:
        done = ws.remember("The hangar is locked.", now=NOW)
    assert any("built again from the notes" in notice for notice in done.notices)
    assert "hangar" in (root / done.path).read_text()


@pytest.mark.usefixtures("permissions_bind")
def test_a_read_only_workspace_is_served(root: Path) -> None:
    (root / "TOOLS.md").write_text(f"# Tools\n\n## Label printer\n\nSold.\n{FILLER}\n")
    for path in (root, *root.rglob("*")):
        path.chmod(path.stat().st_mode & ~0o222)
    with keeper(root) as made:
        looked = made.lookup("label printer", NOW + timedelta(days=1))
    assert looked.hits[0].stale and looked.notices


def _full(*_: object, **__: object) -> None:
    raise sqlite3.OperationalError("database or disk is full")


def test_a_twin_that_has_no_room_takes_no_build_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = write(tmp_path)
    with monkeypatch.context() as patched, keeper(root) as made:
        patched.setattr(LookupDatabase, "fill", _full)
        assert made.build(NOW).changed
    assert found(root, "label printer")[0] == "TOOLS.md:8"


def test_a_full_disk_is_not_the_fault_of_the_lock(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The lock is a database, too, and what the twin does not find room for it does not either."""
    (root / "TOOLS.md").write_text("# Tools\n\nOther.\n")
    before = files_of(root)
    real, asked = update.locked, []

    @contextmanager
    def locked(*given: Any) -> Iterator[None]:
        asked.append(given)
        if len(asked) > 1:
            raise FileUnwritable(path=ANCHORS_LOCK, reason="database or disk is full")
        with real(*given):
            yield

    monkeypatch.setattr(update, "locked", locked)
    monkeypatch.setattr(LookupDatabase, "replace_file", _full)
    with keeper(root) as made, pytest.raises(FileUnwritable, match="disk is full") as caught:
        made.update(["TOOLS.md"], LATER)
    assert caught.value.path == ".hippocampus/cache/anchors.sqlite"
    assert files_of(root) == before and len(asked) == 2


def test_the_weekly_cycle_builds_anew_what_was_updated(tmp_path: Path) -> None:
    (tmp_path / "MEMORY.md").write_text("# Memory\n\nInes, Bremen.\n")
    (tmp_path / "TOOLS.md").write_text("# Tools\n\n## Deploy\n\nkelpctl\n")
    at = datetime(2026, 8, 1, tzinfo=UTC)
    with Workspace(tmp_path, Config()) as workspace:
        workspace.bootstrap(now=at)
        workspace.anchors.build(now=at)
        workspace.remember("The label printer jams on damp days.", now=at)
        workspace.upkeep.run("daily", now=at + timedelta(days=1))
        facts = workspace.anchors.status().facts
        assert facts.built_at.startswith("2026-08-01") and facts.updated_at
        workspace.upkeep.run("weekly", now=at + timedelta(days=7))
        facts = workspace.anchors.status().facts
        assert facts.built_at.startswith("2026-08-08") and not facts.updated_at
        workspace.upkeep.run("weekly", now=at + timedelta(days=14))
        assert workspace.anchors.status().facts.built_at.startswith("2026-08-08")
