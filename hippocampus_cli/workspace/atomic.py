"""The one way in which a file is written: a reader, or a crash, sees the old bytes or the new ones.

Other programs write the same files and know nothing of our lock. One that saves in place has the file open: it
is waited for, and held back while the file is replaced (:mod:`lease`). One that renames its own file over ours
may do so at any moment: the two files change places in one step (``renameat2(2)``; Linux). What was replaced is not
gone then, as it is after a plain rename: it can be looked at, and goes back if it is not what was expected.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
import time
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from functools import cache, partial
from pathlib import Path
from types import EllipsisType

from hippocampus_cli.errors import BeingWritten
from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.workspace import lease
from hippocampus_cli.workspace.file_table import FileStat
from hippocampus_cli.workspace.lease import PATIENCE
from hippocampus_cli.workspace.own_files import mode_for
from hippocampus_cli.workspace.regular import (
    MOST_BYTES,
    bytes_of,
    open_regular,
    read_regular,
    reading,
    writing,
)

_SUFFIX = ".hippo-tmp"
LEFTOVERS = f".*{_SUFFIX}"
"""The names of files that are written before they are renamed."""
_ROUNDS = 20
_READ_ONLY = "it is read-only (its owner may not write it)"
Expected = bytes | EllipsisType | None
"""What must be there still: these bytes, nothing (``None``), or anything (``...``)."""


class Replacement(NamedTuple):
    """A file's bytes before and after; ``None`` where there is no such file."""

    before: bytes | None
    after: bytes | None


Replacements = Mapping[str, Replacement]


class Overtaken(Exception):
    """Somebody who knows nothing of locks wrote the file since it was read; it is as they left it."""


def rounds(shown: str) -> Iterator[AbstractContextManager[None]]:
    """Blocks in which a file is read, changed and written: ``while True: with next(attempts): return ...``.

    One that is :class:`Overtaken` ends quietly. Raises :class:`BeingWritten`, with the path ``shown``, where that
    happens again and again.
    """
    for _ in range(_ROUNDS):
        yield contextlib.suppress(Overtaken)
    raise BeingWritten(path=shown, reason="another program keeps writing to it")


def read_whole(path: Path, shown: str, patience: float = PATIENCE) -> bytes | None:
    """The bytes of a file that nobody is saving just now; ``None`` where there is no file.

    Raises :class:`BeingWritten` after ``patience`` seconds, :class:`FileUnreadable`.
    """
    with reading(shown), contextlib.suppress(FileNotFoundError, NotADirectoryError):
        descriptor = open_regular(path)
        try:
            lease.wait(descriptor, shown, patience)
            return bytes_of(os.dup(descriptor), MOST_BYTES, whole=True)
        finally:
            os.close(descriptor)
    return None


def replace_bytes(
    path: Path,
    data: bytes | None,
    shown: str,
    expected: Expected = ...,
    patience: float = PATIENCE,
    mode: int | None = None,
    *,
    growing: bool = False,
) -> None:
    """Write ``data`` beside ``path``, sync it, and put it in the place of ``path``, with its permissions and, where
    the system allows that, its owner; remove the file where it is ``None``. Another name of the old file (a hard
    link) keeps what it held.

    Leftovers of writers that were killed are removed; the caller holds the lock, so they are nobody's.
    Where bytes (or nothing) are ``expected``, nobody's writing is cut off, and who has the file open for writing is
    waited for ``patience`` seconds long. ``mode`` is for a new file. Where there are no leases, what is added to the
    end of a ``growing`` file is appended to it: who has it open goes on writing to the same file.

    Raises :class:`FileUnwritable` (naming ``shown``), :class:`BeingWritten` and :class:`Overtaken`,
    and then ``path`` is as it was.
    """
    old = _status(path)
    number = old.st_ino if old else 0
    temporary = path.with_name(f"{_prefix(path)}{os.getpid()}-{number}{_SUFFIX}")
    with writing(shown):
        if data is None:
            check_still(path, expected)
            path.unlink(missing_ok=True)
            return
        try:
            if old is not None and stat.S_ISREG(old.st_mode) and not old.st_mode & stat.S_IWUSR:
                raise OSError(errno.EACCES, _READ_ONLY)
            clear_leftovers(path)
            _write_synced(temporary, data, old, mode_for(path) if mode is None else mode)
            if expected is ...:
                _rename(temporary, path)
                _sync_folder(path.parent)
            elif expected is None:
                _take_free_place(temporary, path)
            else:
                grown = growing and data.startswith(expected)
                added = data[len(expected) :] if grown else b""
                _take_place(temporary, path, shown, expected, patience, added)
        finally:
            with contextlib.suppress(OSError):
                temporary.unlink()


def check_still(path: Path, expected: Expected) -> None:
    """Raises :class:`Overtaken` where ``path`` holds something else."""
    if expected is ...:
        return
    try:
        there = read_regular(path)
    except FileNotFoundError:
        there = None
    if there != expected:
        raise Overtaken


def _status(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except OSError:
        return None


def _refuse_changed(descriptor: int, path: Path, expected: bytes) -> os.stat_result:
    """What the open file is. Raises :class:`Overtaken` where it or what is at ``path`` is not as expected."""
    os.lseek(descriptor, 0, os.SEEK_SET)
    if bytes_of(os.dup(descriptor)) != expected:
        raise Overtaken
    status, there = os.fstat(descriptor), _status(path)
    if there is None or not os.path.samestat(status, there):
        raise Overtaken
    return status


# one file takes the place of another


def _take_free_place(temporary: Path, path: Path) -> None:
    check_still(path, None)
    try:
        _rename(temporary, path, FREE)
    except FileExistsError as error:
        raise Overtaken from error
    _sync_folder(path.parent)


def _take_place(
    temporary: Path, path: Path, shown: str, expected: bytes, patience: float, added: bytes
) -> None:
    """Put ``temporary`` in the place of ``path``, unless somebody writes to that or replaces it. Where there are no
    leases, what is ``added`` is appended instead."""
    try:
        descriptor = open_regular(path)
    except FileNotFoundError as error:
        raise Overtaken from error
    try:
        made = os.stat(temporary)
        leased = lease.wait(descriptor, shown, patience, FileStat.of(made).mtime_ns)
        old = _refuse_changed(descriptor, path, expected)
        if added and not leased:
            _append(path, added, old)
            return
        _rename(temporary, path, EXCHANGE)
        _sync_folder(path.parent)  # who had found the old file by its name has opened it by now
        if _is_disturbed(descriptor, old, temporary, leased):
            _put_back(temporary, path, made)
            raise Overtaken
    finally:
        os.close(descriptor)  # which ends the lease


def _append(path: Path, added: bytes, old: os.stat_result) -> None:
    """Add to the end of the file that is known as ``old``, and sync it: all or nothing."""
    with path.open("ab", buffering=0) as file:
        if not os.path.samestat(os.fstat(file.fileno()), old):
            raise Overtaken
        try:
            if file.write(added) < len(added):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.fsync(file.fileno())
        except OSError:
            file.truncate(old.st_size)
            raise


def _is_disturbed(descriptor: int, old: os.stat_result, aside: Path, leased: bool) -> bool:
    """Whether somebody wants to write to the file that was replaced, or has; or another one was replaced."""
    replaced = _status(aside)
    if replaced is not None and not os.path.samestat(replaced, old):
        return True
    changed = FileStat.of(os.fstat(descriptor))[:3] != FileStat.of(old)[:3]
    return changed or (leased and lease.is_wanted(descriptor))


def _put_back(aside: Path, path: Path, made: os.stat_result) -> None:
    """The file that was replaced takes its place again; a still newer one that came in meanwhile keeps it."""
    for _ in range(2):
        _rename(aside, path, EXCHANGE)
        out = _status(aside)
        if out is None or os.path.samestat(out, made):
            return


def _rename(source: Path, target: Path, how: int = 0) -> None:
    """Rename over the target, or as :func:`linux_rename` does where it can; then what was replaced is at ``source``.

    On Windows a reader may hold the target open for a moment: try again for a second.
    """
    if how and linux_rename(source, target, how):
        return
    if how == FREE and _linked(source, target):
        return
    aside = source.with_name(source.name.replace("-", "-old-", 1))
    if how == EXCHANGE:
        _linked(target, aside)
    _replace(source, target)
    with contextlib.suppress(FileNotFoundError):
        aside.replace(source)


def _linked(source: Path, target: Path) -> bool:
    """Give a file a second name; ``False`` where the file system has no hard links."""
    try:
        os.link(source, target)
    except FileExistsError:
        raise
    except OSError:
        return False
    return True


def _replace(source: Path, target: Path) -> None:
    for attempt in range(50):
        try:
            source.replace(target)
            return
        except PermissionError:
            if sys.platform != "win32" or attempt == 49:
                raise
            time.sleep(0.02)


# bytes on the disk


def _write_synced(path: Path, data: bytes, old: os.stat_result | None, mode: int | None) -> None:
    with path.open("wb") as file:
        _resemble(file.fileno(), path, old, mode)
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _resemble(descriptor: int, path: Path, old: os.stat_result | None, mode: int | None) -> None:
    """Give a file the owner, group and permissions of the one that it replaces; root's go to the folder's owner. Only
    root may give a file away: what others write is theirs, and stays the group's."""
    if not hasattr(os, "fchown"):
        return
    new = os.fstat(descriptor)
    like = old or (new if new.st_uid else path.parent.stat())
    owner = -1 if new.st_uid else like.st_uid
    with contextlib.suppress(OSError):
        os.fchown(descriptor, owner, like.st_gid)
    if old is not None:
        mode = stat.S_IMODE(old.st_mode)
    if mode is not None:
        os.fchmod(descriptor, mode)


def _sync_folder(folder: Path) -> None:
    """Make the rename durable where folders can be synced (not on Windows, not on every file system)."""
    if sys.platform == "win32":
        return
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def clear_leftovers(path: Path) -> None:
    """Remove what killed writers left. A file that was replaced, and written to since, comes back: its name tells."""
    for leftover in path.parent.glob(f"{_prefix(path)}*{_SUFFIX}"):
        with contextlib.suppress(OSError):
            if _is_late(leftover, path):
                leftover.replace(path)
            else:
                leftover.unlink()


def _is_late(leftover: Path, path: Path) -> bool:
    """Whether a leftover is the file that was replaced, and was written to after the one in its place."""
    status = leftover.stat()
    is_replaced = leftover.name.endswith(f"-{status.st_ino}{_SUFFIX}")
    return is_replaced and FileStat.of(status).mtime_ns > FileStat.of(path.stat()).mtime_ns


def _prefix(path: Path) -> str:
    """What the name of a file begins with that is to replace ``path``, whose own name may be as long as can be."""
    return f".{zlib.crc32(os.fsencode(path.name)):08x}."


FREE, EXCHANGE = 1, 2  # RENAME_NOREPLACE, RENAME_EXCHANGE
_HERE = -100  # AT_FDCWD: a relative path starts at the current folder


def linux_rename(source: Path, target: Path, how: int) -> bool:
    """Whether ``source`` was renamed as :data:`FREE` or :data:`EXCHANGE` say; ``False``: it cannot be done
    here.

    Raises :class:`FileExistsError` where the place is not free, :class:`FileNotFoundError`.
    """
    call = _renameat2()
    if call is None or not call((_HERE, os.fsencode(source), _HERE, os.fsencode(target), how)):
        return call is not None
    if how != FREE:
        target.lstat()
    elif os.path.lexists(target):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(target))
    return False


@cache
def _renameat2() -> Callable[[tuple[object, ...]], int] | None:
    """The call, which the standard library does not offer. ``ctypes`` costs a query three milliseconds, its core half
    of one."""
    try:
        import _ctypes

        address = _ctypes.dlsym(_ctypes.dlopen("", 0), "renameat2")
        return partial(_ctypes.call_cdeclfunction, address)
    except (ImportError, AttributeError, OSError, TypeError):
        return None
