"""One writer at a time (decision D16), by SQLite's file lock.

The standard library has no lock that works on Linux, macOS and Windows, keeps threads apart as well as
processes, waits with a limit, and ends with the process; SQLite's has all four, and a query has it loaded
anyway, where the lock libraries on the registry cost a query a tenth of its time to import.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hippocampus_cli.errors import Busy, FileUnwritable
from hippocampus_cli.workspace.own_files import LOCK, ensure_folder


@contextmanager
def locked(root: Path, timeout: float, name: str = LOCK) -> Iterator[None]:
    """Hold the workspace's write lock, or another one by its name.

    Raises :class:`Busy` after ``timeout`` seconds, :class:`FileUnwritable` where no lock can be made.
    """
    connection = _acquire(ensure_folder(root, name), timeout)
    try:
        yield
    finally:
        connection.close()  # nothing was written, so this only lets go


def _acquire(path: Path, timeout: float, *, again: bool = True) -> sqlite3.Connection:
    try:
        connection = sqlite3.connect(path, timeout=timeout, isolation_level=None)
    except sqlite3.Error as error:
        raise FileUnwritable(path=path.name, reason=str(error)) from error
    try:
        connection.execute("BEGIN EXCLUSIVE")
    except sqlite3.Error as error:
        connection.close()
        if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
            raise Busy(path=path.name, seconds=timeout) from error
        if again and error.sqlite_errorcode == sqlite3.SQLITE_NOTADB:
            path.unlink(missing_ok=True)  # something else was written there; nobody can hold it
            return _acquire(path, timeout, again=False)
        raise FileUnwritable(path=path.name, reason=str(error)) from error
    return connection
