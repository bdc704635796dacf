"""The text cache: in step with the disk, and never the reason that a search fails."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hippocampus_cli.errors import FileUnreadable
from hippocampus_cli.search import refresh as store_refresh
from hippocampus_cli.search import schema
from hippocampus_cli.search.store import Refreshed, TextCache
from hippocampus_cli.workspace import database
from hippocampus_cli.workspace.file_table import FileStat
from hippocampus_cli.workspace.note import Note
from tests.support.text_cache import OLD, cache_of, refresh, stat

NOTES: dict[str, str | None] = {
    "MEMORY.md": "# Memory\n\n- the deploy command is make ship\n",
    "memory/2026-03-12.md": "# Day\n## Standup\n- talked\n## Standup\n- again\n",
    "b\udcff.md": "# caf\udce9\n\ntext\n",
    "data.bin": None,
}
TEXTS = st.dictionaries(
    st.sampled_from(["a.md", "b.md", "c/d.md", "é\udcff.md"]),
    st.sampled_from(["", "# A\nx\n", "# A\ny\n", "# A\nx\n## B\n- z\n", None]),
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / ".hippocampus" / "cache" / "text.sqlite"


def contents(cache: TextCache) -> dict[str, object]:
    return {path: cache.sections_of(path) for path in cache.paths()}


def tables(cache: TextCache) -> list[object]:
    """Everything a search can see, without the ids."""
    query = (
        "SELECT f.path, s.ordinal, s.units, p.title, p.place, p.body FROM files f"
        " JOIN sections s ON s.file = f.id JOIN passages p ON p.rowid = s.id"
    )

    def read(db: sqlite3.Connection) -> list[object]:
        rows = db.execute(query).fetchall()
        totals = db.execute("SELECT * FROM totals").fetchone()
        db.execute("INSERT INTO passages(passages) VALUES('integrity-check')")
        return [*sorted(rows, key=repr), totals]

    return cache.healing(read)


def test_sections_are_those_of_the_notes() -> None:
    cache = cache_of(NOTES)
    for path, text in NOTES.items():
        expected = [] if text is None else list(Note(path, text).sections)
        assert cache.sections_of(path) == expected
    assert cache.sections_of("nowhere.md") is None


@given(st.lists(TEXTS, max_size=4), st.booleans())
@settings(max_examples=60, deadline=None)
def test_after_any_history_it_is_as_if_begun_anew(
    states: list[dict[str, str | None]], told: bool
) -> None:
    cache = TextCache(None)
    known: dict[str, str | None] = {}
    for notes in states:
        either = notes.keys() | known.keys()
        touched = {path for path in either if notes.get(path, 0) != known.get(path, 0)}
        done = refresh(cache, notes, touched if told else None)
        assert set(done.added) == notes.keys() - known.keys()
        assert set(done.removed) == known.keys() - notes.keys()
        both = notes.keys() & known.keys()
        assert set(done.changed) == {path for path in both if notes[path] != known[path]}
        known = notes
    assert tables(cache) == tables(cache_of(known))
    assert cache.paths() == sorted(known)
    cache.close()


def test_it_is_kept(path: Path) -> None:
    cache = TextCache(path)
    refresh(cache, NOTES)
    before = tables(cache)
    cache.set_meta("key", "value \udcff")
    cache.close()
    cache = TextCache(path)
    assert not cache.in_memory
    assert refresh(cache, NOTES) == Refreshed((), (), ())
    assert tables(cache) == before
    assert cache.get_meta("key") == "value \udcff"
    assert cache.get_meta("other") is None


def test_only_what_changed_is_read() -> None:
    cache = cache_of(NOTES)
    read: list[str] = []

    def reading(path: str) -> Note:
        read.append(path)
        return Note(path, "# New\n")

    found = [stat(path, text) for path, text in NOTES.items()]
    found[0] = FileStat(found[0].path, 6, OLD)
    done = cache.refresh(found, reading)
    assert read == [found[0].path] == list(done.changed)


def test_an_edit_whose_time_was_set_back_is_seen() -> None:
    cache = TextCache(None)
    cache.refresh([FileStat("a.md", 4, OLD, OLD)], lambda path: Note(path, "one\n"))
    found = [FileStat("a.md", 4, OLD, OLD + 5_000_000_000)]
    assert cache.refresh(found, lambda path: Note(path, "two\n")).changed == ("a.md",)
    assert cache.refresh(found, lambda path: pytest.fail("read again")) == Refreshed((), (), ())


def test_of_what_is_known_to_be_untouched_nothing_is_compared() -> None:
    notes = {"a.md": "# A\n", "b.md": "# B\n"}
    cache = cache_of(notes)
    other = {"a.md": "# Other A\n", "b.md": "# Other B\n"}
    assert refresh(cache, other, {"b.md"}).changed == ("b.md",)
    assert refresh(cache, other).changed == ("a.md",)


def test_where_another_process_has_written_everything_is_compared(path: Path) -> None:
    cache, another = TextCache(path), TextCache(path)
    refresh(cache, {"a.md": "# Old\n"})
    refresh(cache, {"a.md": "# New\n"})
    refresh(another, {"a.md": "# Old\n"})  # it had looked before the change, and was slow to write
    assert refresh(cache, {"a.md": "# New\n"}, ()).changed == ("a.md",)
    assert refresh(cache, {"a.md": "# New\n"}, ()) == Refreshed((), (), ())
    cache.close()
    another.close()


def test_what_could_not_be_read_is_tried_again_though_nobody_touched_it() -> None:
    def failing(path: str) -> Note:
        raise FileUnreadable(path=path, reason="busy")

    cache = TextCache(None)
    found = [stat("a.md", "# A\n")]
    cache.refresh(found, failing)
    assert cache.refresh(found, failing, None, ()) == Refreshed((), (), ())
    assert cache.refresh(found, lambda path: Note(path, "# A\n"), None, ()).added == ("a.md",)


def test_what_an_interrupted_refresh_left_is_done_whatever_was_touched() -> None:
    def interrupted(path: str) -> Note:
        raise KeyboardInterrupt

    cache = cache_of({"a.md": "# Old\n"})
    refresh(cache, {"a.md": "# Old\n"})
    with pytest.raises(KeyboardInterrupt):
        cache.refresh([stat("a.md", "# New\n")], interrupted, None, {"a.md"})
    assert refresh(cache, {"a.md": "# New\n"}, ()).changed == ("a.md",)


def test_a_change_within_the_clocks_tick_is_seen() -> None:
    now = OLD
    cache = TextCache(None, clock=lambda: now)
    found = [FileStat("a.md", 4, OLD)]
    cache.refresh(found, lambda path: Note(path, "one\n"))
    assert cache.refresh(found, lambda path: Note(path, "two\n")).changed == ("a.md",)
    now = OLD + 10_000_000_000
    assert cache.refresh(found, lambda path: Note(path, "six\n")).changed == ("a.md",)
    assert cache.refresh(found, lambda path: pytest.fail("read again")) == Refreshed((), (), ())


def test_what_cannot_be_read_is_left_out_until_it_can() -> None:
    def failing(path: str) -> Note:
        raise FileUnreadable(path=path, reason="forbidden")

    cache = cache_of({"a.md": "# A\n", "b.md": "# B\n"})
    found = [FileStat("a.md", 9, OLD), stat("b.md", "# B\n"), FileStat("c.md", 9, OLD)]
    assert cache.refresh(found, failing) == Refreshed((), (), ("a.md",))
    assert cache.paths() == ["b.md"]
    done = cache.refresh(found, lambda path: Note(path, "# C\n"))
    assert done.added == ("a.md", "c.md")


def test_progress_reaches_its_end() -> None:
    seen: list[tuple[int, int]] = []
    found = [FileStat(f"{number:04}.md", 2, OLD) for number in range(1_200)]
    cache = TextCache(None)
    cache.refresh(found, lambda path: Note(path, "x\n"), lambda *at: seen.append(at))
    assert seen == [(500, 1200), (1000, 1200), (1200, 1200)]


def test_a_build_in_parts_leaves_one_segment(monkeypatch: pytest.MonkeyPatch) -> None:
    def segments(cache: TextCache) -> int:
        query = "SELECT count(DISTINCT segid) FROM passages_idx"
        return int(cache.healing(lambda db: db.execute(query).fetchone())[0])

    monkeypatch.setattr(store_refresh, "_BATCH_FILES", 2)
    monkeypatch.setattr(store_refresh, "_MERGED_PAGES", 1)
    notes: dict[str, str | None] = {f"{n}.md": f"# Note {n}\nword{n} and more\n" for n in range(7)}
    cache = cache_of(notes)
    assert segments(cache) == 1
    assert cache_of(notes).paths() == cache.paths() and tables(cache_of(notes)) == tables(cache)
    refresh(cache, {**notes, "new.md": "new"})
    assert segments(cache) == 2  # a few more are not worth it
    assert len(tables(cache)) == 9


def test_an_interrupted_refresh_goes_on_where_it_was(path: Path) -> None:
    found = [FileStat(f"{number:04}.md", 2, OLD) for number in range(1_200)]

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    cache = TextCache(path)
    with pytest.raises(KeyboardInterrupt):
        cache.refresh(found, lambda path: Note(path, "x\n"), stop)
    cache.close()
    cache = TextCache(path)
    assert len(cache.refresh(found, lambda path: Note(path, "x\n")).added) == 700


@pytest.mark.parametrize(
    "damage",
    [
        lambda path: path.write_bytes(b"no database at all" * 1_000),
        lambda path: path.write_bytes(path.read_bytes()[:5_000]),
        lambda path: path.write_bytes(path.read_bytes()[:100] + b"\xff" * 40_000),
        lambda path: path.write_bytes(b""),
    ],
)
def test_a_damaged_file_is_begun_anew(path: Path, damage: Callable[[Path], None]) -> None:
    cache = TextCache(path)
    refresh(cache, NOTES)
    cache.close()
    damage(path)
    cache = TextCache(path)
    refresh(cache, NOTES)
    assert tables(cache) == tables(cache_of(NOTES))
    cache.close()


def test_damage_that_shows_late_is_healed(path: Path) -> None:
    cache = TextCache(path)
    refresh(cache, NOTES)
    failures = [sqlite3.DatabaseError("database disk image is malformed")]

    def work(db: sqlite3.Connection) -> object:
        if failures:
            raise failures.pop()
        return db.execute("SELECT count(*) FROM files").fetchone()[0]

    assert cache.healing(work) == len(NOTES)
    assert not cache.in_memory
    assert tables(cache) == tables(cache_of(NOTES))


def test_another_version_is_begun_anew(path: Path) -> None:
    cache = TextCache(path, 1)
    refresh(cache, NOTES)
    cache.close()
    cache = TextCache(path, 2)
    assert not cache.in_memory
    assert cache.paths() == []
    refresh(cache, NOTES)
    assert tables(cache) == tables(cache_of(NOTES))


def test_a_foreign_database_is_begun_anew(path: Path) -> None:
    path.parent.mkdir(parents=True)
    foreign = sqlite3.connect(path)
    foreign.executescript(
        'CREATE TABLE files(x); CREATE TABLE "odd "" name"(y); CREATE VIEW v AS SELECT 1;'
    )
    foreign.close()
    cache = TextCache(path)
    refresh(cache, NOTES)
    assert not cache.in_memory
    assert cache.paths() == sorted(NOTES)


def test_on_a_read_only_medium_it_goes_on_in_memory(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = TextCache(path)
    refresh(cache, NOTES)
    cache.close()
    before = path.read_bytes()
    monkeypatch.setattr(database, "_is_writable", lambda path: False)
    cache = TextCache(path)
    assert cache.in_memory
    assert cache.paths() == sorted(NOTES)  # what was there was taken over
    refresh(cache, NOTES | {"new.md": "# New\n"})
    assert "new.md" in cache.paths()
    assert path.read_bytes() == before


def test_where_no_folder_can_be_made_it_is_in_memory(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    cache = TextCache(tmp_path / "file" / "cache" / "text.sqlite")
    assert cache.in_memory
    refresh(cache, NOTES)
    assert cache.paths() == sorted(NOTES)


def test_a_folder_in_its_place_is_no_obstacle(path: Path) -> None:
    path.mkdir(parents=True)
    cache = TextCache(path)
    assert cache.in_memory
    refresh(cache, NOTES)
    assert cache.paths() == sorted(NOTES)


def test_a_lock_held_by_another_does_not_stop_a_refresh(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.05)
    cache = TextCache(path)
    refresh(cache, NOTES)
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    done = refresh(cache, NOTES | {"new.md": "# New\n"})
    assert done.added == ("new.md",)
    assert cache.in_memory
    holder.execute("ROLLBACK")
    holder.close()


def _build(path: str, notes: dict[str, str | None]) -> None:
    cache = TextCache(Path(path))
    refresh(cache, notes)
    assert cache.paths() == sorted(notes)
    cache.close()


def test_processes_may_build_it_at_once(path: Path) -> None:
    notes: dict[str, str | None] = {f"{n:03}.md": f"# N {n}\n- word{n}\n" for n in range(600)}
    context = multiprocessing.get_context("spawn")
    builders = [context.Process(target=_build, args=(str(path), notes)) for _ in range(3)]
    for builder in builders:
        builder.start()
    for builder in builders:
        builder.join(60)
    assert [builder.exitcode for builder in builders] == [0, 0, 0]
    cache = TextCache(path)
    assert refresh(cache, notes) == Refreshed((), (), ())
    assert tables(cache) == tables(cache_of(notes))


_ENDLESS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n"
_ROTTEN = (
    "UPDATE sections SET first = 3 WHERE id = 2",
    "UPDATE sections SET units = x'00'",
    "UPDATE sections SET title = x'ff'",
    "UPDATE files SET kind = 'other'",
    "UPDATE passages_content SET c2 = 'else'",
    "UPDATE passages_data SET block = x'00' WHERE id > 1",
    "DELETE FROM passages_docsize",
    "UPDATE totals SET units = 7",
    "DELETE FROM totals",
    f"CREATE VIEW v AS {_ENDLESS}",
    f"CREATE TRIGGER t BEFORE UPDATE ON files BEGIN SELECT ({_ENDLESS}); END",
    f"DROP TABLE meta; CREATE VIEW meta(key, value) AS SELECT x, x FROM ({_ENDLESS})",
    "ALTER TABLE files ADD COLUMN more AS (zeroblob(100000000))",
    "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = NULL WHERE name = 'files'",
)


@pytest.mark.parametrize("harm", _ROTTEN)
def test_a_cache_with_anything_else_in_it_is_begun_anew(path: Path, harm: str) -> None:
    cache = TextCache(path)
    refresh(cache, NOTES)
    cache.close()
    with closing(sqlite3.connect(path)) as db:
        db.executescript(harm)
    cache = TextCache(path)
    assert not cache.in_memory
    refresh(cache, NOTES)
    assert tables(cache) == tables(cache_of(NOTES))
    cache.close()


def test_a_kept_value_that_was_changed_is_none(path: Path) -> None:
    cache = TextCache(path)
    cache.set_meta("key", "value \udcff")
    assert cache.get_meta("key") == "value \udcff"
    cache.healing(lambda db: db.execute("UPDATE meta SET value = x'ff'"))
    assert cache.get_meta("key") is None


def test_one_that_was_only_copied_is_used(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = TextCache(path)
    refresh(cache, NOTES)
    cache.close()
    looked: list[object] = []
    monkeypatch.setattr(schema, "_check", looked.append)
    TextCache(path).close()
    assert not looked  # it is as it was left
    path.with_name("copy").write_bytes(path.read_bytes())
    path.with_name("copy").replace(path)
    cache = TextCache(path)
    assert len(looked) == 1
    assert sorted(cache.paths()) == sorted(NOTES)
    cache.close()
    TextCache(path).close()
    assert len(looked) == 1


def test_one_that_has_another_name_too_is_left_to_it(path: Path) -> None:
    """A hard link: to a backup's copy, or to a database of somebody's."""
    theirs = path.parent.parent.parent / "theirs"
    with closing(sqlite3.connect(theirs)) as db:
        db.execute("CREATE TABLE theirs(x)")
    before = theirs.read_bytes()
    path.parent.mkdir(parents=True)
    os.link(theirs, path)
    cache = TextCache(path)
    refresh(cache, NOTES)
    cache.close()
    assert theirs.read_bytes() == before


def test_a_journal_that_names_a_file_has_it_not_deleted(path: Path, tmp_path: Path) -> None:
    cache = TextCache(path)
    refresh(cache, NOTES)
    cache.close()
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA journal_mode = DELETE")
    secret = tmp_path / "secret"
    secret.write_text("kept\n")
    named, magic = os.fsencode(secret), b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7"
    sizes = (0, 1234, path.stat().st_size // 4096, 512, 4096)
    header = (magic + b"".join(one.to_bytes(4, "big") for one in sizes)).ljust(512, b"\0")
    parts = (0x40000000 // 4096 + 1, named, len(named), sum(named), magic)
    tail = b"".join(one if isinstance(one, bytes) else one.to_bytes(4, "big") for one in parts)
    Path(f"{path}-journal").write_bytes(header + tail)
    TextCache(path).close()
    assert secret.read_text() == "kept\n"


def test_rows_that_make_no_sense_while_it_is_open_begin_it_anew(path: Path) -> None:
    cache = TextCache(path)
    refresh(cache, NOTES)
    failing = [ValueError("bytes length not a multiple of item size")]

    def work(db: sqlite3.Connection) -> object:
        if failing:
            raise failing.pop()
        return db.execute("SELECT count(*) FROM files").fetchone()[0]

    assert cache.healing(work) == len(NOTES)
    assert not cache.in_memory
    cache.close()


def test_a_database_whose_schema_is_damaged_is_replaced(tmp_path: Path) -> None:
    """SQLite's message quotes the damaged name, which Python then cannot decode."""
    path = tmp_path / "text.sqlite"
    TextCache(path, clock=lambda: 1).close()
    data = path.read_bytes()
    path.write_bytes(data.replace(b"CREATE TABLE files(", b"CREATE TABLE fil\xff\xfe \x80("))
    with contextlib.closing(TextCache(path, clock=lambda: 1)) as cache:
        assert cache.healing(lambda db: db.execute("SELECT count(*) FROM files").fetchone()) == (0,)
