"""``.hippocampus/meta.json``: when each cycle ran, how far upkeep has read, and the index's figures (INDEX §9.2)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from hippocampus_cli.workspace.own_files import META, is_inside
from hippocampus_cli.workspace.regular import read_regular

DAILY, WEEKLY, MONTHLY = "daily", "weekly", "monthly"
PERIODS: Mapping[str, int] = {DAILY: 1, WEEKLY: 7, MONTHLY: 30}
"""After how many days each cycle is due again. Weekly includes daily, monthly includes weekly."""
_VERSION = 1


@dataclass(frozen=True)
class Meta:
    """When each cycle last ran; up to when the journal is folded in and defrag cycles are replayed."""

    cycles: Mapping[str, datetime] = field(default_factory=dict)
    folded: datetime | None = None
    replayed: datetime | None = None

    def due(self, now: datetime, grace: int = 0) -> list[str]:
        """The cycles that are due, or were ``grace`` days ago, the smallest first; one that never ran is.

        The last one includes the others. One that ran after ``now`` did so by a clock that was wrong: it is due.
        """
        found = []
        for cycle, days in PERIODS.items():
            at = self.cycles.get(cycle)
            since = (now.date() - at.astimezone(now.tzinfo).date()).days if at else None
            if since is None or since < 0 or since >= days + grace:
                found.append(cycle)
        return found


def read_meta(root: Path) -> Meta:
    """What the file says; nothing where there is none, or none that can be read."""
    path = root / META
    try:
        if not is_inside(root, path):
            return Meta()
        row: Any = json.loads(read_regular(path))
        cycles = {str(name): datetime.fromisoformat(at) for name, at in row["cycles"].items()}
        folded, replayed = (_moment(row.get(name)) for name in ("folded", "replayed"))
        if any(at.tzinfo is None for at in (*cycles.values(), folded, replayed) if at):
            return Meta()
        return Meta(cycles, folded, replayed)
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return Meta()


def written(meta: Meta, stats: Mapping[str, object]) -> bytes:
    """The file's bytes."""
    row = {
        "version": _VERSION,
        "cycles": {name: _text(at) for name, at in meta.cycles.items()},
        "folded": meta.folded.isoformat()
        if meta.folded
        else None,  # to the moment: none counts twice
        "replayed": _text(meta.replayed),
        "index": dict(stats),
    }
    return f"{json.dumps(row, indent=1)}\n".encode()


def _moment(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


def _text(moment: datetime | None) -> str | None:
    return moment.isoformat("T", "seconds") if moment else None
