"""One watch a workspace: a lock that ends with its process, and that names its holder."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path

from hippocampus_cli.errors import AlreadyWatched, Busy, FileUnwritable
from hippocampus_cli.workspace.database import connect
from hippocampus_cli.workspace.lock import acquire
from hippocampus_cli.workspace.own_files import WATCHING

_BEGIN = "BEGIN IMMEDIATE"  # others may still read the holder


@contextmanager
def sole_watch(root: Path, pid: int, since: datetime) -> Iterator[None]:
    """Hold the workspace's watch lock. A watch that was killed holds none.

    Raises :class:`AlreadyWatched`, and :class:`FileUnwritable` where no lock can be made.
    """
    with closing(_acquired(root)) as lock:
        try:
            _sign(lock, pid, since)
        except sqlite3.Error as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:  # another watch took it meanwhile
                raise _already(root) from None
            raise FileUnwritable(path=WATCHING, reason=str(error)) from error
        yield


def _sign(lock: sqlite3.Connection, pid: int, since: datetime) -> None:
    """Write the holder for others to read, and take the lock again."""
    lock.execute("PRAGMA busy_timeout = 1000")  # another process may be reading the holder
    lock.execute("CREATE TABLE IF NOT EXISTS watch(pid INTEGER, since TEXT)")
    lock.execute("DELETE FROM watch")
    lock.execute("INSERT INTO watch VALUES(?, ?)", (pid, since.isoformat("T", "seconds")))
    lock.execute("COMMIT")
    lock.execute(_BEGIN)


def _acquired(root: Path) -> sqlite3.Connection:
    try:
        return acquire(root, WATCHING, 0, _BEGIN)
    except Busy:
        raise _already(root) from None


def _already(root: Path) -> AlreadyWatched:
    by = ""
    with contextlib.suppress(sqlite3.Error, ValueError):
        with closing(connect(root / WATCHING, 1)) as lock:
            row = lock.execute("SELECT pid, since FROM watch").fetchone()
        if row:
            since = datetime.fromisoformat(row[1])
            by = f", by process {row[0]} since {since:%Y-%m-%d %H:%M}"
    return AlreadyWatched(path=WATCHING, by=by)
