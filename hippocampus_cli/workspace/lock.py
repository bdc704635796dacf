"""One writer at a time (decision D16), by SQLite's file lock.

The standard library has no lock that works on Linux, macOS and Windows, keeps threads apart as well as
processes, waits with a limit, and ends with the process; SQLite's has all four, and a query has it loaded
anyway, where the lock libraries on the registry cost a query a tenth of its time to import.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from hippocampus_cli.errors import AlreadyWatched, Busy, FileUnwritable, UpkeepBusy
from hippocampus_cli.workspace.database import connect, refuse_dangerous
from hippocampus_cli.workspace.own_files import LOCK, RUNNING, WATCHING, ensure_folder

_BUSY = {RUNNING: UpkeepBusy, WATCHING: AlreadyWatched}


@contextmanager
def locked(root: Path, timeout: float, name: str = LOCK) -> Iterator[None]:
    """Hold the workspace's write lock, or another one by its name.

    Raises :class:`Busy` after ``timeout`` seconds (:class:`UpkeepBusy` for the lock of upkeep,
    :class:`AlreadyWatched` for that of a watch), :class:`FileUnwritable` where no lock can be made.
    """
    path = ensure_folder(root, name)
    with ExitStack() as held:
        try:
            refuse_dangerous(path)
            connection = held.enter_context(closing(connect(path, timeout)))
            connection.execute("BEGIN EXCLUSIVE")  # nothing is written, so closing only lets go
        except (sqlite3.Error, OSError) as error:
            if getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_BUSY:
                raise _BUSY.get(name, Busy)(path=name, seconds=timeout) from error
            raise FileUnwritable(path=name, reason=str(error)) from error
        yield
