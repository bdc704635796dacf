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
from functools import cache
from itertools import takewhile
from pathlib import Path
from types import EllipsisType

from hippocampus_cli.errors import BeingWritten
from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.workspace import lease
from hippocampus_cli.workspace.file_table import FileStat
from hippocampus_cli.workspace.lease import PATIENCE, InUse
from hippocampus_cli.workspace.own_files import mode_for
from hippocampus_cli.workspace.regular import (
    bytes_of,
    open_regular,
    read_regular,
    reading,
    writing,
)

_SUFFIX = ".hippo-tmp"
LEFTOVERS = f".*{_SUFFIX}"
"""The names of files that are written before they are renamed."""
_LONG_NAME = 180  # bytes; file systems take 255, and what is added to the name has to fit
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
    try:
        with reading(shown), contextlib.suppress(FileNotFoundError):
            return lease.read_settled(path, patience)
    except InUse as error:
        raise BeingWritten(path=shown) from error
    return None


def write_shared(
    path: Path,
    data: bytes | None,
    shown: str,
    expected: Expected = ...,
    patience: float = PATIENCE,
    *,
    growing: bool = False,
) -> None:
    """Write a file that others write too, or remove it (``data`` is ``None``); it is the same file afterwards where
    it has other names (hard links) or another owner (:func:`is_shared`), and where it is ``growing`` at its end.

    A process that is killed while it writes into a shared file leaves :func:`is_half_written` bytes: the caller keeps
    both versions elsewhere. A growing file that a reader keeps open is replaced. Raises as :func:`replace_bytes`.
    """
    if data is None:
        with _refusing(shown):
            check_still(path, expected)
            path.unlink(missing_ok=True)
        return
    if isinstance(expected, bytes):
        appended = growing and data.startswith(expected)
        if appended or is_shared(path):
            with contextlib.suppress(_KeptOpen):
                _write_into(path, data, shown, expected, patience, appended)
                return
    replace_bytes(path, data, shown, expected, patience)


def replace_bytes(
    path: Path,
    data: bytes,
    shown: str,
    expected: Expected = ...,
    patience: float = PATIENCE,
    mode: int | None = None,
) -> None:
    """Write ``data`` beside ``path``, sync it, and put it in the place of ``path``, with its owner and
    permissions.

    Leftovers of writers that were killed are removed; the caller holds the lock, so they are nobody's.
    Where bytes (or nothing) are ``expected``, nobody's writing is cut off, and who has the file open for writing is
    waited for ``patience`` seconds long. ``mode`` is for a new file.

    Raises :class:`FileUnwritable` (naming ``shown``), :class:`BeingWritten` and :class:`Overtaken`,
    and then ``path`` is as it was.
    """
    old = _status(path)
    number = old.st_ino if old else 0
    temporary = path.with_name(f"{_prefix(path)}{os.getpid()}-{number}{_SUFFIX}")
    with _refusing(shown):
        try:
            if old is not None:
                _refuse_read_only(old)
            clear_leftovers(path)
            _write_synced(temporary, data, old, mode_for(path) if mode is None else mode)
            if expected is ...:
                _rename(temporary, path)
                _sync_folder(path.parent)
            elif expected is None:
                _take_free_place(temporary, path)
            else:
                _take_place(temporary, path, expected, patience)
        finally:
            with contextlib.suppress(OSError):
                temporary.unlink(missing_ok=True)


def is_shared(path: Path) -> bool:
    """Whether a file has other names (hard links), or an owner that a new file in its place could not have."""
    old = _status(path)
    if old is None or not stat.S_ISREG(old.st_mode):
        return False
    return old.st_nlink > 1 or (hasattr(os, "geteuid") and os.geteuid() not in (0, old.st_uid))


def is_half_written(data: bytes | None, before: bytes | None, after: bytes | None) -> bool:
    """Whether ``data`` is what a killed writer leaves in a shared file: the new bytes, then old ones."""
    if data is None or before is None or after is None:
        return False
    equal = takewhile(lambda pair: pair[0] == pair[1], zip(data, after, strict=False))
    same = sum(1 for _ in equal)
    return data[same:] == before[same:]


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


@contextlib.contextmanager
def _refusing(shown: str) -> Iterator[None]:
    try:
        with writing(shown):
            yield
    except InUse as error:
        raise BeingWritten(path=shown) from error


def _status(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except OSError:
        return None


def _refuse_read_only(old: os.stat_result) -> None:
    if stat.S_ISREG(old.st_mode) and not old.st_mode & stat.S_IWUSR:
        raise OSError(errno.EACCES, _READ_ONLY)


def _refuse_changed(descriptor: int, path: Path, expected: bytes) -> os.stat_result:
    """What the open file is. Raises :class:`Overtaken` where it or what is at ``path`` is not as expected."""
    os.lseek(descriptor, 0, os.SEEK_SET)
    if bytes_of(os.dup(descriptor)) != expected:
        raise Overtaken
    status, there = os.fstat(descriptor), _status(path)
    if there is None or not os.path.samestat(status, there):
        raise Overtaken
    return status


# writing into a file that stays


class _KeptOpen(Exception):
    """A reader keeps a file open that could as well be replaced."""


def _write_into(
    path: Path, data: bytes, shown: str, expected: bytes, patience: float, appended: bool
) -> None:
    """Write a file's new bytes into it, or only those that are ``appended``."""
    start = len(expected) if appended else 0
    with _refusing(shown):
        descriptor = _open_to_write(path, os.O_APPEND if appended else 0)
        try:
            lease.wait(descriptor, patience / 4 if appended else patience, alone=True)
            _refuse_changed(descriptor, path, expected)
            _write_all(descriptor, data, expected, start)
        except InUse as error:
            if appended and os.fstat(descriptor).st_nlink == 1:
                raise _KeptOpen from error
            raise
        finally:
            os.close(descriptor)


def _open_to_write(path: Path, more: int) -> int:
    old = _status(path)
    if old is None:
        raise Overtaken
    _refuse_read_only(old)
    flags = os.O_RDWR | more | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)
    return os.open(path, flags)


def _write_all(descriptor: int, data: bytes, old: bytes, start: int) -> None:
    """Have an open file that holds ``old`` hold ``data``, equal up to ``start``, and sync it: all or nothing."""
    try:
        _put(descriptor, data, start)
        os.fsync(descriptor)
    except OSError:
        with contextlib.suppress(OSError):
            _put(descriptor, old, start)
        raise


def _put(descriptor: int, data: bytes, start: int) -> None:
    os.lseek(descriptor, start, os.SEEK_SET)
    rest = memoryview(data)[start:]
    while rest:
        rest = rest[os.write(descriptor, rest) :]
    os.ftruncate(descriptor, len(data))


# one file takes the place of another


def _take_free_place(temporary: Path, path: Path) -> None:
    check_still(path, None)
    try:
        _rename(temporary, path, FREE)
    except FileExistsError as error:
        raise Overtaken from error
    _sync_folder(path.parent)


def _take_place(temporary: Path, path: Path, expected: bytes, patience: float) -> None:
    """Put ``temporary`` in the place of ``path``, unless somebody writes to that or replaces it."""
    try:
        descriptor = open_regular(path)
    except FileNotFoundError as error:
        raise Overtaken from error
    try:
        made = os.stat(temporary)
        leased = lease.wait(descriptor, patience, since=FileStat.of(made).mtime_ns)
        old = _refuse_changed(descriptor, path, expected)
        _rename(temporary, path, EXCHANGE)
        _sync_folder(path.parent)  # who had found the old file by its name has opened it by now
        if _is_disturbed(descriptor, old, temporary, leased):
            _put_back(temporary, path, made)
            raise Overtaken
    finally:
        os.close(descriptor)  # which ends the lease


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
    stem, _, number = source.name.removesuffix(_SUFFIX).rpartition("-")
    aside = source.with_name(f"{stem}-old-{number}{_SUFFIX}")
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


def _write_synced(
    path: Path, data: bytes, old: os.stat_result | None, mode: int | None = None
) -> None:
    with path.open("wb") as file:
        _resemble(file.fileno(), path, old, mode)
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _resemble(descriptor: int, path: Path, old: os.stat_result | None, mode: int | None) -> None:
    """Give a file the owner and permissions of the one that it replaces; root's go to the folder's owner."""
    if not hasattr(os, "fchown"):
        return
    new = os.fstat(descriptor)
    like = old or (new if new.st_uid else path.parent.stat())
    with contextlib.suppress(OSError):
        os.fchown(descriptor, like.st_uid, like.st_gid)
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
    for leftover in path.parent.glob(LEFTOVERS):
        if leftover.name.startswith(_prefix(path)):
            with contextlib.suppress(OSError):
                if _is_late(leftover, path):
                    leftover.replace(path)
                else:
                    leftover.unlink()


def _prefix(path: Path) -> str:
    """What the name of a file begins with that is to replace ``path``, whose own name may be as long as can be."""
    name = os.fsencode(path.name)
    return f".{path.name}." if len(name) <= _LONG_NAME else f".{zlib.crc32(name):08x}."


def _is_late(leftover: Path, path: Path) -> bool:
    """Whether a leftover is the file that was replaced, and was written to after the one in its place."""
    numbers = leftover.name.removesuffix(_SUFFIX).rpartition("-")[2]
    status, there = leftover.stat(), _status(path)
    if there is None or numbers != str(status.st_ino):
        return False
    return FileStat.of(status).mtime_ns > FileStat.of(there).mtime_ns


FREE, EXCHANGE = 1, 2  # RENAME_NOREPLACE, RENAME_EXCHANGE
_HERE = -100  # AT_FDCWD: a relative path starts at the current folder
_Call = Callable[[int, bytes, int, bytes, int], int]


def linux_rename(source: Path, target: Path, how: int) -> bool:
    """Whether ``source`` was renamed as :data:`FREE` or :data:`EXCHANGE` say; ``False``: it cannot be done
    here.

    Raises :class:`FileExistsError` where the place is not free, :class:`FileNotFoundError`.
    """
    call = _renameat2()
    if call is None or not call(_HERE, os.fsencode(source), _HERE, os.fsencode(target), how):
        return call is not None
    import _ctypes

    number = _ctypes.get_errno()
    error = OSError(number, os.strerror(number), str(target))
    if isinstance(error, (FileExistsError, FileNotFoundError)):
        raise error
    return False


@cache
def _renameat2() -> _Call | None:
    """The call, which the standard library does not offer. ``ctypes`` costs a query three milliseconds, its core half
    of one."""
    try:
        import _ctypes

        return _declared(_ctypes.dlsym(_ctypes.dlopen("", 0), "renameat2"))
    except (ImportError, AttributeError, OSError, TypeError):
        return None


def _declared(address: int) -> _Call:
    import _ctypes

    class Int(_ctypes._SimpleCData):  # type: ignore[type-arg]
        _type_ = "i"

    class Bytes(_ctypes._SimpleCData):  # type: ignore[type-arg]
        _type_ = "z"

    class Function(_ctypes.CFuncPtr):
        _flags_ = _ctypes.FUNCFLAG_CDECL | _ctypes.FUNCFLAG_USE_ERRNO
        _restype_ = Int
        _argtypes_ = (Int, Bytes, Int, Bytes, Int)

    return Function(address)
