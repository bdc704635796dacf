"""The rebuildable database: a cache of what can be derived again from the notes (decision D17), usable whatever
becomes of its file; and what every SQLite file of hippo's needs, the locks too.

A database in a workspace may be damaged, or made by somebody else to do harm. So none may name what SQLite would run
by itself, and only one that is as hippo left it (:mod:`~hippocampus_cli.workspace.own_files`) is used unchecked.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TypeVar

from hippocampus_cli.errors import HippoError
from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.workspace.own_files import SEAL, SQLITE_ENDINGS, is_as_left, seal

_T = TypeVar("_T")
BUSY_SECONDS = 3.0
_LARGEST_CELL = 200_000_000  # bytes
_REPLACED = 2  # times: the file may be of no use, and then what was read of it may be
_NAMED_JOURNAL = b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7"  # how a journal ends that belongs to others

FAILURES = (sqlite3.DatabaseError, UnicodeDecodeError)
"""What using a database raises: the second where SQLite's own message quotes damaged bytes of the file."""


class Connection(sqlite3.Connection):
    """A connection that seals its file when it is closed."""

    sealed: Path | None = None
    """The file; ``None`` while it is not known to be whole."""

    def close(self) -> None:
        """Let go of the file."""
        super().close()
        self.settle()
        self.sealed = None

    def settle(self) -> None:
        """Seal the file as it is now, or whoever is killed leaves one that is made anew."""
        if self.sealed and not is_as_left(self.sealed):
            seal(self.sealed)


class Schema(NamedTuple):
    """What a rebuildable database holds: its tables as a script (a statement ends with its line), and a number that
    changes with them or with what is derived into them.

    A file that is not as hippo left it is rebuilt. One that cannot be written is read, until something is to be
    written: then one in memory is used. Of one that is ``believed`` the tables are compared, for its rows are checked
    when they are read; and where it cannot be written, writing raises.
    """

    tables: str
    version: int
    believed: bool = False


class Database:
    """An open rebuildable database. Processes may share a file, each with its own object; threads may take turns.

    One of another version, a damaged one and one that somebody else made is rebuilt. Where there is no file, or it is
    locked for long or cannot be written, it goes on in memory.
    """

    def __init__(self, path: Path | None, schema: Schema) -> None:
        self.path = path
        """The file; ``None`` where what is written ends with this object."""
        self.problem = "" if path else "there is no place for it"
        """Why what is written now is not kept; empty where it is."""
        self.generation = 0
        """How often the database was replaced by another."""
        self._schema = schema
        try:
            self.connection = _open(path, schema)
        except (*FAILURES, OSError) as error:
            self.connection = self._instead(error)

    def close(self) -> None:
        """Let go of the file."""
        self.connection.close()

    def healed(self, work: Callable[[Connection], _T]) -> _T:
        """``work`` done on the database; done again on another one where this one is of no use."""
        failed = 0
        while True:
            try:
                return work(self.connection)
            except Exception as error:
                self.heal(error, failed)
                failed += 1

    def heal(self, error: Exception, failed: int) -> None:
        """Go on with another database after ``error``, before which work on it ``failed`` so often.

        Raises ``error`` where that would not help.
        """
        ours = isinstance(error, sqlite3.ProgrammingError | HippoError | OSError | MemoryError)
        # Rows that make no sense fail in as many ways as there are; what is in memory was made here.
        broken = isinstance(error, sqlite3.DatabaseError) or self.path is not None
        useless = not self._schema.believed or is_damage(error, self.path)
        if ours or failed >= _REPLACED or not (broken and useless):
            raise error
        self.connection.sealed = None
        self.connection.close()
        self.generation += 1
        self.connection = self._instead(error)

    def _instead(self, error: Exception) -> Connection:
        """Another one: in the place of a damaged file a new one, else what can be read of it, or an empty one."""
        path, self.path = self.path, None
        if path is None:
            return _open(None, self._schema)
        if not is_damage(error, path):  # locked, full, read-only, gone
            self.problem = (isinstance(error, OSError) and error.strerror) or str(error)
            return _read_only(path, self._schema) or _open(None, self._schema)
        try:
            remove(path)
            connection = _open(path, self._schema)
        except (*FAILURES, OSError):
            self.problem = "it is damaged, and cannot be replaced"
            return _open(None, self._schema)
        self.path, self.problem = path, ""
        return connection


def connect(place: str | Path, timeout: float = BUSY_SECONDS, *, uri: bool = False) -> Connection:
    """A connection to any SQLite file. Raises :class:`sqlite3.Error`.

    It may be made to do harm: what it says runs no functions, and no value is larger than any that hippo writes.
    """
    # isolation_level None: transactions are written out, the module opens none behind our back
    connection = sqlite3.connect(
        place,
        timeout=timeout,
        isolation_level=None,
        check_same_thread=False,
        uri=uri,
        factory=Connection,
    )
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LARGEST_CELL)
    connection.execute("PRAGMA trusted_schema = OFF")
    return connection


def connect_to_read(path: Path, more: str = "") -> Connection:
    """A connection that writes nothing."""
    return connect(f"{path.absolute().as_uri()}?mode=ro{more}", uri=True)


def _open(path: Path | None, schema: Schema) -> Connection:
    """The database at ``path``, created where there is none; an empty one in memory for ``None``.

    Raises :class:`sqlite3.DatabaseError` if it is of no use (:func:`is_damage` tells) or cannot be opened, and
    :class:`OSError` if it cannot be written or its folder not be made.
    """
    left = used = True
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        refuse_dangerous(path)
        left = is_as_left(path)
        used = left or _is_in_use(path)
    connection = connect(path or ":memory:")
    try:
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA temp_store = MEMORY")
        former = version_of(connection)
        if former != schema.version:
            if former or not used:  # or of somebody who names no version
                raise sqlite3.DatabaseError("it is of another version")
            _create_tables(connection, schema)
        elif path is not None and not _is_writable(path):
            raise PermissionError(errno.EACCES, "attempt to write a readonly database")
        elif not left:
            _check(connection, schema, whole=not used)
    except BaseException:
        connection.close()
        raise
    connection.sealed = path
    return connection


def _read_only(path: Path, schema: Schema) -> Connection | None:
    """What can be read of the database at ``path``; ``None`` if that is nothing."""
    # immutable: on a read-only medium not even the shared memory of a write-ahead log can be made
    for more in ("", "&immutable=1"):
        with contextlib.suppress(*FAILURES, OSError, ValueError):
            connection = connect_to_read(path, more)
            try:
                if version_of(connection) == schema.version:
                    if not is_as_left(path):
                        _check(connection, schema)
                    return connection
            except BaseException:
                connection.close()
                raise
            connection.close()
    return None


def _is_writable(path: Path) -> bool:
    return os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)


def _create_tables(connection: Connection, schema: Schema) -> None:
    """The tables in a new file; another process may have made them while this one waited."""
    connection.execute("PRAGMA journal_mode = WAL")
    with transaction(connection):
        if version_of(connection) != schema.version:
            for statement in schema.tables.split(";\n"):
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {schema.version}")


def _check(connection: sqlite3.Connection, schema: Schema, *, whole: bool = True) -> None:
    """Raises :class:`sqlite3.DatabaseError` unless a database that somebody may have changed has the tables of
    ``schema`` and nothing else: no views, no triggers, no columns that are worked out. As a ``whole`` it is not
    believed, but for one whose rows are checked when they are read."""
    with closing(connect(":memory:")) as model:
        model.executescript(schema.tables)
        if (whole and not schema.believed) or _tables_of(connection) != _tables_of(model):
            raise sqlite3.DatabaseError("it is not as hippo left it")


@contextmanager
def transaction(connection: Connection) -> Iterator[None]:
    """A writing transaction, taken at once so that it never has to be upgraded in the middle."""
    connection.execute("BEGIN IMMEDIATE")
    with connection:  # commits, or rolls back
        yield
    connection.settle()


def version_of(connection: sqlite3.Connection) -> int:
    """The version that a database says it is of; 0 for a new file."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def remove(path: Path) -> None:
    """Remove a database with all that is kept beside it, the file itself last. Raises :class:`OSError`."""
    for ending in (SEAL, *SQLITE_ENDINGS, ""):
        Path(f"{path}{ending}").unlink(missing_ok=True)


def refuse_dangerous(path: Path) -> None:
    """Take away a database whose very opening would change files elsewhere. Raises :class:`OSError`.

    One that has another name too (a hard link) may be anybody's, or a backup's. A journal that names a second one has
    SQLite delete that, wherever it is; hippo's own never do.
    """
    try:
        if os.stat(path).st_nlink > 1:
            remove(path)
    except FileNotFoundError:
        pass
    with contextlib.suppress(FileNotFoundError), open(f"{path}-journal", "rb") as journal:
        journal.seek(max(0, journal.seek(0, os.SEEK_END) - len(_NAMED_JOURNAL)))
        if journal.read() == _NAMED_JOURNAL:
            remove(path)


def _is_in_use(path: Path) -> bool:
    """Whether somebody has the database open, who then has looked at it."""
    with closing(connect(path, 0)) as alone:
        try:
            alone.execute("PRAGMA locking_mode = EXCLUSIVE")
            alone.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            return error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
        except UnicodeDecodeError:  # its message quotes the file, which is damaged
            return False
    return False


def is_damage(error: BaseException, path: Path | None) -> bool:
    """Whether ``error`` says that the database is of no use, and not that it cannot be reached for now."""
    if not isinstance(error, sqlite3.OperationalError):
        return not isinstance(error, OSError)
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    if code == sqlite3.SQLITE_READONLY and path is not None:  # so says a flipped bit, too
        return _is_writable(path)
    return code in (sqlite3.SQLITE_ERROR, sqlite3.SQLITE_ABORT, sqlite3.SQLITE_SCHEMA)


def _tables_of(connection: sqlite3.Connection) -> list[str]:
    query = "SELECT type, name, tbl_name, sql FROM sqlite_master"
    return sorted(map(repr, connection.execute(query)))
