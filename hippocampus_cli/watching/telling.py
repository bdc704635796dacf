"""What a watch tells, and to whom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol

from hippocampus_cli.errors import HippoError
from hippocampus_cli.watching.upkeep import REFUSED, Happened
from hippocampus_cli.watching.ways import Way


@dataclass(frozen=True, slots=True)
class Status:
    """How a watch stands. ``counts`` says how often each kind of thing happened."""

    root: Path
    pid: int
    since: datetime
    way: Way
    folders: int
    entries: int
    syncs: int
    counts: Mapping[str, int]


class View(Protocol):
    """Told of a watch, on the thread that runs it."""

    def begin(self, status: Status) -> None:
        """The folders are observed, and the index is in step as of now."""

    def tell(self, at: datetime, happened: Sequence[Happened], status: Status) -> None:
        """Something happened."""

    def redraw(self) -> None:
        """The screen has another size."""

    def end(self, at: datetime, status: Status, reason: str) -> None:
        """The watch was stopped for ``reason``."""


class Tally:
    """What was told so far."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self._refusals: dict[str, str] = {}

    def refusal(self, what: str, error: HippoError) -> list[Happened]:
        """What to tell of a refusal of ``what``: nothing for as long as it stays the same."""
        text = f"{error.message}; {error.advice}" if error.advice else error.message
        if self._refusals.get(what) == text:
            return []
        self._refusals[what] = text
        return [Happened(REFUSED, error.where, None, text)]

    def success(self, what: str) -> None:
        """The next refusal of ``what`` is news again."""
        self._refusals.pop(what, None)
