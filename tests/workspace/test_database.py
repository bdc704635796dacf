"""The rebuildable database, whatever it holds, and what all of hippo's SQLite files need."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from hippocampus_cli.workspace import database
from hippocampus_cli.workspace.database import Database, Schema
from hippocampus_cli.workspace.own_files import is_as_left

TABLES = "CREATE TABLE t(a TEXT);\nCREATE VIRTUAL TABLE words USING fts5(body);\n"


SCHEMA = Schema(TABLES, 7)
BELIEVED = SCHEMA._replace(believed=True)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "a.sqlite"


def fill(path: Path, text: str = "ours") -> None:
    with closing(Database(path, SCHEMA)) as made:
        made.connection.execute("INSERT INTO t VALUES(?)", (text,))
        made.connection.execute("INSERT INTO words VALUES(?)", (text,))


def rows(path: Path, schema: Schema = SCHEMA) -> list[str]:
    with closing(Database(path, schema)) as opened:
        return [row[0] for row in opened.connection.execute("SELECT a FROM t")]


def _script(script: str) -> Callable[[Path], None]:
    def harm(path: Path) -> None:
        with closing(sqlite3.connect(path)) as db:
            db.executescript(script)

    return harm


HARMS = {
    "another version": _script("PRAGMA user_version = 6"),
    "a view more": _script("CREATE VIEW v AS SELECT 1"),
    "a trigger": _script("CREATE TRIGGER r AFTER INSERT ON t BEGIN DELETE FROM t; END"),
    "a table less": _script("DROP TABLE t"),
    "no database": lambda path: path.write_bytes(b"no database at all" * 500) and None,
    "cut": lambda path: path.write_bytes(path.read_bytes()[:5_000]) and None,
    "another name": lambda path: path.with_name("b").hardlink_to(path),
}


@pytest.mark.parametrize("harm", HARMS.values(), ids=HARMS)
@pytest.mark.parametrize("schema", [SCHEMA, BELIEVED], ids=["rebuilt", "believed"])
def test_what_is_not_as_it_was_left_is_rebuilt(
    path: Path, harm: Callable[[Path], None], schema: Schema
) -> None:
    fill(path)
    assert rows(path, schema) == ["ours"]
    harm(path)
    assert rows(path, schema) == []
    fill(path, "ours again")
    assert rows(path, schema) == ["ours again"]


def test_rows_of_others_are_not_believed(path: Path) -> None:
    fill(path)
    _script("UPDATE t SET a = 'theirs'")(path)
    assert rows(path) == []


def test_what_others_wrote_meanwhile_is_used_when_the_last_one_only_read(path: Path) -> None:
    fill(path)
    with closing(Database(path, SCHEMA)) as opened:
        opened.connection.execute("SELECT a FROM t").fetchall()
        fill(path, "ours again")
    assert rows(path) == ["ours", "ours again"]


def test_what_a_killed_process_wrote_is_used(path: Path) -> None:
    with closing(Database(path, SCHEMA)) as killed:
        killed.connection.execute("PRAGMA wal_autocheckpoint = 1")
        with database.transaction(killed.connection):
            killed.connection.execute("INSERT INTO t VALUES('late')")
        assert is_as_left(path)


def test_nothing_of_a_former_version_is_left_in_the_file(path: Path) -> None:
    fill(path, "ours and secret-4711")
    assert rows(path, SCHEMA._replace(version=8)) == []
    for file in path.parent.iterdir():
        assert b"secret-4711" not in file.read_bytes(), file.name


@pytest.mark.parametrize("schema", [SCHEMA, BELIEVED], ids=["rebuilt", "believed"])
def test_where_it_cannot_be_written_it_is_read(
    path: Path, schema: Schema, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(path)
    before = path.read_bytes()
    monkeypatch.setattr(database, "_is_writable", lambda path: False)
    with closing(Database(path, schema)) as opened:
        assert opened.path is None and "readonly" in opened.problem
        assert opened.connection.execute("SELECT a FROM t").fetchall() == [("ours",)]
    assert path.read_bytes() == before


def test_damage_that_shows_in_use_is_healed(path: Path) -> None:
    fill(path)
    with closing(Database(path, SCHEMA)) as opened:
        tries: list[sqlite3.Connection] = []

        def work(connection: sqlite3.Connection) -> int:
            tries.append(connection)
            if len(tries) == 1:
                raise sqlite3.DatabaseError("database disk image is malformed")
            return int(connection.execute("SELECT count(*) FROM t").fetchone()[0])

        assert opened.healed(work) == 0
        assert (opened.generation, opened.path) == (1, path)
        assert tries[0] is not tries[1]


def test_what_fails_again_and_again_is_told(path: Path) -> None:
    def work(connection: sqlite3.Connection) -> None:
        raise sqlite3.DatabaseError("malformed")

    with closing(Database(path, SCHEMA)) as opened:
        with pytest.raises(sqlite3.DatabaseError, match="malformed"):
            opened.healed(work)
        assert opened.generation == 2


def test_a_transaction_is_whole_or_was_none() -> None:
    connection = database.connect(":memory:")
    connection.execute("CREATE TABLE t(a)")
    with database.transaction(connection):
        connection.execute("INSERT INTO t VALUES(1)")
    with pytest.raises(KeyboardInterrupt), database.transaction(connection):
        connection.execute("INSERT INTO t VALUES(2)")
        raise KeyboardInterrupt
    assert connection.execute("SELECT a FROM t").fetchall() == [(1,)]
    assert not connection.in_transaction


def test_a_database_goes_with_what_stands_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    for ending in ("", "-wal", "-shm", "-journal", "-mine"):
        (tmp_path / f"a.sqlite{ending}").touch()
    database.remove(path)
    assert [one.name for one in tmp_path.iterdir()] == ["a.sqlite-mine"]
    database.remove(path)  # nothing is left to remove
