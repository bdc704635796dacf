"""The lookup database: made from the anchors' files, so that a lookup reads no more than it needs (decision D17).

It also holds the stems of every chunk, and with an embedder their vectors. Deleting it costs time only.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple, TypeVar

from hippocampus_cli.anchors.chunks import Chunk, TokenizedChunk
from hippocampus_cli.anchors.extract import Anchor, keys_of
from hippocampus_cli.anchors.index import AnchorIndexed, Entry, FileRecord
from hippocampus_cli.text.tokenizer import TOKENS_VERSION
from hippocampus_cli.workspace.database import (
    Database,
    Schema,
    create_tables,
    restored,
    storable,
)
from hippocampus_cli.workspace.file_table import COLUMNS, UNKNOWN, Seen

_T = TypeVar("_T")
VERSION = 3

# One row of `texts` a chunk, under the chunk's id. The tokenizer only has to split at white space.
_TABLES = f"""
CREATE TABLE files(
    {COLUMNS}, hash TEXT NOT NULL, updated INTEGER NOT NULL);
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
_BATCH = 500  # values in one SQL statement


def _refuse(connection: sqlite3.Connection) -> None:
    raise sqlite3.DatabaseError("its files are sooner read again than it is looked at")


_SCHEMA = Schema(_TABLES, VERSION * 10_000 + TOKENS_VERSION, "texts", _refuse)


def open_database(path: Path | None) -> Database:
    """The database at ``path``, empty for a new one; in memory for ``None`` and where no file can be kept."""
    return Database(path, _SCHEMA)


def batches(values: Sequence[_T]) -> Iterator[Sequence[_T]]:
    """``values`` in parts that one statement takes."""
    for start in range(0, len(values), _BATCH):
        yield values[start : start + _BATCH]


def marks(values: Sequence[object]) -> str:
    """A place for each of ``values`` in a statement."""
    return ",".join("?" * len(values))


class Known(NamedTuple):
    """How a file looked, and the hash of its text."""

    seen: Seen
    hash: str


class FileText(NamedTuple):
    """A file's chunks with their stems, and their vectors as bytes where there is an embedder."""

    seen: Seen
    chunks: Sequence[Chunk]
    words: Sequence[TokenizedChunk]
    vectors: Sequence[bytes] = ()


class LookupDatabase:
    """The tables of an open one; every writing method wants a transaction around it."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self._frequency = cache(self._frequency_of)
        self._chunks: int | None = None

    def fact(self, key: str) -> str | None:
        """What was kept under ``key``."""
        row = self.connection.execute("SELECT value FROM facts WHERE key = ?", (key,)).fetchone()
        return None if row is None else str(row[0])

    def keep(self, key: str, value: str) -> None:
        """Keep ``value`` under ``key``."""
        self.connection.execute("INSERT OR REPLACE INTO facts VALUES(?, ?)", (key, value))

    # -- as a lexicon

    @property
    def chunks(self) -> int:
        """Chunks whose text is known."""
        if self._chunks is None:
            query = "SELECT count(*) FROM chunks JOIN files ON files.id = file WHERE size >= 0"
            self._chunks = int(self.connection.execute(query).fetchone()[0])
        return self._chunks

    def frequency(self, stem: str) -> int:
        """In how many chunks ``stem`` stands."""
        return self._frequency(stem)

    def holding(self, stems: Iterable[str], most: int) -> Sequence[Collection[str]]:
        """The stems of ``most`` chunks that hold all of ``stems``."""
        query = "SELECT body, place FROM texts WHERE texts MATCH ? LIMIT ?"
        wanted = " AND ".join(map(_quoted, stems))
        return [
            TokenizedChunk(*row).stems for row in self.connection.execute(query, (wanted, most))
        ]

    def _frequency_of(self, stem: str) -> int:
        query = "SELECT doc FROM vocabulary WHERE term = ?"
        row = self.connection.execute(query, (stem,)).fetchone()
        return int(row[0]) if row else 0

    # -- reading

    def seen(self, paths: Sequence[str] | None = None) -> dict[str, Known]:
        """What is known of these files, or of all of them, by path."""
        query = "SELECT path, size, mtime_ns, read_ns, ctime_ns, hash FROM files"
        rows = [] if paths is not None else self.connection.execute(query).fetchall()
        for batch in batches([storable(one) for one in paths or ()]):
            where = f"{query} WHERE path IN ({marks(batch)})"
            rows += self.connection.execute(where, batch).fetchall()
        return {restored(path): Known(Seen(*stat), hash_) for path, *stat, hash_ in rows}

    def has_key(self, key: str) -> bool:
        """Whether an anchor is met by ``key``."""
        query = "SELECT 1 FROM keys WHERE key = ?"
        return self.connection.execute(query, (key,)).fetchone() is not None

    def counts(self) -> tuple[int, int, int, int]:
        """Anchors, those of several words, chunks and files."""
        queries = (
            "SELECT count(*) FROM anchors",
            "SELECT count(*) FROM anchors WHERE instr(text, ' ')",
            "SELECT count(*) FROM chunks",
            "SELECT count(*) FROM files",
        )
        one, two, three, four = (self.connection.execute(one).fetchone()[0] for one in queries)
        return one, two, three, four

    def alike(self, stems: Iterable[str], most: int) -> list[int]:
        """The ids of the chunks that hold some of ``stems``, the best of them by BM25."""
        query = "SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY rank, rowid LIMIT ?"
        wanted = " OR ".join(map(_quoted, stems))
        return [row[0] for row in self.connection.execute(query, (wanted, most))]

    def entry_and_words(self, chunk: int) -> tuple[Entry, TokenizedChunk]:
        """A chunk as an entry without a score, and its stems."""
        query = (
            "SELECT path, first, last, source, preview, body, place FROM chunks JOIN files"
            " ON files.id = file JOIN texts ON texts.rowid = chunks.id WHERE chunks.id = ?"
        )
        path, first, last, source, preview, body, place = self.connection.execute(
            query, (chunk,)
        ).fetchone()
        entry = Entry(restored(path), first, last, 0.0, source, restored(preview))
        return entry, TokenizedChunk(body, place)

    # -- writing

    def fill(self, index: AnchorIndexed, texts: Mapping[str, FileText]) -> None:
        """Make it the twin of ``index``; a file without a text in ``texts`` is kept as unknown."""
        create_tables(self.connection, _SCHEMA)
        previews = {one.place: one for entries in index.lists.values() for one in entries}
        for path, record in sorted(index.files.items()):
            self._add_file(path, record, texts.get(path), previews)
        self._forget_counts()
        chunks = self._chunk_ids()
        for text, anchor in sorted(index.anchors.items()):
            self._set_list(anchor, index.lists.get(text, ()), chunks)

    def replace_file(self, path: str, record: FileRecord | None, text: FileText | None) -> None:
        """Forget a file with its chunks, and what lists hold of them; then add it as it is, if it is."""
        row = self.connection.execute(
            "SELECT id FROM files WHERE path = ?", (storable(path),)
        ).fetchone()
        if row:
            ids = "SELECT id FROM chunks WHERE file = ?"
            for query in (
                f"DELETE FROM texts WHERE rowid IN ({ids})",
                f"DELETE FROM entries WHERE chunk IN ({ids})",
                "DELETE FROM chunks WHERE file = ?",
                "DELETE FROM files WHERE id = ?",
            ):
                self.connection.execute(query, row)
        if record is not None:
            self._add_file(path, record, text, {})
        self._forget_counts()

    def replace_lists(self, before: Mapping[str, Sequence[Entry]], after: AnchorIndexed) -> None:
        """Bring the lists that are other than ``before`` in step, and those of new anchors."""
        chunks = self._chunk_ids()
        for text, entries in sorted(after.lists.items()):
            if entries is not before.get(text):
                self._set_list(after.anchors[text], entries, chunks)

    def look_again(self, path: str, seen: Seen) -> None:
        """Keep how an unchanged file looks now."""
        query = "UPDATE files SET size = ?, mtime_ns = ?, read_ns = ?, ctime_ns = ? WHERE path = ?"
        self.connection.execute(query, (*seen, storable(path)))

    def _add_file(
        self,
        path: str,
        record: FileRecord,
        text: FileText | None,
        previews: Mapping[tuple[str, int, int], Entry],
    ) -> None:
        seen = text.seen if text else Seen(UNKNOWN, 0, 0)
        row = (storable(path), *seen, record.hash, record.updated)
        file = self.connection.execute(
            "INSERT INTO files VALUES(NULL,?,?,?,?,?,?,?)", row
        ).lastrowid
        for at, span in enumerate(record.chunks):
            listed = previews.get((path, *span))
            source, preview = (listed.source, listed.preview) if listed else ("", "")
            if text:
                source, preview = text.chunks[at].source, text.chunks[at].preview
            vector = text.vectors[at] if text and text.vectors else None
            values = (file, *span, source, storable(preview), vector)
            chunk = self.connection.execute("INSERT INTO chunks VALUES(NULL,?,?,?,?,?,?)", values)
            words = text.words[at] if text else TokenizedChunk("", "")
            insert = "INSERT INTO texts(rowid, body, place) VALUES(?, ?, ?)"
            self.connection.execute(insert, (chunk.lastrowid, *words))

    def _set_list(
        self, anchor: Anchor, entries: Sequence[Entry], chunks: Mapping[tuple[str, int], int]
    ) -> None:
        self.drop_anchor(anchor.text)
        insert = "INSERT INTO anchors VALUES(NULL, ?, ?)"
        number = self.connection.execute(insert, (storable(anchor.text), anchor.kind)).lastrowid
        keys = [(key, number) for key in keys_of(anchor.text)]
        self.connection.executemany("INSERT OR IGNORE INTO keys VALUES(?, ?)", keys)
        rows = [(number, chunks[one.path, one.line], one.score) for one in entries]
        self.connection.executemany("INSERT INTO entries VALUES(?, ?, ?)", rows)

    def drop_anchor(self, text: str) -> None:
        """Forget an anchor and its list."""
        row = self.connection.execute(
            "SELECT id FROM anchors WHERE text = ?", (storable(text),)
        ).fetchone()
        if row:
            self.connection.execute("DELETE FROM entries WHERE anchor = ?", row)
            for key in keys_of(text):
                self.connection.execute(
                    "DELETE FROM keys WHERE key = ? AND anchor = ?", (key, *row)
                )
            self.connection.execute("DELETE FROM anchors WHERE id = ?", row)

    def _chunk_ids(self) -> dict[tuple[str, int], int]:
        rows = self.connection.execute(
            "SELECT path, first, chunks.id FROM chunks JOIN files ON files.id = file"
        )
        return {(restored(path), first): chunk for path, first, chunk in rows}

    def _forget_counts(self) -> None:
        self._frequency.cache_clear()
        self._chunks = None


def _quoted(stem: str) -> str:
    return f'"{stem}"'
