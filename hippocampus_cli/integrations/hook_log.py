"""What hooks did, a line each, in the workspace's cache: it shows whether an agent really asks hippo.

A line is the time, the agent, the event, the tokens that were said, the milliseconds it took, and the session; what
went wrong stands at its end.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import NamedTuple

from hippocampus_cli.errors import FileUnreadable, HippoError, OutsideWorkspace
from hippocampus_cli.workspace.own_files import CACHE, ensure_folder
from hippocampus_cli.workspace.read import read_file

_LOG = f"{CACHE}/hooks.log"
_LARGEST = 200_000  # bytes; then the older half goes
_LONGEST = 300  # characters of a line


class Ran(NamedTuple):
    """A hook that ran, as its line says; ``failed`` says what went wrong."""

    at: str
    agent: str
    event: str
    tokens: int
    milliseconds: int
    session: str
    failed: str = ""

    @property
    def line(self) -> str:
        """The line of the log."""
        said = f"{self.tokens} tokens {self.milliseconds} ms {self.session}"
        told = f"{self.at} {self.agent} {self.event} {said} {self.failed}"
        return " ".join(told.split())[:_LONGEST]


def write(root: Path, ran: Ran) -> None:
    """Add a line, where the workspace can be written."""
    with contextlib.suppress(HippoError, OSError):
        path = ensure_folder(root, _LOG)
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
        with os.fdopen(os.open(path, flags, 0o600), "ab") as file:
            file.write(f"{ran.line}\n".encode("utf-8", "replace"))
            size = file.tell()
        if size > _LARGEST:
            _shorten(root, path)


def last_runs(root: Path, agent: str) -> list[Ran]:
    """The last run of each event of an agent, the newest first."""
    try:
        text = read_file(root, _LOG, 2 * _LARGEST).decode("utf-8", "replace")
    except (FileUnreadable, OutsideWorkspace):
        return []
    found: dict[str, Ran] = {}
    for line in reversed(text.splitlines()):
        ran = _read(line)
        if ran is not None and ran.agent == agent:
            found.setdefault(ran.event, ran)
    return list(found.values())


def _read(line: str) -> Ran | None:
    try:
        at, agent, event, tokens, _, milliseconds, _, session, *failed = line.split(" ")
        return Ran(at, agent, event, int(tokens), int(milliseconds), session, " ".join(failed))
    except ValueError:
        return None


def _shorten(root: Path, path: Path) -> None:
    from hippocampus_cli.workspace.atomic import replace_bytes

    data = path.read_bytes()
    kept = data[len(data) // 2 :].partition(b"\n")[2]
    replace_bytes(path, kept, _LOG, mode=0o600)
