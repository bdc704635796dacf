"""The tables of the twin: the anchor index as a database, which a lookup need not read whole (decision D17)."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path

from hippocampus_cli.search.tokens import TOKENS_VERSION
from hippocampus_cli.workspace import database
from hippocampus_cli.workspace.database import scrub, statements, transaction, version_of
from hippocampus_cli.workspace.seal import is_as_left

VERSION = 3
BUSY_SECONDS = 3.0

# One row of `texts` a chunk, under the chunk's id. The tokenizer only has to split at white space.
_TABLES = """
CREATE TABLE files(
    id INTEGER PRIMARY KEY, path UNIQUE NOT NULL, size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL,
    read_ns INTEGER NOT NULL, ctime_ns INTEGER NOT NULL, hash TEXT NOT NULL, updated INTEGER NOT NULL);
CREATE TABLE chunks(
    id INTEGER PRIMARY KEY, file INTEGER NOT NULL REFERENCES files(id), first INTEGER NOT NULL,
    last INTEGER NOT NULL, source TEXT NOT NULL, preview NOT NULL, vector BLOB,
    UNIQUE(file, first));
CREATE VIRTUAL TABLE texts USING fts5(body, place, tokenize="ascii tokenchars '.+#-'");
CREATE VIRTUAL TABLE vocabulary USING fts5vocab(texts, row);
CREATE TABLE anchors(id INTEGER PRIMARY KEY, text UNIQUE NOT NULL, kind TEXT NOT NULL);
CREATE TABLE keys(
    key TEXT NOT NULL, anchor INTEGER NOT NULL REFERENCES anchors(id), PRIMARY KEY(key, anchor))
    WITHOUT ROWID;
CREATE TABLE entries(
    anchor INTEGER NOT NULL REFERENCES anchors(id), chunk INTEGER NOT NULL REFERENCES chunks(id),
    score REAL NOT NULL, PRIMARY KEY(anchor, chunk)) WITHOUT ROWID;
CREATE TABLE facts(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
"""
_NAMES = ("entries", "keys", "anchors", "vocabulary", "texts", "chunks", "files", "facts")
_BATCH = 500  # values in one SQL statement
_HASH_BYTES = 16_000_000  # what FTS5 gathers in memory before it writes a segment


def connect(path: Path | None) -> database.Sealed:
    """The database at ``path`` with its tables, in memory for ``None``; one of another version is begun anew, and one
    that is not as hippo left it.

    Raises :class:`sqlite3.Error`, :class:`OSError`.
    """
    left = True
    if path is not None:
        database.refuse_dangerous(path)
        if not (left := is_as_left(path)) and not database.is_in_use(path):
            database.remove(path)  # its files are sooner read again than it is looked at
            left = True
    # isolation_level None: transactions are written out, the module opens none behind our back
    connection = sqlite3.connect(
        ":memory:" if path is None else path,
        timeout=BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,
        factory=database.Sealed,
    )
    try:
        database.restrain(connection)
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA temp_store = MEMORY")
        if (former := version_of(connection)) != _stamp():
            connection.execute("PRAGMA journal_mode = WAL")
            with transaction(connection):
                if version_of(connection) != _stamp():
                    begin_anew(connection)
            if former:
                scrub(connection)  # an older one held text that must not be kept
        elif not left:
            database.check_tables(connection, _TABLES)
    except BaseException:
        connection.close()
        raise
    connection.sealed = path
    return connection


def begin_anew(connection: sqlite3.Connection) -> None:
    """Drop whatever there is and make the tables, within a transaction."""
    for name in _NAMES:
        connection.execute(f"DROP TABLE IF EXISTS {name}")
    for statement in statements(_TABLES):
        connection.execute(statement)
    connection.execute("INSERT INTO texts(texts, rank) VALUES('hashsize', ?)", (_HASH_BYTES,))
    connection.execute(f"PRAGMA user_version = {_stamp()}")


def batches(values: Sequence[str] | Sequence[int]) -> Iterator[Sequence[str] | Sequence[int]]:
    """``values`` in parts that one statement takes."""
    for start in range(0, len(values), _BATCH):
        yield values[start : start + _BATCH]


def marks(values: Sequence[object]) -> str:
    """A place for each of ``values`` in a statement."""
    return ",".join("?" * len(values))


def _stamp() -> int:
    return VERSION * 10_000 + TOKENS_VERSION
