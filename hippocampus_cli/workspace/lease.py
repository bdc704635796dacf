"""Whether another program has a file open for writing, and making others wait who are about to open it.

An editor that saves in place empties the file and writes it again; in between, a reader sees an empty file. On
Linux a *lease* (``fcntl(2)``) tells: it is granted only where nobody has the file open for writing, and whoever
opens it for writing while the lease is held waits until it ends, before anything is cut off. It ends with the
descriptor, so with the process.

There is no lease elsewhere, on some network drives, and on the file of another user (unless one is root). There a
file that was written a moment ago, or is empty, is watched for a short time: a slower save is not noticed.
"""

from __future__ import annotations

import errno
import os
import stat
import time

from hippocampus_cli.errors import BeingWritten
from hippocampus_cli.workspace.file_table import FileStat

PATIENCE = 3.0
"""Seconds that a writer waits for another program to be done with a file, at most."""
_HELD = frozenset((errno.EAGAIN, errno.EWOULDBLOCK, errno.EBUSY, errno.ETXTBSY))
_SET_SIGNAL = 10  # F_SETSIG, which not every build of Python names
_RECENT = 200_000_000  # nanoseconds since the last write, within which more of it may be to come
_PAUSE = 0.1


def take(descriptor: int) -> bool | None:
    """Take a lease on an open file: ``False``: somebody has it open for writing, ``None``: there are no leases."""
    try:
        import fcntl
        from _signal import (  # type: ignore[import-not-found]  # signal makes three enums first
            SIGURG,
        )

        # That somebody waits for the file is told by a signal: SIGIO, which ends a process, or another one.
        fcntl.fcntl(descriptor, _SET_SIGNAL, SIGURG)
        fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_RDLCK)
    except (ImportError, AttributeError):
        return None
    except OSError as error:
        return False if error.errno in _HELD else None
    return True


def is_wanted(descriptor: int) -> bool:
    """Whether somebody waits for the end of a lease on this file."""
    import fcntl

    return fcntl.fcntl(descriptor, fcntl.F_GETLEASE) == fcntl.F_UNLCK


def wait(descriptor: int, shown: str, seconds: float, since: int | None = None) -> bool:
    """Wait until nobody writes to an open file: whether a lease on it is held now (else it has been still). It takes
    ``seconds`` at most, and no more than :data:`PATIENCE`.

    ``since`` is the time of modification (in ns) of a file made just now, for where there are no leases;
    without it only an empty file is waited for. Raises :class:`BeingWritten`, with the path ``shown``.
    """
    ends, pause = time.monotonic() + min(seconds, PATIENCE), 0.001
    while not (taken := take(descriptor)):
        if taken is None:
            _pause_until_still(descriptor, ends, since)
            return False
        if time.monotonic() >= ends:
            raise BeingWritten(path=shown, reason="another program has it open")
        time.sleep(pause)
        pause = min(2 * pause, 0.02)
    return True


def _pause_until_still(descriptor: int, ends: float, since: int | None) -> None:
    """Wait while a file changes that has just been written, or is empty. An empty one may stay so."""
    before = os.fstat(descriptor)
    if not stat.S_ISREG(before.st_mode):
        return
    if since is not None and since - FileStat.of(before).mtime_ns > _RECENT:
        return
    if before.st_size and since is None:
        return
    while time.monotonic() < ends:
        time.sleep(_PAUSE)
        now = os.fstat(descriptor)
        if now.st_size and FileStat.of(now) == FileStat.of(before):
            return
        before = now
