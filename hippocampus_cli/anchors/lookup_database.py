"""The lookup database: made from the anchors' files and up to date with them, so that a lookup reads no more than it
needs (decision D17). It also holds the stems of every chunk, and with an embedder their vectors.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from hippocampus_cli.anchors import files
from hippocampus_cli.anchors.chunks import Chunk, TokenizedChunk
from hippocampus_cli.anchors.extract import Anchor, keys_of
from hippocampus_cli.anchors.index import AnchorIndexed, Entry, Facts, FileRecord
from hippocampus_cli.errors import AnchorsNotFound, FileUnwritable
from hippocampus_cli.text.tokenizer import TOKENS_VERSION
from hippocampus_cli.workspace.database import (
    Database,
    Schema,
    create_tables,
    restored,
    storable,
    transaction,
)
from hippocampus_cli.workspace.file_table import COLUMNS, UNKNOWN, Seen
from hippocampus_cli.workspace.lock import locked
from hippocampus_cli.workspace.own_files import ANCHORS_LOCK, CACHE, cache_path

if TYPE_CHECKING:
    from hippocampus_cli.anchors.notebook import Notebook

_T = TypeVar("_T")
TWIN_FILE = f"{CACHE}/anchors.sqlite"
_STAMP, _DIGEST, _FACTS, _VECTORS = "stamp", "digest", "facts", "vectors"
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
        """Bring the lists that are other than ``before`` up to date, and those of new anchors."""
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


class OpenDatabase:
    """The lookup database of the anchors at ``root``, opened when it is first needed."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._database: Database | None = None
        self._twin: LookupDatabase | None = None

    def close(self) -> None:
        """Let go of it."""
        if self._database is not None:
            self._database.close()
            self._database = self._twin = None

    def healed(self, work: Callable[[LookupDatabase], _T]) -> _T:
        """``work`` done on it; done again on another one where this one is of no use."""
        if self._database is None:
            self._database = Database(cache_path(self._root, TWIN_FILE), _SCHEMA)
        before = self._database.generation
        try:
            return self._database.healed(lambda connection: work(self._over(connection)))
        except FileUnwritable as error:
            if error.path != ANCHORS_LOCK or self._database.generation == before:
                raise
            # The disk that was too full for the twin is too full for the lock: the twin is what needs the room.
            raise FileUnwritable(path=TWIN_FILE, reason=self._database.failure) from error

    def _over(self, connection: sqlite3.Connection) -> LookupDatabase:
        if self._twin is None or self._twin.connection is not connection:
            self._twin = LookupDatabase(connection)
        return self._twin


def in_step(root: Path, twin: LookupDatabase, book: Notebook) -> bool:
    """Whether ``twin`` says what the files say, as far as they tell from outside."""
    now = files.stamp(root)
    if now is None or files.is_half_done(root) or twin.fact(_STAMP) != _shown(now):
        return False
    return not _lacks_vectors(twin, book)


def catch_up(root: Path, twin: LookupDatabase, book: Notebook, timeout: float) -> None:
    """Make ``twin`` anew from the files where it is not up to date. ``timeout`` is in seconds.

    Raises :class:`AnchorsNotFound`, :class:`AnchorsDamaged`.
    """
    if in_step(root, twin, book):
        return
    if not files.exists(root):
        raise AnchorsNotFound
    with _alone(root, timeout):
        refill(root, twin, book)


def refill(root: Path, twin: LookupDatabase, book: Notebook) -> None:
    """The same for a caller that holds the lock, or on a read-only medium."""
    with contextlib.suppress(FileUnwritable):
        files.settle(root)
    stamp = files.stamp(root)
    stored = files.read(root)
    digest = files.digest_of(stored)
    with transaction(twin.connection):
        if twin.fact(_DIGEST) != digest or _lacks_vectors(twin, book):
            index = files.parsed(stored)
            twin.fill(index, dict(book.texts(index)))
            describe(twin, index, digest, with_vectors=book.makes_vectors(index.facts.embedder))
        if stamp is not None:
            twin.keep(_STAMP, _shown(stamp))


def describe(
    twin: LookupDatabase, index: AnchorIndexed, digest: str, *, with_vectors: bool
) -> None:
    """Note in ``twin`` what it is the twin of."""
    twin.keep(_FACTS, json.dumps(index.facts._asdict()))
    twin.keep(_DIGEST, digest)
    without = f"without {index.facts.embedder}"
    twin.keep(_VECTORS, "with" if with_vectors else without)


def seal(root: Path, twin: LookupDatabase) -> None:
    """Note in ``twin`` that it is up to date with the files as they are."""
    stamp = files.stamp(root)
    if stamp is not None:
        twin.keep(_STAMP, _shown(stamp))


def facts_of(twin: LookupDatabase) -> Facts:
    """The facts of the index that ``twin`` is the twin of."""
    kept: Mapping[str, object] = json.loads(twin.fact(_FACTS) or "{}")
    return Facts(**kept)  # type: ignore[arg-type]


def version_of(twin: LookupDatabase) -> str | None:
    """What two twins of the same files have in common."""
    return twin.fact(_DIGEST)


def _lacks_vectors(twin: LookupDatabase, book: Notebook) -> bool:
    return bool(book.embedder) and twin.fact(_VECTORS) == f"without {book.embedder}"


@contextlib.contextmanager
def _alone(root: Path, timeout: float) -> Iterator[None]:
    """The lock, where one can be had: a medium that cannot be written has no writers either."""
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(FileUnwritable):
            stack.enter_context(locked(root, timeout, ANCHORS_LOCK))
        yield


def _shown(stamp: files.Stamp) -> str:
    return json.dumps(stamp)
