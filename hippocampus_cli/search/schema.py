"""The tables of the full-text store, and the forms in which sections, paths and text stand in them.

The tables of the text cache, and opening a database that has them.

Everything in it can be worked out again from the notes (decision D17), so a cache of another
version or a damaged one is simply begun anew.

Sections, paths and text as SQLite keeps them.
"""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.markdown.lines import decode, encode
from hippocampus_cli.workspace import database
from hippocampus_cli.workspace.database import remove, scrub, statements, transaction, version_of
from hippocampus_cli.workspace.note import Section
from hippocampus_cli.workspace.seal import is_as_left

SCHEMA_VERSION = 10
BUSY_SECONDS = 3.0
_MOST_KEPT = 10_000
_LARGEST_COPY = 2_000_000_000  # bytes; in memory

# One row of `passages` a section, under the section's id: stems between spaces, a line a unit.
# The tokenizer only has to split at white space: it knows every character that a stem can hold.
# `totals` is kept by `changes`: a trigger would make every insert a savepoint, at which FTS5 writes out what it has
# gathered, and the first build would take half as long again.
_TABLES = """
CREATE TABLE files(
    id INTEGER PRIMARY KEY, path UNIQUE NOT NULL, size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL,
    read_ns INTEGER NOT NULL, ctime_ns INTEGER NOT NULL, checksum INTEGER NOT NULL, kind TEXT NOT NULL,
    first_day INTEGER, last_day INTEGER, digest INTEGER NOT NULL);
CREATE INDEX files_by_day ON files(first_day, last_day) WHERE first_day IS NOT NULL;
CREATE INDEX files_without_text ON files(path) WHERE checksum = -1;
CREATE TABLE sections(
    id INTEGER PRIMARY KEY, file INTEGER NOT NULL REFERENCES files(id), ordinal INTEGER NOT NULL,
    level INTEGER NOT NULL, title NOT NULL, parents NOT NULL, first INTEGER NOT NULL,
    last INTEGER NOT NULL, tree_last INTEGER NOT NULL, heading_lines INTEGER NOT NULL,
    units BLOB NOT NULL, digests BLOB NOT NULL, unit_count INTEGER NOT NULL, stem_count INTEGER NOT NULL,
    UNIQUE(file, ordinal));
CREATE VIRTUAL TABLE passages USING fts5(title, place, body, tokenize="ascii tokenchars '.+#-'");
CREATE VIRTUAL TABLE vocabulary USING fts5vocab(passages, row);
CREATE TABLE totals(sections INTEGER NOT NULL, units INTEGER NOT NULL, stems INTEGER NOT NULL);
INSERT INTO totals VALUES(0, 0, 0);
CREATE TABLE aliases(
    file INTEGER NOT NULL REFERENCES files(id), name TEXT NOT NULL, other TEXT NOT NULL,
    PRIMARY KEY(name, other, file)) WITHOUT ROWID;
CREATE INDEX aliases_by_file ON aliases(file);
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
"""
_HASH_BYTES = (
    16_000_000  # what FTS5 gathers in memory before it writes a segment; larger builds faster
)


class Connection(database.Sealed):
    """A connection that can keep what was worked out from an unchanged database."""

    _state: tuple[int, int] | None = None
    _kept: dict[object, Any]

    def kept(self) -> dict[object, Any]:
        """What is kept; empty again once this connection or another one has written to the database."""
        state = self.execute("PRAGMA data_version").fetchone()[0], self.total_changes
        if state != self._state or len(self._kept) > _MOST_KEPT:
            self._state, self._kept = state, {}
        return self._kept


def open_memory(version: int) -> Connection:
    """An empty cache that lives as long as its connection."""
    connection = _connect(":memory:")
    with transaction(connection):
        _create(connection, version)
    return connection


def open_file(path: Path, version: int) -> Connection:
    """The cache at ``path``, created or begun anew as needed.

    Raises :class:`sqlite3.DatabaseError` if it is damaged (``database.is_damage`` tells) or cannot be opened, and
    :class:`OSError` if it cannot be written or its folder not be made.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    database.refuse_dangerous(path)
    left = is_as_left(path)
    trusted = left or database.is_in_use(path)
    connection = _connect(str(path))
    try:
        if (former := version_of(connection)) != _stamp(version):
            if not trusted:  # of an older version, or of somebody who names no version
                raise sqlite3.DatabaseError("it is of another version")
            _begin_anew(connection, version)
            if former:
                scrub(connection)  # an older one held text that must not be kept
        elif not _writable(path):
            raise PermissionError(f"{path} cannot be written")
        elif not trusted:
            _check(connection)
            connection.checked = True
        elif not left:
            database.check_tables(connection, _TABLES)
    except BaseException:
        connection.close()
        raise
    connection.sealed = path
    return connection


def copy_to_memory(path: Path, version: int) -> Connection:
    """An in-memory copy of the cache at ``path``; empty if there is nothing usable to copy."""
    # immutable: on a read-only medium not even the shared memory of a write-ahead log can be made
    for mode in ("mode=ro", "mode=ro&immutable=1"):
        connection = _connect(":memory:")
        try:
            with closing(
                sqlite3.connect(f"{path.absolute().as_uri()}?{mode}", uri=True, timeout=0)
            ) as source:
                if version_of(source) == _stamp(version) and path.stat().st_size < _LARGEST_COPY:
                    source.backup(connection)
            if version_of(connection) == _stamp(version):
                if not is_as_left(path):
                    _check(connection)
                return connection
        except (sqlite3.Error, OSError, ValueError):
            pass
        connection.close()
    return open_memory(version)


def replace_file(path: Path, version: int) -> Connection | None:
    """A new, empty cache in the place of a damaged one; ``None`` where that cannot be."""
    try:
        remove(path)
        return open_file(path, version)
    except (sqlite3.Error, OSError):
        return None


def _stamp(version: int) -> int:
    return SCHEMA_VERSION * 10_000 + version


def _check(connection: sqlite3.Connection) -> None:
    from hippocampus_cli.search import integrity  # what most queries do without

    integrity.check(connection, _TABLES)


def _connect(name: str) -> Connection:
    # isolation_level None: transactions are written out, the module opens none behind our back
    connection = sqlite3.connect(
        name,
        timeout=BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,
        factory=Connection,
    )
    database.restrain(connection)
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA temp_store = MEMORY")
    return connection


def _writable(path: Path) -> bool:
    import os

    return os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)


def _begin_anew(connection: sqlite3.Connection, version: int) -> None:
    """Replace whatever tables there are; another process may have done it while this one waited."""
    connection.execute("PRAGMA journal_mode = WAL")
    with transaction(connection):
        if version_of(connection) != _stamp(version):
            _drop(connection)
            _create(connection, version)


def _drop(connection: sqlite3.Connection) -> None:
    query = "SELECT type, name FROM sqlite_master WHERE type IN ('table', 'view') AND sql LIKE ?"
    for pattern in ("CREATE VIRTUAL%", "CREATE%"):
        for kind, name in connection.execute(query, (pattern,)).fetchall():
            if not str(name).startswith("sqlite_"):
                quoted = str(name).replace('"', '""')
                connection.execute(f'DROP {kind} IF EXISTS "{quoted}"')


def _create(connection: sqlite3.Connection, version: int) -> None:
    for statement in statements(_TABLES):
        connection.execute(statement)
    connection.execute("INSERT INTO passages(passages, rank) VALUES('hashsize', ?)", (_HASH_BYTES,))
    connection.execute(f"PRAGMA user_version = {_stamp(version)}")


SectionRow = tuple[int, int, str | bytes, str | bytes, int, int, int, int, bytes, bytes, int, int]
PLACE_COLUMNS = "ordinal, level, title, parents, first, last, tree_last, heading_lines"
"""What a section is, without its text."""
SECTION_COLUMNS = f"{PLACE_COLUMNS}, units, digests, unit_count, stem_count"


def storable(text: str) -> str | bytes:
    """``text`` as SQLite can keep it: bytes where it holds escapes of invalid UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return encode(text)
    return text


def restored(value: str | bytes) -> str:
    """What :func:`storable` was given."""
    return value if isinstance(value, str) else decode(value)


def file_id(db: sqlite3.Connection, path: str) -> int | None:
    """The id of the file at ``path``; ``None`` if it is not known."""
    row = db.execute("SELECT id FROM files WHERE path = ?", (storable(path),)).fetchone()
    return None if row is None else int(row[0])


def section_of(row: Sequence[Any]) -> Section:
    """The section in :data:`PLACE_COLUMNS`, whatever stands behind them."""
    ordinal, level, title, parents, *lines = row[:8]
    above = tuple(restored(parents).split("\n")[1:])
    return Section(ordinal, level, restored(title), above, *lines)


class Spans(NamedTuple):
    """The units of a section in the order of the text, an array a column.

    ``starts`` and ``ends`` are lines, ``offsets`` and ``lengths`` say where a unit's stems begin in the body and how
    many they are, ``traits`` are those of :mod:`hippocampus_cli.search.unit_features`.
    """

    starts: Sequence[int]
    ends: Sequence[int]
    offsets: Sequence[int]
    lengths: Sequence[int]
    traits: Sequence[int]


def unit_spans(blob: bytes) -> Spans:
    """The units of a section as they are stored."""
    flat = array("I")
    flat.frombytes(blob)
    return Spans(flat[0::5], flat[1::5], flat[2::5], flat[3::5], flat[4::5])
