"""The store in one SQLite file that can be rebuilt from the notes (decision D17): what a person needs, and no more.

``files`` is hippo's file table; ``passages`` has a row a passage; ``postings`` says which passages hold a term
(:mod:`~hippocampus_cli.search.postings`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hippocampus_cli.text.terms import TERMS_VERSION
from hippocampus_cli.workspace.database import (
    Connection,
    Database,
    Schema,
    restored,
    storable,
    transaction,
)
from hippocampus_cli.workspace.file_table import COLUMNS as FILE_COLUMNS
from hippocampus_cli.workspace.file_table import Diff, FileStat, changes

if TYPE_CHECKING:
    from hippocampus_cli.embedding.embedder import Embedder
    from hippocampus_cli.search.tables import Record

FILES = (
    "id, path, size, mtime_ns, read_ns, ctime_ns, checksum, kind, first_day, last_day, first,"
    " passages, sections, length, heads"
)
PASSAGES = (
    'id, file, ordinal, start, "end", section, kind, headings, title, body, others, length,'
    " section_first, section_last, section_length, traits, bold, day, copy, digest"
)
SECTIONS = "file, ordinal, level, title, parents, first, last, tree_last, heading_lines"
PLACE = (
    "p.id, f.path, f.kind, first_day, last_day, first, passages, f.length, p.ordinal, start,"
    ' "end", section, p.kind, headings, title, body, p.length, section_first, section_last,'
    " section_length, traits, bold, day, copy, digest"
)
"""The columns of the tables in their order, and those of a :class:`~hippocampus_cli.search.candidates.Place`."""
FILE_ROW = "id, path, kind, first_day, last_day, first, passages"
VERSION = 24 * 10_000 + TERMS_VERSION  # above those of the full-text caches that had this name
_TABLES = f"""
CREATE TABLE files(
    {FILE_COLUMNS}, checksum INTEGER NOT NULL, kind TEXT NOT NULL, first_day INTEGER, last_day INTEGER,
    first INTEGER NOT NULL, passages INTEGER NOT NULL, sections INTEGER NOT NULL, length INTEGER NOT NULL,
    heads INTEGER NOT NULL);
CREATE INDEX files_by_day ON files(last_day) WHERE last_day IS NOT NULL;
CREATE INDEX files_without_text ON files(path) WHERE checksum = -1;
CREATE TABLE passages(
    id INTEGER PRIMARY KEY, file INTEGER NOT NULL, ordinal INTEGER NOT NULL, start INTEGER NOT NULL,
    end INTEGER NOT NULL, section INTEGER NOT NULL, kind TEXT NOT NULL, headings NOT NULL, title NOT NULL,
    body NOT NULL, others NOT NULL, length INTEGER NOT NULL, section_first INTEGER NOT NULL,
    section_last INTEGER NOT NULL, section_length INTEGER NOT NULL, traits INTEGER NOT NULL,
    bold INTEGER NOT NULL, day INTEGER, copy INTEGER NOT NULL, digest BLOB NOT NULL);
CREATE INDEX passages_by_digest ON passages(digest);
CREATE TABLE sections(
    file INTEGER NOT NULL, ordinal INTEGER NOT NULL, level INTEGER NOT NULL, title NOT NULL, parents NOT NULL,
    first INTEGER NOT NULL, last INTEGER NOT NULL, tree_last INTEGER NOT NULL, heading_lines INTEGER NOT NULL,
    PRIMARY KEY(file, ordinal)) WITHOUT ROWID;
CREATE TABLE postings(term TEXT NOT NULL, block INTEGER NOT NULL, data BLOB NOT NULL,
    PRIMARY KEY(term, block)) WITHOUT ROWID;
CREATE TABLE totals(
    files INTEGER NOT NULL, sections INTEGER NOT NULL, passages INTEGER NOT NULL, terms INTEGER NOT NULL,
    heads INTEGER NOT NULL);
INSERT INTO totals VALUES(0, 0, 0, 0, 0);
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
"""


class SqliteEngine:
    """An open file, or a database in memory for no ``path``. One that is damaged, locked for long or on a read-only
    medium never fails a search (:class:`~hippocampus_cli.workspace.database.Database`)."""

    def __init__(self, path: Path | None) -> None:
        self._database = Database(path, Schema(_TABLES, VERSION))

    @property
    def generation(self) -> int:
        """How often the database was replaced by another."""
        return self._database.generation

    @property
    def connection(self) -> SqliteTables:
        """The tables of the database that is open now."""
        return SqliteTables(self._database.connection)

    def heal(self, error: Exception, failed: int) -> None:
        """As :meth:`Database.heal`."""
        self._database.heal(error, failed)

    def vectors(self, embedder: Embedder) -> None:
        """None: they are in a file of their own."""

    def take_notices(self) -> list[str]:
        """None: what is derived anew is no news."""
        return []

    def close(self) -> None:
        """Let go of the file."""
        self._database.close()


class SqliteTables:
    """:class:`~hippocampus_cli.search.tables.Tables` on a connection."""

    def __init__(self, db: Connection) -> None:
        self.db = db

    def totals(self) -> Record:
        """The numbers of files, sections and passages, and of terms in texts and in headings."""
        row: Record = self._first("SELECT * FROM totals")
        return row

    def postings(self, terms: Sequence[str]) -> Iterator[Record]:
        """Term, block and packed places of each of ``terms``, by term and block."""
        query = "SELECT term, block, data FROM postings WHERE term = ? ORDER BY block"
        for term in terms:
            yield from self.db.execute(query, (term,))

    def terms_like(self, first: str) -> Iterator[str]:
        """The terms that begin with ``first``."""
        query = "SELECT DISTINCT term FROM postings WHERE term >= ? AND term < ?"
        return (row[0] for row in self.db.execute(query, (first, first + "\U0010ffff")))

    def frequencies(self) -> Mapping[str, int]:
        """In how many passages each term stands."""
        query = "SELECT term, sum(length(data)) / 4 FROM postings GROUP BY term"
        return dict(self.db.execute(query))

    def places(self, ids: Sequence[int]) -> Iterable[Record]:
        """The columns ``PLACE`` of these passages."""
        query = f"SELECT {PLACE} FROM json_each(?) JOIN passages p ON p.id = value JOIN files f ON f.id = file"
        return self.db.execute(query, (f"[{','.join(map(str, ids))}]",))

    def texts(self, ids: Sequence[int]) -> Iterator[Record]:
        """Id, terms of the title and terms of the text of these passages, in this order."""
        query = "SELECT id, title, body FROM passages WHERE id = ?"
        for passage in ids:  # who asks may stop at the first
            yield from self.db.execute(query, (passage,))

    def passages_of(self, path: str) -> Iterable[Record]:
        """Id, first and last line of each passage of a note."""
        query = (
            "SELECT p.id, start, end FROM files f JOIN passages p"
            " ON p.id BETWEEN f.first AND f.first + f.passages - 1 WHERE path = ?"
        )
        return self.db.execute(query, (storable(path),))

    def passages_with(self, digests: Sequence[bytes]) -> Iterator[Record]:
        """Digest and id of the passages whose texts have these digests."""
        query = "SELECT digest, id FROM passages WHERE digest = ?"
        for digest in digests:
            yield from self.db.execute(query, (digest,))

    def digests(self) -> Iterable[Record]:
        """Path, ordinal and digest of every passage: core files first, then the newest."""
        return self.db.execute(
            "SELECT path, ordinal, p.digest FROM passages p JOIN files f ON f.id = file"
            " ORDER BY f.kind != 'config', last_day DESC, path, ordinal"
        )

    def files(self) -> Iterable[Record]:
        """Id, path, kind, first and last day, first passage and their number, of every file."""
        return self.db.execute(f"SELECT {FILE_ROW} FROM files")

    def paths_without_text(self) -> Iterator[str]:
        """Files that are no notes."""
        query = "SELECT path FROM files WHERE checksum = -1"  # as of the index made for this
        return (restored(row[0]) for row in self.db.execute(query))

    def sections_of(self, path: str) -> Sequence[Record] | None:
        """The sections of a note in file order; ``None`` for no such file."""
        # one statement: between two, another process may write the note anew, under another id
        query = "SELECT s.* FROM files f LEFT JOIN sections s ON s.file = f.id WHERE f.path = ? ORDER BY ordinal"
        rows = self.db.execute(query, (storable(path),)).fetchall()
        return [row for row in rows if row[0] is not None] if rows else None

    def dates_of(self, path: str) -> Record | None:
        """The last day of a file, or ``None``, and when it changed (ns)."""
        query = "SELECT last_day, mtime_ns FROM files WHERE path = ?"
        row: Record | None = self._first(query, storable(path))
        return row

    def newest_day(self, until: int) -> int | None:
        """The last day that a note is of, ``until`` at the latest; ordinals."""
        day: int | None = self._first(
            "SELECT max(last_day) FROM files WHERE last_day IS NOT NULL AND last_day <= ?", until
        )[0]
        return day

    def get_meta(self, key: str) -> str | None:
        """What was kept under ``key``."""
        row = self._first("SELECT value FROM meta WHERE key = ?", storable(key))
        return None if row is None else restored(row[0])

    def set_meta(self, key: str, value: str) -> None:
        """Keep ``value`` under ``key``."""
        query = "INSERT OR REPLACE INTO meta VALUES(?, ?)"
        self.db.execute(query, (storable(key), storable(value)))

    def kept(self) -> dict[Any, Any]:
        """What this process keeps as long as nobody writes to the store."""
        return self.db.kept()

    def snapshot(self) -> AbstractContextManager[object]:
        """What is read within is of one moment, where the store can do that."""
        return nullcontext()

    def changes(self, found: Sequence[FileStat]) -> Diff:
        """How ``found``, sorted by path, differs from the files that are known."""
        return changes(self.db, found)

    def transaction(self) -> AbstractContextManager[None]:
        """All or nothing, and nobody else writes meanwhile."""
        return transaction(self.db)

    def checksums(self, paths: Sequence[str]) -> Mapping[str, int]:
        """The checksum of each of ``paths`` that is known."""
        query = "SELECT checksum FROM files WHERE path = ?"
        rows = ((path, self._first(query, storable(path))) for path in paths)
        return {path: row[0] for path, row in rows if row is not None}

    def last_ids(self) -> tuple[int, int]:
        """The highest ids of a file and of a passage."""
        file, passage = (
            self._first(f"SELECT ifnull(max(id), 0) FROM {table}")[0]
            for table in ("files", "passages")
        )
        return file, passage

    def touch(self, path: str, checksum: int, seen: Record) -> bool:
        """Note how a file looks now (size, mtime, read, ctime); whether there is one with that checksum."""
        query = (
            "UPDATE files SET size = ?, mtime_ns = ?, read_ns = ?, ctime_ns = ?"
            " WHERE path = ? AND checksum = ?"
        )
        return self.db.execute(query, (*seen, storable(path), checksum)).rowcount > 0

    def remove(self, path: str) -> tuple[Record, Sequence[Record]] | None:
        """Take out a file: its numbers as :meth:`add_totals` takes them, and id, terms of the text and others of each
        of its passages; ``None`` for no such file."""
        query = "SELECT id, first, sections, passages, length, heads FROM files WHERE path = ?"
        known = self._first(query, storable(path))
        if known is None:
            return None
        file, first, *numbers = known
        span = first, first + numbers[1] - 1
        query = "SELECT id, body, others FROM passages WHERE id BETWEEN ? AND ?"
        rows = self.db.execute(query, span).fetchall()
        self.db.execute("DELETE FROM passages WHERE id BETWEEN ? AND ?", span)
        self.db.execute("DELETE FROM sections WHERE file = ?", (file,))
        self.db.execute("DELETE FROM files WHERE id = ?", (file,))
        return (1, *numbers), rows

    def block(self, number: int, terms: Sequence[str], size: int) -> Mapping[str, bytes]:
        """The packed places of ``terms`` in one block, of so many ids."""
        # nothing is looked up in a block that is new
        if self._first("SELECT 1 FROM passages WHERE id / ? = ? LIMIT 1", size, number) is None:
            return {}
        query = "SELECT data FROM postings WHERE term = ? AND block = ?"
        rows = ((term, self._first(query, term, number)) for term in terms)
        return {term: row[0] for term, row in rows if row is not None}

    def replace_block(self, number: int, data: Mapping[str, bytes]) -> None:
        """Replace the packed places of these terms in one block; an empty value removes."""
        gone = [(term, number) for term, value in data.items() if not value]
        self.db.executemany("DELETE FROM postings WHERE term = ? AND block = ?", gone)
        kept = [(term, number, value) for term, value in data.items() if value]
        self.db.executemany("INSERT OR REPLACE INTO postings VALUES(?, ?, ?)", kept)

    def insert(
        self, files: Sequence[Record], sections: Iterable[Record], passages: Iterable[Record]
    ) -> None:
        """Add rows of the columns ``FILES``, ``SECTIONS`` and ``PASSAGES``."""
        for table, columns, rows in (
            ("files", FILES, files),
            ("sections", SECTIONS, sections),
            ("passages", PASSAGES, passages),
        ):
            marks = ", ".join("?" for _ in columns.split(","))
            self.db.executemany(f"INSERT INTO {table}({columns}) VALUES({marks})", map(_row, rows))

    def add_totals(self, numbers: Sequence[int]) -> None:
        """Add to the numbers of :meth:`totals`."""
        query = (
            "UPDATE totals SET files = files + ?, sections = sections + ?, passages = passages + ?,"
            " terms = terms + ?, heads = heads + ?"
        )
        self.db.execute(query, numbers)

    def _first(self, query: str, *values: object) -> Any:
        return self.db.execute(query, values).fetchone()


def _row(record: Record) -> list[object]:
    return [storable(value) if isinstance(value, str) else value for value in record]
