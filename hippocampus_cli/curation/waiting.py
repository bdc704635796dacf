"""Memories that could not be written down, or not with all that was said of them, until somebody can.

Each is a JSON line of ``.hippocampus/waiting.jsonl``, which nobody else may read: another program had today's
log, or the index, open for writing for too long. The next ``remember`` and the next cycle of upkeep write them
down.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from hippocampus_cli.errors import FileUnreadable
from hippocampus_cli.index.fields import Priority
from hippocampus_cli.workspace.atomic import replace_bytes
from hippocampus_cli.workspace.commit import read_or_none
from hippocampus_cli.workspace.lock import locked
from hippocampus_cli.workspace.own_files import WAITING, ensure_folder


class Kept(NamedTuple):
    """What was to be remembered: its own words and title, its moment, and what was asked for its entry."""

    text: str
    title: str
    at: datetime
    tags: tuple[str, ...]
    pri: str


def keep(root: Path, one: Kept, timeout: float) -> None:
    """Add a memory to those that wait, once."""
    with locked(root, timeout):
        found = waiting(root)
        if one not in found:
            _write(root, [*found, one])


def let_go(root: Path, one: Kept, timeout: float) -> None:
    """Take a memory from those that wait."""
    with locked(root, timeout):
        _write(root, [other for other in waiting(root) if other != one])


def waiting(root: Path) -> Sequence[Kept]:
    """The memories that wait, oldest first; what is no such line is skipped."""
    try:
        data = read_or_none(root, WAITING) or b""
    except FileUnreadable:
        return ()
    found = []
    for line in data.splitlines():
        with contextlib.suppress(ValueError, TypeError, KeyError, AttributeError):
            raw = json.loads(line)
            at, tags = datetime.fromisoformat(raw["at"]), tuple(map(str, raw["tags"]))
            found.append(Kept(str(raw["text"]), str(raw["title"]), at, tags, Priority(raw["pri"])))
    return found


def _write(root: Path, those: Iterable[Kept]) -> None:
    """One write for all: the file is gone when nobody waits."""
    lines = [json.dumps(one._asdict() | {"at": one.at.isoformat()}) for one in those]
    path = ensure_folder(root, WAITING)
    if not lines:
        path.unlink(missing_ok=True)
        return
    replace_bytes(path, "".join(f"{line}\n" for line in lines).encode(), WAITING, mode=0o600)
