"""Reading a file that may turn out to be none: a named pipe would be waited for until somebody writes into it."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from hippocampus_cli.errors import FileUnreadable, FileUnwritable

NOT_REGULAR = "not a regular file"
MOST_BYTES = 512_000_000
"""Of a file that is read whole."""
# O_NONBLOCK: opening a named pipe must not wait for a writer. O_BINARY: Windows would change line endings.
FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


def reason_of(error: OSError) -> str:
    """What the system says was wrong, without the path."""
    return error.strerror or str(error)


@contextlib.contextmanager
def reading(shown: str) -> Iterator[None]:
    """Turns an :class:`OSError` of the block into a :class:`FileUnreadable` that names ``shown``."""
    try:
        yield
    except OSError as error:
        raise FileUnreadable(path=shown, reason=reason_of(error)) from error


@contextlib.contextmanager
def writing(shown: str) -> Iterator[None]:
    """Turns an :class:`OSError` of the block into a :class:`FileUnwritable` that names ``shown``."""
    try:
        yield
    except OSError as error:
        raise FileUnwritable(path=shown, reason=reason_of(error)) from error


def read_regular(path: str | Path, most: int = -1, *, whole: bool = False) -> bytes:
    """The bytes of a file, the first ``most`` at most. Raises :class:`OSError`, with ``whole`` for a larger file."""
    return bytes_of(open_regular(path), most, whole=whole)


def open_regular(path: str | os.PathLike[str]) -> int:
    """A descriptor for reading a file that may turn out to be none. Raises :class:`OSError`."""
    return os.open(path, FLAGS)


def bytes_of(descriptor: int, most: int = -1, *, whole: bool = False) -> bytes:
    """The same of an open file, which is closed. ``whole``: nothing is read of a file that holds more."""
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, NOT_REGULAR)
        if whole and status.st_size > most:
            raise OSError(errno.EFBIG, f"larger than {most:,} bytes")
        with open(descriptor, "rb", closefd=False) as file:
            return file.read(-1 if whole else most)  # room is made for as much as is asked for
    finally:
        os.close(descriptor)
