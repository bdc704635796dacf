from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from hippocampus_cli.workspace import database


def test_a_transaction_is_whole_or_was_none() -> None:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.execute("CREATE TABLE t(a)")
    with database.transaction(connection):
        connection.execute("INSERT INTO t VALUES(1)")
    with pytest.raises(KeyboardInterrupt), database.transaction(connection):
        connection.execute("INSERT INTO t VALUES(2)")
        raise KeyboardInterrupt
    assert connection.execute("SELECT a FROM t").fetchall() == [(1,)]
    assert not connection.in_transaction


def test_statements_run_within_a_transaction_and_a_semicolon_does_not_end_them() -> None:
    script = "CREATE TABLE t(a);\nINSERT INTO t\n  VALUES(';\n');\n"
    assert len(list(database.statements(script))) == 2
    connection = sqlite3.connect(":memory:", isolation_level=None)
    with pytest.raises(ValueError), database.transaction(connection):
        for statement in database.statements(script):
            connection.execute(statement)
        raise ValueError
    assert connection.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,)


def test_a_database_goes_with_what_stands_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    for ending in ("", "-wal", "-shm", "-journal", "-mine"):
        (tmp_path / f"a.sqlite{ending}").touch()
    database.remove(path)
    assert [one.name for one in tmp_path.iterdir()] == ["a.sqlite-mine"]
    database.remove(path)  # nothing is left to remove


def test_a_new_database_is_of_version_0(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "a.sqlite")
    assert database.version_of(connection) == 0
    connection.execute("PRAGMA user_version = 7")
    assert database.version_of(connection) == 7
