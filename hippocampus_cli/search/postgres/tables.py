"""The tables of one workspace in PostgreSQL: the same rows as in SQLite, and one trip for all values of a statement.

Every statement names the workspace, and row level security keeps a role to its own ones besides.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from hippocampus_cli.errors import ExtraMissing, StoreUnavailable
from hippocampus_cli.markdown.lines import encode
from hippocampus_cli.search.sqlite_tables import COLUMNS, READ, Tables

if TYPE_CHECKING:
    import psycopg

    from hippocampus_cli.search.tables import Record

LOCK = 0x68697070  # of advisory locks, beside the number of a workspace


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


class PostgresTables(Tables):
    """Those of the workspace with this ``id``, in its rows of the tables that all share."""

    def __init__(self, connection: psycopg.Connection[Any], id: int) -> None:
        self.connection = connection
        self.id = id
        self.names = {
            name: f"(SELECT * FROM hippo.{name} WHERE workspace = {id})" for name in READ
        } | {
            "db": "hippo.",
            "own": f"workspace = {id}",
            "to": "workspace, ",
            "id": f"{id}, ",
            "number": str(id),
            "any": "= ANY(%b)",
        }

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        query = "BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT FROM hippo.workspaces WHERE id = "
        try:
            cursor = self.connection.execute(f"{query}{self.id}")
            cursor.nextset()
            if not cursor.rowcount:
                raise StoreUnavailable(reason="the workspace was removed from it")
            yield
        finally:
            self.connection.execute("COMMIT")

    @contextmanager
    def transaction(self) -> Iterator[None]:
        with self.connection.transaction():
            self.connection.execute("SELECT pg_advisory_xact_lock(%s, %s)", (LOCK, self.id))
            yield
            # a row that is gone tells that the workspace was removed
            query = "UPDATE hippo.workspaces SET version = version + 1 WHERE id = {number}"
            if not self.execute(query).rowcount:
                raise StoreUnavailable(reason="the workspace was removed from it")

    def insert(self, table: str, rows: Iterable[Record]) -> None:
        """Add rows in one statement: an array a column."""
        values = [list(map(_value, column)) for column in zip(*rows, strict=True)]
        is_text = [any(isinstance(each, bytes) for each in column) for column in values]
        arrays = ", ".join("?::bytea[]" if text else "?::bigint[]" for text in is_text)
        query = f"INSERT INTO hippo.{table}(workspace, {COLUMNS[table]}) SELECT {self.id}, * FROM unnest({arrays})"
        if values:
            self.execute(query, *values)

    def each(self, query: str, values: Iterable[object], *more: object) -> Iterable[Record]:
        array = list(map(_value, values))
        cursor = self._run(query, array, *more) if array else None
        return cursor if cursor and cursor.description else ()

    def execute(self, query: str, *values: object) -> Any:
        return self._run(query, *map(_value, values))

    def _run(self, query: str, *values: object) -> psycopg.Cursor[Any]:
        query = query.format_map(self.names).replace("?", "%s")
        return self.connection.execute(query, values, binary=True)


def _value(value: object) -> object:
    """A value as the tables have it: texts are bytes."""
    return encode(value) if isinstance(value, str) else value
