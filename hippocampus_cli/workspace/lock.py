"""One writer at a time (decision D16)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hippocampus_cli.errors import Busy, FileUnwritable
from hippocampus_cli.workspace.own_files import LOCK, ensure_folder


@contextmanager
def locked(root: Path, timeout: float) -> Iterator[None]:
    """Hold the workspace's write lock. The lock is the operating system's: it ends with the process.

    Raises :class:`Busy` after ``timeout`` seconds, :class:`FileUnwritable` where no lock can be made.
    """
    from fasteners.process_lock import InterProcessLock  # imported late: reading needs no lock

    path = ensure_folder(root, LOCK)
    lock = InterProcessLock(str(path))
    try:
        taken = lock.acquire(timeout=timeout, delay=0.002, max_delay=0.02)
    except OSError as error:
        raise FileUnwritable(path=LOCK, reason=error.strerror or str(error)) from error
    if not taken:
        raise Busy(path=LOCK, seconds=timeout)
    try:
        yield
    finally:
        lock.release()
