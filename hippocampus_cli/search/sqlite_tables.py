"""The store in one SQLite file that can be rebuilt from the notes (decision D17): what a person needs, and no more.

``files`` is hippo's file table; ``passages`` has a row a passage; ``postings`` says which passages hold a term
(:mod:`~hippocampus_cli.search.postings`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from hippocampus_cli.search.postings import Totals
from hippocampus_cli.text.terms import TERMS_VERSION
from hippocampus_cli.workspace.database import (
    Connection,
    Database,
    Schema,
    transaction,
)
from hippocampus_cli.workspace.file_table import COLUMNS as FILE_COLUMNS
from hippocampus_cli.workspace.file_table import LOOKS, Diff, FileStat, diff, restored, storable
from hippocampus_cli.workspace.note import Section

if TYPE_CHECKING:
    from hippocampus_cli.embedding.embedder import Embedder
    from hippocampus_cli.search.tables import Record

COLUMNS = {
    "files": "id, path, size, mtime_ns, ctime_ns, read_ns, checksum, first_day, last_day, first, passages,"
    " length",
    "passages": 'id, file, ordinal, start, "end", section, headings, title, body, others, length,'
    " traits, bold, day, copy, digest",
    "sections": "file, ordinal, level, title, parents, first, last, tree_last, heading_lines",
    "postings": "term, block, data",
}
PLACE = (
    "p.id, f.path, first_day, last_day, mtime_ns, first, passages, f.length, p.ordinal, start,"
    ' "end", section, headings, title, body, p.length, traits, bold, day, copy, digest'
)
"""The columns of each table in their order, and those of a :class:`~hippocampus_cli.search.candidates.Place`."""
VERSION = 28 * 10_000 + TERMS_VERSION  # above those of the full-text caches that had this name
_TABLES = f"""
CREATE TABLE files(
    {FILE_COLUMNS}, checksum INTEGER NOT NULL, first_day INTEGER, last_day INTEGER,
    first INTEGER NOT NULL, passages INTEGER NOT NULL, length INTEGER NOT NULL);
CREATE INDEX files_by_day ON files(last_day) WHERE last_day IS NOT NULL;
CREATE TABLE passages(
    id INTEGER PRIMARY KEY, file INTEGER NOT NULL, ordinal INTEGER NOT NULL, start INTEGER NOT NULL,
    end INTEGER NOT NULL, section INTEGER NOT NULL, headings NOT NULL, title NOT NULL,
    body NOT NULL, others NOT NULL, length INTEGER NOT NULL, traits INTEGER NOT NULL,
    bold INTEGER NOT NULL, day INTEGER, copy INTEGER NOT NULL, digest BLOB NOT NULL);
CREATE INDEX passages_by_digest ON passages(digest);
CREATE TABLE sections(
    file INTEGER NOT NULL, ordinal INTEGER NOT NULL, level INTEGER NOT NULL, title NOT NULL, parents NOT NULL,
    first INTEGER NOT NULL, last INTEGER NOT NULL, tree_last INTEGER NOT NULL, heading_lines INTEGER NOT NULL,
    PRIMARY KEY(file, ordinal)) WITHOUT ROWID;
CREATE TABLE postings(term TEXT NOT NULL, block INTEGER NOT NULL, data BLOB NOT NULL,
    PRIMARY KEY(term, block)) WITHOUT ROWID;
CREATE TABLE workspaces(
    id INTEGER PRIMARY KEY, files INTEGER NOT NULL, passages INTEGER NOT NULL, terms INTEGER NOT NULL);
INSERT INTO workspaces VALUES(1, 0, 0, 0);
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
"""
READ = ("files", "passages", "sections", "postings", "meta")
"""The tables that are read by these names, in braces; ``{db}`` and ``{own}`` are for statements that change them."""
_NAMES = {name: name for name in READ}


class SqliteEngine(Database):
    """An open file, or a database in memory for no ``path``."""

    def __init__(self, path: Path | None) -> None:
        super().__init__(path, Schema(_TABLES, VERSION))

    @property
    def tables(self) -> Tables:
        """The tables of the database that is open now."""
        return Tables(self.connection)

    def vectors(self, embedder: Embedder) -> None:
        """None: they are in a file of their own."""

    def take_notices(self) -> list[str]:
        """None: what is derived anew is no news."""
        return []


class Tables:
    """One workspace's notes as they stand in a store: in SQLite, on a connection.

    Ids of passages are given in the order of their lines, file by file, so those of a file, and of a section, follow
    each other. Texts may come as bytes, where they were no UTF-8: see ``restored``. Nothing here judges: what a term
    is worth and who is first is the engine's. A failure is an exception of the driver, which the engine heals.
    """

    names: Mapping[str, str] = MappingProxyType(
        _NAMES | {"db": "", "own": "1", "to": "", "id": "", "number": "1", "any": "= ?"}
    )
    """What the names in braces of a statement stand for, where a store has many workspaces something else."""

    def __init__(self, db: Connection) -> None:
        self.db = db

    def totals(self) -> Totals:
        """How much there is."""
        query = "SELECT files, passages, terms FROM {db}workspaces WHERE id = {number}"
        (row,) = self.rows(query)
        return Totals(*row)

    def postings(self, terms: Sequence[str]) -> Iterable[Record]:
        """Term, block and packed places of each of ``terms``, by term and block."""
        query = "SELECT term, block, data FROM {postings} p WHERE term {any} ORDER BY term, block"
        return self.each(query, terms)

    def terms_like(self, first: str) -> Iterator[str]:
        """The terms that begin with ``first``."""
        query = "SELECT DISTINCT term FROM {postings} p WHERE term >= ? AND term < ?"
        return (restored(row[0]) for row in self.rows(query, first, first + "\U0010ffff"))

    def frequencies(self) -> Mapping[str, int]:
        """In how many passages each term stands."""
        query = "SELECT term, cast(sum(length(data)) / 4 AS bigint) FROM {postings} p GROUP BY term"
        return {restored(term): count for term, count in self.rows(query)}

    def places(self, ids: Sequence[int]) -> Iterable[Record]:
        """The columns ``PLACE`` of these passages."""
        query = f"SELECT {PLACE} FROM {{passages}} p JOIN {{files}} f ON f.id = file"
        # a statement each takes twice as long; no passage is 0, and PostgreSQL refuses an empty list
        return self.rows(f"{query} WHERE p.id IN ({','.join(map(str, (0, *ids)))})")

    def texts(self, ids: Sequence[int]) -> Iterable[Record]:
        """Id, terms of the title and terms of the text of these passages."""
        return self.each("SELECT id, title, body FROM {passages} p WHERE id {any}", ids)

    def passages_of(self, paths: Iterable[str]) -> Iterable[Record]:
        """Path, id, first and last line of each passage of some notes."""
        query = (
            'SELECT path, p.id, start, "end" FROM {files} f JOIN {passages} p'
            " ON p.id BETWEEN f.first AND f.first + f.passages - 1 WHERE path {any} ORDER BY p.id"
        )
        return self.each(query, paths)

    def passages_with(self, digests: Sequence[bytes]) -> Iterable[Record]:
        """Digest and id of the passages whose texts have these digests."""
        return self.each(
            "SELECT digest, id FROM {passages} p WHERE digest {any} ORDER BY id", digests
        )

    def digests(self) -> Iterable[Record]:
        """Path and digest of every passage: those of notes of no day first, then the newest."""
        query = "SELECT path, digest FROM {passages} p JOIN {files} f ON f.id = file"
        return self.rows(f"{query} ORDER BY coalesce(last_day, 1000000) DESC, path, ordinal")

    def files(self) -> Sequence[Record]:
        """Id, path, first and last day, first passage and their number, of every file."""
        return self.rows("SELECT id, path, first_day, last_day, first, passages FROM {files} f")

    def sections_of(self, path: str) -> list[Section] | None:
        """The sections of a note in file order; ``None`` for no such file."""
        # one statement: between two, another process may write the note anew, under another id
        sections = f"SELECT {COLUMNS['sections']} FROM {{sections}} t"
        query = f"SELECT s.* FROM {{files}} f LEFT JOIN ({sections}) s ON s.file = f.id"
        rows = self.rows(f"{query} WHERE f.path = ? ORDER BY s.ordinal", path)
        known = [
            Section(
                ordinal, level, restored(title), tuple(restored(parents).split("\n")[1:]), *lines
            )
            for file, ordinal, level, title, parents, *lines in rows
            if file is not None
        ]
        return known if rows else None

    def newest_day(self, until: int) -> int | None:
        """The last day that a note is of, ``until`` at the latest; ordinals."""
        query = "SELECT max(last_day) FROM {files} f WHERE last_day IS NOT NULL AND last_day <= ?"
        day: int | None = self.rows(query, until)[0][0]
        return day

    def get_meta(self, key: str) -> str | None:
        """What was kept under ``key``."""
        rows = self.rows("SELECT value FROM {meta} m WHERE key = ?", key)
        return restored(rows[0][0]) if rows else None

    def set_meta(self, key: str, value: str) -> None:
        """Keep ``value`` under ``key``."""
        query = (
            "INSERT INTO {db}meta({to}key, value) VALUES({id}?, ?)"
            " ON CONFLICT({to}key) DO UPDATE SET value = excluded.value"
        )
        self.execute(query, key, value)

    def snapshot(self) -> AbstractContextManager[object]:
        """What is read within is of one moment, where the store can do that."""
        return nullcontext()

    def changes(self, found: Iterable[FileStat], seen: Sequence[FileStat] | None) -> Diff:
        """How the files that were ``found`` differ from those that are known, or some of them, where only these were
        ``seen``."""
        query = f"SELECT {LOOKS} FROM {{files}} f"
        if seen is None:
            return diff(self.rows(query), found)
        return diff(self.each(f"{query} WHERE path {{any}}", [file.path for file in seen]), seen)

    def transaction(self) -> AbstractContextManager[None]:
        """All or nothing, and nobody else writes meanwhile."""
        return transaction(self.db)

    def checksums(self, paths: Sequence[str]) -> Mapping[str, int]:
        """The checksum of each of ``paths`` that is known."""
        rows = self.each("SELECT path, checksum FROM {files} f WHERE path {any}", paths)
        return {restored(path): checksum for path, checksum in rows}

    def last_ids(self) -> tuple[int, int]:
        """The highest ids of a file and of a passage."""
        query = (
            "SELECT (SELECT coalesce(max(id), 0) FROM {files} f),"
            " (SELECT coalesce(max(id), 0) FROM {passages} p)"
        )
        ((file, passage),) = self.rows(query)
        return file, passage

    def touch(self, stat: FileStat, read_ns: int, checksum: int) -> None:
        """Note how a file looks now, where its text has this checksum."""
        path, *seen = stat
        query = (
            "UPDATE {db}files SET size = ?, mtime_ns = ?, ctime_ns = ?, read_ns = ?"
            " WHERE {own} AND path = ? AND checksum = ?"
        )
        self.execute(query, *seen, read_ns, path, checksum)

    def remove(self, path: str) -> Sequence[Record]:
        """Take out a file, if it is known: id, terms of the text and others of each of its passages."""
        query = "SELECT id, first, passages, length FROM {files} f WHERE path = ?"
        rows: Sequence[Record] = ()
        for file, first, count, *more in self.rows(query, path):
            span = first, first + count - 1
            query = "SELECT id, body, others FROM {passages} p WHERE id BETWEEN ? AND ? ORDER BY id"
            rows = self.rows(query, *span)
            self.execute("DELETE FROM {db}passages WHERE {own} AND id BETWEEN ? AND ?", *span)
            self.execute("DELETE FROM {db}sections WHERE {own} AND file = ?", file)
            self.execute("DELETE FROM {db}files WHERE {own} AND id = ?", file)
            self.add_totals(-number for number in (1, count, *more))
        return rows

    def block(self, number: int, terms: Sequence[str]) -> Mapping[str, bytes]:
        """The packed places of ``terms`` in one block."""
        query = "SELECT term, data FROM {postings} p WHERE term {any} AND block = ?"
        return {restored(term): data for term, data in self.each(query, terms, number)}

    def replace_block(self, number: int, former: Iterable[str], data: Mapping[str, bytes]) -> None:
        """Replace the packed places of the terms ``former`` in one block."""
        query = "DELETE FROM {db}postings WHERE {own} AND term {any} AND block = ?"
        list(self.each(query, former, number))
        rows = [(term, number, value) for term, value in data.items() if value]
        self.insert("postings", rows)

    def insert(self, table: str, rows: Iterable[Record]) -> None:
        """Add rows of its ``COLUMNS``."""
        marks = ", ".join("?" for _ in COLUMNS[table].split(","))
        query = f"INSERT INTO {table}({COLUMNS[table]}) VALUES({marks})"
        self.db.executemany(query, map(_row, rows))

    def add_totals(self, numbers: Iterable[int]) -> None:
        """Add to the numbers of :meth:`totals`."""
        query = (
            "UPDATE {db}workspaces SET files = files + ?, passages = passages + ?,"
            " terms = terms + ? WHERE id = {number}"
        )
        self.execute(query, *numbers)

    def rows(self, query: str, *values: object) -> Sequence[Record]:
        """The rows of a query."""
        rows: list[Record] = self.execute(query, *values).fetchall()
        return rows

    def each(self, query: str, values: Iterable[object], *more: object) -> Iterable[Record]:
        """The rows of a query for each of ``values``, where it says ``{any}``."""
        query = query.format_map(self.names)
        for value in values:  # who asks may stop at the first
            yield from self.db.execute(query, _row((value, *more)))

    def execute(self, query: str, *values: object) -> Any:
        """What becomes of a statement."""
        return self.db.execute(query.format_map(self.names), _row(values))


def _row(record: Record) -> list[object]:
    return [storable(value) if isinstance(value, str) else value for value in record]
