"""``.hippocampus/meta.json`` and the log of cycles: when each ran, how far upkeep has read, figures (INDEX §9.2).

The log is ``memory/defrag-log.md``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from hippocampus_cli.errors import FileUnreadable, OutsideWorkspace
from hippocampus_cli.workspace.own_files import META
from hippocampus_cli.workspace.read import read_note
from hippocampus_cli.workspace.state import IF_SENSIBLE, read_state

DAILY, WEEKLY, MONTHLY = "daily", "weekly", "monthly"
PERIODS: Mapping[str, int] = {DAILY: 1, WEEKLY: 7, MONTHLY: 30}
"""After how many days each cycle is due again. Weekly includes daily, monthly includes weekly."""


class Meta(NamedTuple):
    """When each cycle last ran; up to when the journal is folded in and defrag cycles are replayed; when bootstrap
    made the index."""

    cycles: Mapping[str, datetime] = MappingProxyType({})
    folded: datetime | None = None
    replayed: datetime | None = None
    made: datetime | None = None

    def due(self, now: datetime, grace: int = 0) -> list[str]:
        """The cycles that are due, or were ``grace`` days ago, the smallest first; one that never ran is.

        The last one includes the others. One that ran after ``now`` did so by a clock that was wrong: it is due. A
        new index needs no tidying: the longer cycles that never ran are due so many days after it was ``made``.
        """
        found = []
        for cycle, days in PERIODS.items():
            at = self.cycles.get(cycle, None if cycle == DAILY else self.made)
            since = (now.date() - at.astimezone(now.tzinfo).date()).days if at else None
            if since is None or not 0 <= since < days + grace:
                found.append(cycle)
        return found


def read_meta(root: Path) -> Meta:
    """What the file says; nothing where there is none, or none that can be read."""
    with IF_SENSIBLE:
        state = read_state(root, META)
        cycles = {str(name): datetime.fromisoformat(at) for name, at in state["cycles"].items()}
        moments = [
            datetime.fromisoformat(state[name]) if state.get(name) else None
            for name in Meta._fields[1:]
        ]
        if all(at.tzinfo for at in (*cycles.values(), *moments) if at):
            return Meta(cycles, *moments)
    return Meta()


def written(meta: Meta, stats: Mapping[str, object]) -> bytes:
    """The file's bytes."""
    cycles, *moments = meta
    state = {
        "cycles": {name: at.isoformat("T", "seconds") for name, at in cycles.items()},
        # to the moment: no access counts twice
        **{name: at and at.isoformat() for name, at in zip(Meta._fields[1:], moments, strict=True)},
        "index": dict(stats),
    }
    return f"{json.dumps(state, indent=1)}\n".encode()


LOG = "memory/defrag-log.md"
_MOST_BYTES = 50_000_000
_BLOCK = re.compile(
    r"^#{1,6}[ \t]+(\d{4}-\d\d-\d\d)(?:[ T]+(\d\d?:\d\d))?[^\n]*\bdefrag complete\b",
    re.IGNORECASE | re.MULTILINE,
)


class Defrag(NamedTuple):
    """A defrag cycle that its log tells of: when it ended, and the words of its block that may name files."""

    at: datetime
    named: frozenset[str]

    def reviewed(self, path: str) -> bool:
        """Whether the log names a note, by its path or the end of its path."""
        parts = path.split("/")
        return any("/".join(parts[start:]) in self.named for start in range(len(parts)))


def latest_defrag(root: Path, now: datetime) -> Defrag | None:
    """The latest cycle up to ``now``, in the time zone of that."""
    try:
        _, *parts = _BLOCK.split(read_note(root, LOG, _MOST_BYTES).text)
    except (FileUnreadable, OutsideWorkspace):
        return None
    found = []
    for day, hour, block in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        with IF_SENSIBLE:  # a log may name days that do not exist
            at = datetime.fromisoformat(f"{day}T{(hour or '0:00').zfill(5)}")
            at = at.replace(tzinfo=now.tzinfo)
            if at <= now:
                words = (word.strip("`*_()[],;:.") for word in block.split())
                found.append(Defrag(at, frozenset(words)))
    return max(found, key=lambda defrag: defrag.at, default=None)
