"""``.hippocampus/meta.json`` and the log of cycles: when each ran, how far upkeep has read, figures (INDEX §9.2).

The log is ``memory/defrag-log.md`` and ``memory/defrag-history.jsonl``.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, tzinfo
from pathlib import Path
from typing import Any

from hippocampus_cli.errors import FileUnreadable, OutsideWorkspace
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.workspace.own_files import META, is_inside
from hippocampus_cli.workspace.read import read_note
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

    def due(self, now: datetime, grace: int = 0, made: date | None = None) -> list[str]:
        """The cycles that are due, or were ``grace`` days ago, the smallest first; one that never ran is.

        The last one includes the others. One that ran after ``now`` did so by a clock that was wrong: it is due. A
        new index needs no tidying: the longer cycles that never ran are due so many days after it was ``made``.
        """
        found = []
        for cycle, days in PERIODS.items():
            at = self.cycles.get(cycle)
            begun = at.astimezone(now.tzinfo).date() if at else made if cycle != DAILY else None
            since = (now.date() - begun).days if begun else None
            if since is None or since < 0 or since >= days + grace:
                found.append(cycle)
        return found


def made_on(index: Hierarchy) -> date | None:
    """When an index was made: the day of most of its entries, where that is a quarter of them.

    Entries of daily notes say the day of their note, and later ones come a few at a time.
    """
    told = (one.entry.created for one in index.entries)
    days = Counter(one.date() if isinstance(one, datetime) else one for one in told if one)
    day, times = max(days.items(), key=lambda pair: (pair[1], pair[0]), default=(None, 0))
    return day if times >= len(index.entries) / 4 else None


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


LOG = "memory/defrag-log.md"
HISTORY_LINES = "memory/defrag-history.jsonl"
_MOST_BYTES = 50_000_000
_BLOCK = re.compile(
    r"^#{1,6}[ \t]+(\d{4}-\d\d-\d\d)(?:[ T]+(\d\d?:\d\d))?[^\n]*\bdefrag complete\b",
    re.IGNORECASE | re.MULTILINE,
)


def defrag_cycles(root: Path, zone: tzinfo | None) -> list[datetime]:
    """When each cycle ended, oldest first, in ``zone`` where the file names none. One that failed is no cycle."""
    found = {*_log(_log_text(root, LOG), zone), *_history(_log_text(root, HISTORY_LINES), zone)}
    days = {one.date() for one in found if (one.hour, one.minute) != (0, 0)}
    exact = (
        one for one in found if (one.hour, one.minute) != (0, 0) or one.date() not in days
    )  # both files tell of the same cycle, one of them by its day alone
    return sorted(exact)


def _log(text: str, zone: tzinfo | None) -> Iterator[datetime]:
    for day, time in _BLOCK.findall(text):
        yield from _ended_at(f"{day}T{time.zfill(5)}" if time else day, zone)


def _history(text: str, zone: tzinfo | None) -> Iterator[datetime]:
    for line in text.splitlines():
        try:
            row = json.loads(line)
            verdict = row.get("verdict")
            passed = not isinstance(verdict, dict) or verdict.get("passed", True)
            date = row["date"]
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            continue
        if passed and isinstance(date, str):
            yield from _ended_at(date, zone)


def _ended_at(text: str, zone: tzinfo | None) -> Iterator[datetime]:
    try:
        found = datetime.fromisoformat(text)
        yield found if found.tzinfo else found.replace(tzinfo=zone)
    except ValueError:
        return


def _log_text(root: Path, path: str) -> str:
    try:
        return read_note(root, path, _MOST_BYTES).text
    except (FileUnreadable, OutsideWorkspace):
        return ""
