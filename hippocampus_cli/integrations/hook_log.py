"""What hooks did, a line each, in the workspace's cache: it shows whether an agent really asks hippo.

A line is the time, the agent, the event, the tokens that were said, the milliseconds it took, and the session; what
went wrong stands at its end.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from hippocampus_cli.errors import HippoError
from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.workspace.own_files import CACHE, append, is_inside
from hippocampus_cli.workspace.regular import read_regular

_LOG = f"{CACHE}/hooks.log"
_LARGEST = 1_000_000  # bytes, some ten thousand lines; then the older half goes
_LONGEST = 300  # characters of a line
_SHARED = {"copilot": "claude-code"}
"""Who runs what was installed for another."""
OPENED = "opened"
"""The event of a line that says: an agent went to a place that it was given."""


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
        append(root, _LOG, ran.line)
        if (root / _LOG).stat().st_size > _LARGEST:
            _shorten(root / _LOG)


def note_opened(root: Path, now: datetime, agent: str, session: str = "-") -> None:
    """Note that an agent went to a place that it was given."""
    write(root, Ran(now.isoformat("T", "seconds"), agent, OPENED, 0, 0, session))


def last_runs(root: Path, agent: str) -> list[Ran]:
    """The last run of each event of an agent, the newest first."""
    last: dict[str, Ran] = {}
    for ran in reversed([*read(root)]):
        if _SHARED.get(ran.agent, ran.agent) == agent and ran.event != OPENED:
            last.setdefault(ran.event, ran)
    return list(last.values())


def read(root: Path) -> Iterator[Ran]:
    """Every line of the log, the oldest first; what is none is skipped."""
    path, data = root / _LOG, b""
    with contextlib.suppress(OSError):
        data = read_regular(path, 2 * _LARGEST) if is_inside(root, path) else b""
    for line in data.decode("utf-8", "replace").splitlines():
        with contextlib.suppress(ValueError):
            at, agent, event, tokens, _, milliseconds, _, session, *failed = line.split(" ")
            datetime.fromisoformat(at)
            yield Ran(at, agent, event, int(tokens), int(milliseconds), session, " ".join(failed))


def _shorten(path: Path) -> None:
    from hippocampus_cli.workspace.atomic import replace_bytes

    data = path.read_bytes()
    kept = data[len(data) // 2 :].partition(b"\n")[2]
    replace_bytes(path, kept, _LOG, mode=0o600)
