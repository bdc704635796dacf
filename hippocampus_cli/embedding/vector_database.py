"""The file of the vector cache: its table, and opening it whatever has become of it.

Everything in it can be worked out again from the notes (decision D17), so a file of another version or a
damaged one is begun anew.
"""

from __future__ import annotations

import errno
import os
import sqlite3
from pathlib import Path
from typing import NamedTuple

from hippocampus_cli.workspace import database
from hippocampus_cli.workspace.database import (
    FAILURES,
    is_damage,
    remove,
    restrain,
    transaction,
    version_of,
)
from hippocampus_cli.workspace.seal import is_as_left

VERSION = 2
BUSY_SECONDS = 5.0
# `id` is the beginning of `digest`: rows lie in the order of their keys, and no second tree finds them. `signs` has
# one row, of one model.
_TABLES = (
    "CREATE TABLE vectors(id INTEGER PRIMARY KEY, digest BLOB NOT NULL, vector BLOB NOT NULL)",
    "CREATE TABLE signs(key TEXT PRIMARY KEY, ids BLOB NOT NULL, bits BLOB NOT NULL) WITHOUT ROWID",
    "CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
)


class Opened(NamedTuple):
    """A cache, and why it does not keep what is written there; empty where it does."""

    connection: sqlite3.Connection
    problem: str = ""


def open_best(path: Path | None) -> Opened:
    """The cache at ``path``: a new one in the place of a damaged one, one that can only be read where it
    cannot be written, and where there can be none, an empty one in memory.
    """
    if path is None:
        return Opened(open_memory(), "there is no place for it")
    try:
        return Opened(_open_file(path))
    except (*FAILURES, OSError) as error:
        if is_damage(error, path):
            return open_instead(path)
        reason = (isinstance(error, OSError) and error.strerror) or str(error)  # locked, full
        return Opened(_open_to_read(path) or open_memory(), reason)


def open_instead(path: Path | None) -> Opened:
    """A new cache in the place of a damaged one."""
    if path is None or discard(path):
        return open_best(path)
    return Opened(open_memory(), "it is damaged, and cannot be replaced")


def open_memory() -> sqlite3.Connection:
    """An empty cache that lives as long as its connection."""
    connection = _connect(":memory:")
    with transaction(connection):
        _begin_anew(connection)
    return connection


def discard(path: Path) -> bool:
    """Remove a damaged cache; whether that could be done."""
    try:
        remove(path)
    except OSError:
        return False
    return True


def _open_file(path: Path) -> database.Sealed:
    path.parent.mkdir(parents=True, exist_ok=True)
    database.refuse_dangerous(path)
    trusted = is_as_left(path)
    connection = _connect(str(path))
    try:
        if not trusted and version_of(connection) == VERSION:
            database.check_tables(connection, ";\n".join((*_TABLES, "")))
        if version_of(connection) != VERSION:
            connection.execute("PRAGMA journal_mode = WAL")
            with transaction(connection):
                if version_of(connection) != VERSION:  # another process may have been first
                    _begin_anew(connection)
        elif not os.access(path, os.W_OK):
            raise PermissionError(errno.EACCES, "attempt to write a readonly database")
    except BaseException:
        connection.close()
        raise
    connection.sealed, connection.checked = path, not trusted
    return connection


def _open_to_read(path: Path) -> sqlite3.Connection | None:
    # immutable: on a read-only medium not even the shared memory of a write-ahead log can be made
    for mode in ("mode=ro", "mode=ro&immutable=1"):
        try:
            connection = _connect(f"{path.absolute().as_uri()}?{mode}", uri=True)
        except (sqlite3.Error, ValueError):
            continue
        try:
            if version_of(connection) == VERSION:
                return connection
        except sqlite3.Error:
            pass
        connection.close()
    return None


def _begin_anew(connection: sqlite3.Connection) -> None:
    for name in ("vectors", "signs", "meta"):
        connection.execute(f"DROP TABLE IF EXISTS {name}")
    for statement in _TABLES:
        connection.execute(statement)
    connection.execute(f"PRAGMA user_version = {VERSION}")


def _connect(name: str, *, uri: bool = False) -> database.Sealed:
    # isolation_level None: transactions are written out, the module opens none behind our back
    connection = sqlite3.connect(
        name,
        timeout=BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,
        uri=uri,
        factory=database.Sealed,
    )
    restrain(connection)
    connection.execute("PRAGMA synchronous = NORMAL")
    return connection
