"""The tables of one workspace in PostgreSQL: the same rows as in SQLite, and as many statements as it takes trips.

Every statement names the workspace, and row level security keeps a role to its own ones besides.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from hippocampus_cli.errors import ExtraMissing, StoreUnavailable
from hippocampus_cli.markdown.lines import encode
from hippocampus_cli.search.sqlite_tables import FILES, PASSAGES, PLACE, SECTIONS
from hippocampus_cli.workspace.database import restored
from hippocampus_cli.workspace.file_table import Diff, FileStat, diff, is_fresh

if TYPE_CHECKING:
    import psycopg

    from hippocampus_cli.search.tables import Record

LOCK = 0x68697070  # of advisory locks, beside the number of a workspace
_MOST_KEPT = 10_000
_MOST_TERMS = 500
_NO_TEXT = -1  # in the place of a checksum
_TYPES = {
    "path": "bytea",
    "kind": "text",
    "headings": "bytea",
    "title": "bytea",
    "body": "bytea",
    "others": "bytea",
    "digest": "bytea",
    "parents": "bytea",
}
"""Of columns that are no numbers."""


@contextmanager
def told() -> Iterator[None]:
    """Within, what psycopg raises is a :class:`StoreUnavailable`, and its absence an :class:`ExtraMissing`."""
    try:
        import psycopg
    except ImportError as error:
        raise ExtraMissing(feature="the store in PostgreSQL", extra="postgres") from error
    try:
        yield
    except psycopg.Error as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        raise StoreUnavailable(reason=reason) from error


class PostgresTables:
    """:class:`~hippocampus_cli.search.tables.Tables` of the workspace with this ``id``."""

    def __init__(self, connection: psycopg.Connection[Any], id: int) -> None:
        self.connection = connection
        self.id = id
        self._version = -1
        self._totals: Record = (0, 0, 0, 0, 0)
        self._kept: dict[Any, Any] = {}

    def totals(self) -> Record:
        return self._totals

    def postings(self, terms: Sequence[str]) -> Iterator[Record]:
        known = self._kept.setdefault("postings", {})
        if len(known) > _MOST_TERMS:  # a process that stays would come to hold them all
            known.clear()
        lacking = [term for term in terms if term not in known]
        if lacking:
            query = (
                "SELECT term, block, data FROM hippo.postings"
                " WHERE workspace = %s AND term = ANY(%s) ORDER BY term, block"
            )
            known |= {term: [] for term in lacking}
            for term, block, data in self.rows(query, list(map(encode, lacking))):
                text = term.decode()
                known[text].append((text, block, data))
        for term in terms:
            yield from known[term]

    def terms_like(self, first: str) -> Iterator[str]:
        query = (
            "SELECT DISTINCT term FROM hippo.postings"
            " WHERE workspace = %s AND term >= %s AND term < %s"
        )
        rows = self.rows(query, encode(first), encode(first) + b"\xff")
        return (row[0].decode() for row in rows)

    def frequencies(self) -> Mapping[str, int]:
        query = "SELECT term, sum(length(data)) / 4 FROM hippo.postings WHERE workspace = %s GROUP BY term"
        return {term.decode(): int(count) for term, count in self.rows(query)}

    def places(self, ids: Sequence[int]) -> Iterable[Record]:
        query = (
            f"SELECT {PLACE} FROM hippo.passages p JOIN hippo.files f"
            " ON f.workspace = p.workspace AND f.id = p.file"
            " WHERE p.workspace = %s AND p.id = ANY(%s)"
        )
        return self.rows(query, list(ids)) if ids else ()

    def texts(self, ids: Sequence[int]) -> Iterable[Record]:
        query = (
            "SELECT id, title, body FROM hippo.passages"
            " WHERE workspace = %s AND id = ANY(%s) ORDER BY id"
        )
        return self.rows(query, list(ids)) if ids else ()

    def passages_of(self, path: str) -> Iterable[Record]:
        query = (
            'SELECT p.id, start, "end" FROM hippo.files f JOIN hippo.passages p'
            " ON p.workspace = f.workspace AND p.id BETWEEN f.first AND f.first + f.passages - 1"
            " WHERE f.workspace = %s AND path = %s"
        )
        return self.rows(query, encode(path))

    def passages_with(self, digests: Sequence[bytes]) -> Iterable[Record]:
        query = "SELECT digest, id FROM hippo.passages WHERE workspace = %s AND digest = ANY(%s)"
        return self.rows(f"{query} ORDER BY id", list(digests)) if digests else ()

    def digests(self) -> Iterable[Record]:
        query = (
            "SELECT path, ordinal, p.digest FROM hippo.passages p JOIN hippo.files f"
            " ON f.workspace = p.workspace AND f.id = p.file WHERE p.workspace = %s"
            " ORDER BY f.kind != 'config', last_day DESC NULLS LAST, path, ordinal"
        )
        return self.rows(query)

    def files(self) -> Iterator[Record]:
        return ((row[0], path, *row[7:12]) for path, row in self._files().items())

    def paths_without_text(self) -> Iterator[str]:
        return (path for path, row in self._files().items() if row[6] == _NO_TEXT)

    def sections_of(self, path: str) -> Sequence[Record] | None:
        columns = ", ".join(f"s.{name}" for name in SECTIONS.split(", "))
        query = (
            f"SELECT {columns} FROM hippo.files f LEFT JOIN hippo.sections s"
            " ON s.workspace = f.workspace AND s.file = f.id"
            " WHERE f.workspace = %s AND path = %s ORDER BY ordinal"
        )
        rows = self.rows(query, encode(path))
        return [row for row in rows if row[0] is not None] if rows else None

    def dates_of(self, path: str) -> Record | None:
        row = self._files().get(path)
        return row and (row[9], row[3])

    def newest_day(self, until: int) -> int | None:
        if until not in self._kept:
            days = (row[9] for row in self._files().values() if row[9] is not None)
            self._kept[until] = max((day for day in days if day <= until), default=None)
        day: int | None = self._kept[until]
        return day

    def get_meta(self, key: str) -> str | None:
        query = "SELECT value FROM hippo.meta WHERE workspace = %s AND key = %s"
        return next((restored(row[0]) for row in self.rows(query, key)), None)

    def set_meta(self, key: str, value: str) -> None:
        query = (
            "INSERT INTO hippo.meta(workspace, key, value) VALUES(%s, %s, %s)"
            " ON CONFLICT(workspace, key) DO UPDATE SET value = excluded.value"
        )
        self.execute(query, key, encode(value))

    def kept(self) -> dict[Any, Any]:
        return self._kept

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        with self.connection.transaction():
            self.connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            self._look()
            yield

    def changes(self, found: Sequence[FileStat]) -> Diff:
        self._look()
        files = self._files()
        known = [(path, row[2], row[3], row[5]) for path, row in files.items()]
        fresh = {path for path, row in files.items() if is_fresh(row[3], row[4])}
        return diff(known, found, fresh=fresh)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        with self.connection.transaction():
            self.connection.execute("SELECT pg_advisory_xact_lock(%s, %s)", (LOCK, self.id))
            yield
            query = "UPDATE hippo.workspaces SET version = version + 1 WHERE id = %s"
            if not self.execute(query).rowcount:
                raise StoreUnavailable(reason="the workspace was removed from it")
        self._version = -1

    def checksums(self, paths: Sequence[str]) -> Mapping[str, int]:
        files = self._files()
        return {path: files[path][6] for path in paths if path in files}

    def last_ids(self) -> tuple[int, int]:
        query = (
            "SELECT coalesce((SELECT max(id) FROM hippo.files WHERE workspace = w.id), 0),"
            " coalesce((SELECT max(id) FROM hippo.passages WHERE workspace = w.id), 0)"
            " FROM hippo.workspaces w WHERE id = %s"
        )
        file, passage = next(iter(self.rows(query)), (0, 0))
        return file, passage

    def touch(self, path: str, checksum: int, seen: Record) -> bool:
        query = (
            "UPDATE hippo.files SET size = %s, mtime_ns = %s, read_ns = %s, ctime_ns = %s"
            " WHERE workspace = %s AND path = %s AND checksum = %s"
        )
        values = (*seen, self.id, encode(path), checksum)
        return bool(self.connection.execute(query, values).rowcount > 0)

    def remove(self, path: str) -> tuple[Record, Sequence[Record]] | None:
        query = (
            "DELETE FROM hippo.files WHERE workspace = %s AND path = %s"
            " RETURNING id, first, sections, passages, length, heads"
        )
        known = next(iter(self.rows(query, encode(path))), None)
        if known is None:
            return None
        file, first, *numbers = known
        query = (
            "DELETE FROM hippo.passages WHERE workspace = %s AND id BETWEEN %s AND %s"
            " RETURNING id, body, others"
        )
        rows = self.rows(query, first, first + numbers[1] - 1)
        query = "DELETE FROM hippo.sections WHERE workspace = %s AND file = %s"
        self.execute(query, file)
        return (1, *numbers), sorted(rows, key=itemgetter(0))

    def block(self, number: int, terms: Sequence[str], size: int) -> Mapping[str, bytes]:
        query = (
            "SELECT term, data FROM hippo.postings"
            " WHERE workspace = %s AND block = %s AND term = ANY(%s)"
        )
        rows = self.rows(query, number, list(map(encode, terms)))
        return {term.decode(): data for term, data in rows}

    def replace_block(self, number: int, data: Mapping[str, bytes]) -> None:
        gone = [encode(term) for term, value in data.items() if not value]
        if gone:
            query = (
                "DELETE FROM hippo.postings WHERE workspace = %s AND block = %s AND term = ANY(%s)"
            )
            self.execute(query, number, gone)
        kept = [(encode(term), value) for term, value in data.items() if value]
        query = (
            "INSERT INTO hippo.postings(workspace, block, term, data)"
            " SELECT %s, %s, * FROM unnest(%s::bytea[], %s::bytea[])"
            " ON CONFLICT(workspace, term, block) DO UPDATE SET data = excluded.data"
        )
        if kept:
            terms, values = zip(*kept, strict=True)
            self.execute(query, number, list(terms), list(values))

    def insert(
        self, files: Sequence[Record], sections: Iterable[Record], passages: Iterable[Record]
    ) -> None:
        self._insert("files", FILES, files)
        self._insert("sections", SECTIONS, sections)
        self._insert("passages", PASSAGES, passages)

    def add_totals(self, numbers: Sequence[int]) -> None:
        query = (
            "UPDATE hippo.workspaces SET files = files + %s, sections = sections + %s,"
            " passages = passages + %s, terms = terms + %s, heads = heads + %s WHERE id = %s"
        )
        self.connection.execute(query, (*numbers, self.id))

    def _files(self) -> dict[str, Record]:
        """The columns ``FILES`` of every file, by path and in its order; asked for once a version."""
        if "files" not in self._kept:
            query = f"SELECT {FILES} FROM hippo.files WHERE workspace = %s ORDER BY path"
            self._kept["files"] = {restored(row[1]): row for row in self.rows(query)}
        files: dict[str, Record] = self._kept["files"]
        return files

    def _insert(self, table: str, columns: str, rows: Iterable[Record]) -> None:
        """Add rows in one statement: an array a column."""
        types = [_TYPES.get(name, "bigint") for name in columns.replace('"', "").split(", ")]
        values = [
            [encode(each) if kind == "bytea" and isinstance(each, str) else each for each in column]
            for kind, column in zip(types, zip(*rows, strict=True), strict=False)
        ]
        arrays = ", ".join(f"%s::{kind}[]" for kind in types)
        query = (
            f"INSERT INTO hippo.{table}(workspace, {columns}) SELECT %s, * FROM unnest({arrays})"
        )
        if values:
            self.execute(query, *values)

    def _look(self) -> None:
        """See whether anybody has written since the last look, and forget then what was kept."""
        query = (
            "SELECT version, files, sections, passages, terms, heads FROM hippo.workspaces"
            " WHERE id = %s"
        )
        rows = self.rows(query)
        if not rows:
            raise StoreUnavailable(reason="the workspace was removed from it")
        version, *totals = rows[0]
        if version != self._version or len(self._kept) > _MOST_KEPT:
            self._version, self._kept = version, {}
        self._totals = totals

    def rows(self, query: str, *values: object) -> list[Record]:
        """The rows of a query whose first value is the workspace."""
        return list(self.execute(query, *values).fetchall())

    def execute(self, query: str, *values: object) -> psycopg.Cursor[Any]:
        """What becomes of a statement whose first value is the workspace."""
        return self.connection.execute(query, (self.id, *values), binary=True)
