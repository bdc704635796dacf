"""What all of hippo's own databases have in common: transactions, versions, and files beside the file."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hippocampus_cli.workspace.own_files import SQLITE_ENDINGS


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """A writing transaction, taken at once so that it never has to be upgraded in the middle."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def version_of(connection: sqlite3.Connection) -> int:
    """The version that a database says it is of; 0 for a new file."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def scrub(connection: sqlite3.Connection) -> None:
    """Leave nothing of what was deleted in the file; where somebody else is reading, it goes when they have done."""
    with contextlib.suppress(sqlite3.OperationalError):
        connection.execute("VACUUM")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def statements(script: str) -> Iterator[str]:
    """The statements of ``script``. Its own ``executescript`` would commit the transaction that runs them."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


def remove(path: Path) -> None:
    """Remove a database with all that SQLite keeps beside it, the file itself last. Raises :class:`OSError`."""
    for ending in (*SQLITE_ENDINGS, ""):
        path.with_name(path.name + ending).unlink(missing_ok=True)
