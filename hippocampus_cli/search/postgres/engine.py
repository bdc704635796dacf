"""The way to a PostgreSQL server: its schema, the workspace there, and the notes of this machine while it is away."""

from __future__ import annotations

import contextlib
import os
import platform
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hippocampus_cli.embedding.embedder import CircuitBreaker
from hippocampus_cli.errors import HippoError, StoreUnavailable
from hippocampus_cli.search.postgres.tables import LOCK, PostgresTables, told
from hippocampus_cli.search.postgres.vectors import PostgresVectors
from hippocampus_cli.search.sqlite_tables import VERSION, SqliteEngine
from hippocampus_cli.workspace.own_files import FORGOTTEN, SHARED
from hippocampus_cli.workspace.state import keep, version_of

if TYPE_CHECKING:
    import psycopg

    from hippocampus_cli.config import Config
    from hippocampus_cli.embedding.embedder import Clock, Embedder
    from hippocampus_cli.search.sqlite_tables import Tables

MIGRATIONS = ("schema.sql", "leaner.sql", "vectors.sql", "files.sql")
"""The scripts that lead from each version of the schema to the next; it has one that is their number."""
_SECONDS = 5  # until a server that does not answer counts as away
_SETTINGS = "SET lock_timeout = '20s'"
_NEAREST = "SET hnsw.ef_search = 400; SET hnsw.iterative_scan = strict_order"
_TRIES = 2


class PostgresEngine:
    """The workspace ``name`` in the database at ``url``, as libpq reads it; while that cannot be used, the SQLite
    file ``path``. What failed is tried again once a minute has passed by ``clock``."""

    def __init__(
        self,
        url: str,
        name: str,
        path: Path | None,
        forgotten: str = "",
        clock: Clock = time.monotonic,
    ) -> None:
        """``forgotten`` stands for what must not be there: rows that were made before it are removed."""
        self.generation = 0
        self._url = url
        self._name = name
        self._path = path
        self._derived = f"{VERSION} {forgotten}"
        self._notices: list[str] = []
        self._pause = CircuitBreaker(clock)
        self._shared: PostgresTables | None = None
        self._local: SqliteEngine | None = None

    @classmethod
    def of(cls, root: Path, config: Config, path: Path | None) -> PostgresEngine:
        """The one that ``config`` names for the workspace at ``root``."""
        store = config.store
        if not (root / SHARED).exists():  # who forgets without the variable is told of it
            keep(root, SHARED, store.url.encode())
        name = store.workspace or f"{platform.node()}:{os.path.realpath(root)}"
        return cls(store.url, name, path, version_of(root, FORGOTTEN))

    @property
    def tables(self) -> Tables:
        """The tables of the server; those of this machine while it is away."""
        if self._shared is None and not self._pause.holds:
            self._open()
        if self._shared is not None:
            return self._shared
        if self._local is None:
            self._local = SqliteEngine(self._path)
        return self._local.tables

    def shared(self) -> PostgresTables:
        """Those of the server. Raises :class:`StoreUnavailable` while it is away."""
        if self.tables is not self._shared or self._shared is None:
            raise StoreUnavailable(reason="it was away a moment ago")
        return self._shared

    def heal(self, error: Exception, failed: int) -> None:
        """Connect anew, and if that did not help, go on with this machine's own. Raises ``error`` where it has
        nothing to do with the server."""
        import psycopg

        if self._shared is None and self._local is not None:
            self._local.heal(error, failed)
        elif failed >= _TRIES or not isinstance(error, psycopg.Error | StoreUnavailable):
            raise error
        elif failed or isinstance(error, psycopg.errors.ReadOnlySqlTransaction):
            self._leave(error)
        else:
            self._let_go()

    def vectors(self, embedder: Embedder) -> PostgresVectors:
        """The vectors there."""
        return PostgresVectors(self, embedder)

    def forget(self) -> None:
        """Remove the workspace with all its rows, in one transaction. Raises :class:`StoreUnavailable`."""
        with told():
            query = "DELETE FROM hippo.workspaces WHERE owner = current_user AND name = %s"
            with connect(self._url) as connection:
                if _version(connection):
                    connection.execute(query, (self._name,))

    def take_notices(self) -> list[str]:
        """What a person should know, once."""
        notices, self._notices = self._notices, []
        return notices

    def close(self) -> None:
        """Let go of the server and the file."""
        self._let_go()
        if self._local is not None:
            self._local.close()
            self._local = None

    def _open(self) -> None:
        """Connect; the server is away where that fails."""
        try:
            with told():
                connection = connect(self._url)
                try:
                    prepare(connection)
                    self._shared = PostgresTables(connection, self._registered(connection))
                except BaseException:
                    connection.close()
                    raise
        except HippoError as error:
            self._leave(error)
            return
        self._pause.end()
        self.generation += 1
        if self._local is not None:
            self._local.close()
            self._local = None

    def _registered(self, connection: psycopg.Connection[Any]) -> int:
        """The id of the workspace, which is new where there is none made from the same."""
        key = self._name, self._derived
        with connection.transaction():
            connection.execute(
                "DELETE FROM hippo.workspaces"
                " WHERE owner = current_user AND name = %s AND derived <> %s",
                key,
            )
            connection.execute(
                "INSERT INTO hippo.workspaces(name, derived) VALUES(%s, %s) ON CONFLICT DO NOTHING",
                key,
            )
            query = (
                "SELECT id FROM hippo.workspaces"
                " WHERE owner = current_user AND name = %s AND derived = %s"
            )
            row = connection.execute(query, key).fetchone()
        return int(row[0]) if row else 0

    def _leave(self, error: Exception) -> None:
        """Go on with this machine's own for a minute; a failure that lasts is told once."""
        self._let_go()
        self.generation += 1
        notice = f"{error}: the notes on this machine answer"
        if self._pause.begin(notice):
            self._notices.append(notice)

    def _let_go(self) -> None:
        if self._shared is not None:
            with contextlib.suppress(Exception):  # it may be gone already
                self._shared.connection.close()
            self._shared = None


def connect(url: str) -> psycopg.Connection[Any]:
    """A connection in which each statement is a transaction. Raises ``psycopg.Error``."""
    import psycopg

    connection = psycopg.connect(url, autocommit=True, connect_timeout=_SECONDS)
    connection.execute(_SETTINGS)
    return connection


def prepare(connection: psycopg.Connection[Any]) -> None:
    """Bring the schema to this version; nothing is changed by halves. Raises :class:`StoreUnavailable` for one that a
    newer hippo made, and ``psycopg.Error``."""
    if _version(connection) < len(MIGRATIONS):
        with connection.transaction():
            connection.execute("SELECT pg_advisory_xact_lock(%s, 0)", (LOCK,))
            for script in MIGRATIONS[_version(connection) :]:
                connection.execute(_script(script))
            connection.execute(f"COMMENT ON SCHEMA hippo IS '{len(MIGRATIONS)}'")
    if _version(connection) > len(MIGRATIONS):
        raise StoreUnavailable(reason="a newer hippo made it")
    connection.execute(_NEAREST)


def _version(connection: psycopg.Connection[Any]) -> int:
    """The version of the schema, which a comment says: only its owner may change that. 0 for none."""
    query = "SELECT obj_description(oid, 'pg_namespace') FROM pg_namespace WHERE nspname = 'hippo'"
    row = connection.execute(query).fetchone()
    return int(row[0] or 0) if row else 0


def _script(name: str) -> bytes:
    return Path(__file__).with_name(name).read_bytes()
