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

from hippocampus_cli.errors import Busy, FileUnwritable, UpkeepRunning
from hippocampus_cli.workspace.own_files import LOCK, RUNNING, ensure_folder


@contextmanager
def locked(root: Path, timeout: float, name: str = LOCK) -> Iterator[None]:
    """Hold the workspace's write lock, or another one by its name.

    Raises :class:`Busy` after ``timeout`` seconds, :class:`FileUnwritable` where no lock can be made.
    """
    connection = acquire(root, name, timeout, "BEGIN EXCLUSIVE")
    try:
        yield
    finally:
        connection.close()  # nothing was written, so this only lets go


@contextmanager
def upkeep_locked(root: Path) -> Iterator[None]:
    """Be the one cycle, or undo, that is at work. Raises :class:`UpkeepRunning` at once, and as :func:`locked`."""
    try:
        connection = acquire(root, RUNNING, 0.0, "BEGIN EXCLUSIVE")
    except Busy as error:
        raise UpkeepRunning(path=RUNNING) from error
    try:
        yield
    finally:
        connection.close()


def acquire(
    root: Path, name: str, timeout: float, begin: str, *, again: bool = True
) -> sqlite3.Connection:
    """The lock file ``name`` with the transaction ``begin`` begun; closing it lets go.

    ``BEGIN IMMEDIATE`` keeps other writers out and lets them read what was committed. Raises as
    :func:`locked`.
    """
    path = ensure_folder(root, name)
    try:
        connection = sqlite3.connect(path, timeout=timeout, isolation_level=None)
    except sqlite3.Error as error:
        raise FileUnwritable(path=name, reason=str(error)) from error
    try:
        connection.execute(begin)
    except sqlite3.Error as error:
        connection.close()
        if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
            raise Busy(path=name, seconds=timeout) from error
        if again and error.sqlite_errorcode == sqlite3.SQLITE_NOTADB:
            path.unlink(missing_ok=True)  # something else was written there; nobody can hold it
            return acquire(root, name, timeout, begin, again=False)
        raise FileUnwritable(path=name, reason=str(error)) from error
    return connection
