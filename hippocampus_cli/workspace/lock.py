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

from hippocampus_cli.errors import AlreadyWatched, Busy, FileUnwritable, UpkeepBusy
from hippocampus_cli.workspace.database import connect, is_damage, refuse_dangerous, remove
from hippocampus_cli.workspace.own_files import LOCK, RUNNING, WATCHING, ensure_folder

_FOREIGN = "SELECT 1 FROM sqlite_master WHERE type != 'table' OR name != 'watch'"
_BUSY = {RUNNING: UpkeepBusy, WATCHING: AlreadyWatched}


@contextmanager
def locked(root: Path, timeout: float, name: str = LOCK) -> Iterator[None]:
    """Hold the workspace's write lock, or another one by its name.

    Raises :class:`Busy` after ``timeout`` seconds (:class:`UpkeepBusy` for the lock of upkeep,
    :class:`AlreadyWatched` for that of a watch), :class:`FileUnwritable` where no lock can be made.
    """
    connection = acquire(root, name, timeout, "BEGIN EXCLUSIVE")
    try:
        yield
    finally:
        connection.close()  # nothing was written, so this only lets go


def acquire(
    root: Path, name: str, timeout: float, begin: str, *, again: bool = True
) -> sqlite3.Connection:
    """The lock file ``name`` with the transaction ``begin`` begun; closing it lets go.

    ``BEGIN IMMEDIATE`` keeps other writers out and lets them read what was committed. Raises as
    :func:`locked`.
    """
    path = ensure_folder(root, name)
    try:
        refuse_dangerous(path)
        connection = connect(path, timeout)
    except (sqlite3.Error, OSError) as error:
        raise FileUnwritable(path=name, reason=str(error)) from error
    try:
        connection.execute(begin)
        if path.stat().st_size and connection.execute(_FOREIGN).fetchone():
            raise sqlite3.DatabaseError("it holds what no lock does")
    except sqlite3.Error as error:
        connection.close()
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)
        if code == sqlite3.SQLITE_BUSY:
            raise _BUSY.get(name, Busy)(path=name, seconds=timeout) from error
        if again and is_damage(error, path):
            remove(path)  # something else was written there; nobody of hippo's can hold it
            return acquire(root, name, timeout, begin, again=False)
        raise FileUnwritable(path=name, reason=str(error)) from error
    return connection
