"""What all of hippo's own databases have in common: transactions, versions, files beside the file, and trust.

A database in a workspace may be damaged, or made by somebody else to do harm. So none may name what SQLite would run
by itself, and only one that is as hippo left it (:mod:`~hippocampus_cli.workspace.seal`) is used unchecked.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hippocampus_cli.workspace.own_files import SEAL, SQLITE_ENDINGS
from hippocampus_cli.workspace.seal import is_as_left, seal

_LARGEST_CELL = 200_000_000  # bytes
_NAMED_JOURNAL = b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7"  # how a journal ends that belongs to others
_NO_ACCESS = frozenset(
    (
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_INTERRUPT,
    )
)


FAILURES = (sqlite3.DatabaseError, UnicodeDecodeError)
"""What using a database raises: the second where SQLite's own message quotes damaged bytes of the file."""


class Sealed(sqlite3.Connection):
    """A connection that seals its file when it is closed, where it wrote to it or looked at it in whole."""

    sealed: Path | None = None
    """The file; ``None`` while it is not known to be whole."""
    checked = False

    def close(self) -> None:
        """Let go of the file."""
        path, self.sealed = self.sealed, None
        sealing = path is not None and (self.checked or self.total_changes > 0)
        super().close()
        if sealing and path is not None and not is_as_left(path):
            seal(path)


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """A writing transaction, taken at once so that it never has to be upgraded in the middle."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def version_of(connection: sqlite3.Connection) -> int:
    """The version that a database says it is of; 0 for a new file."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def scrub(connection: sqlite3.Connection) -> None:
    """Leave nothing of what was deleted in the file; where somebody else is reading, it goes when they have done."""
    with contextlib.suppress(sqlite3.OperationalError):
        connection.execute("VACUUM")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def statements(script: str) -> Iterator[str]:
    """The statements of ``script``. Its own ``executescript`` would commit the transaction that runs them."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


def remove(path: Path) -> None:
    """Remove a database with all that is kept beside it, the file itself last. Raises :class:`OSError`."""
    for ending in (SEAL, *SQLITE_ENDINGS, ""):
        path.with_name(path.name + ending).unlink(missing_ok=True)


def restrain(connection: sqlite3.Connection) -> None:
    """What the file says runs no functions, and no value of it is larger than any that hippo writes."""
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LARGEST_CELL)
    connection.execute("PRAGMA trusted_schema = OFF")


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


def is_in_use(path: Path) -> bool:
    """Whether somebody has the database open, who then has looked at it."""
    with contextlib.closing(sqlite3.connect(path, timeout=0, isolation_level=None)) as alone:
        try:
            restrain(alone)
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
        return os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)
    return code not in _NO_ACCESS


def check_whole(connection: sqlite3.Connection, expected: str, full_text: str) -> None:
    """Look at all of a database: raises :class:`sqlite3.DatabaseError` unless its tables are those of the script
    ``expected``, its pages and indexes fit together, and the index of ``full_text`` says what that table holds."""
    check_tables(connection, expected)
    found = connection.execute("PRAGMA integrity_check(1)").fetchone()
    if found != ("ok",):
        raise sqlite3.DatabaseError(str(found[0]))
    connection.execute(f"INSERT INTO {full_text}({full_text}) VALUES('integrity-check')")


def check_tables(connection: sqlite3.Connection, expected: str) -> None:
    """Raises :class:`sqlite3.DatabaseError` unless a database has the tables of the script ``expected``, and nothing
    else: no views, no triggers, no columns that are worked out."""
    with contextlib.closing(sqlite3.connect(":memory:")) as model:
        for statement in statements(expected):
            model.execute(statement)
        if _tables_of(connection) != _tables_of(model):
            raise sqlite3.DatabaseError("it has other tables")


def _tables_of(connection: sqlite3.Connection) -> list[str]:
    query = "SELECT type, name, tbl_name, sql FROM sqlite_master"
    return sorted(map(repr, connection.execute(query)))
