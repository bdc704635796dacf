"""Reading a file that may turn out to be none: a named pipe would be waited for until somebody writes into it."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

NOT_REGULAR = "not a regular file"
# O_NONBLOCK: opening a named pipe must not wait for a writer. O_BINARY: Windows would change line endings.
FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


def read_regular(path: str | Path, most: int = -1) -> bytes:
    """The bytes of a file, the first ``most`` where that is not below 0. Raises :class:`OSError`."""
    descriptor = os.open(path, FLAGS)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, NOT_REGULAR)
        with open(descriptor, "rb", closefd=False) as stream:
            return stream.read(most)
    finally:
        os.close(descriptor)
