"""What a watch asks of maintenance, and what it is told in return."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple, Protocol

ADDED = "added"
CHANGED = "changed"
MOVED = "moved"
GONE = "gone"
CYCLE = "cycle"
REFUSED = "refused"
NOTICE = "notice"
KINDS = (ADDED, CHANGED, MOVED, GONE, CYCLE, REFUSED, NOTICE)


class Happened(NamedTuple):
    """One thing that happened: to the note at ``path`` (``""`` if to none) and to the entry of that id.

    ``kind`` is one of ``KINDS``: an entry made, a note changed, pointers that follow a note, an entry
    flagged, a cycle run, something refused, something to know.
    """

    kind: str
    path: str
    entry: str | None
    detail: str


class Upkeep(Protocol):
    """The work on the index; every method may raise any :class:`HippoError`."""

    def sync(self, now: datetime) -> Sequence[Happened]:
        """Bring the index in step with the notes, in one locked write; cheap where nothing changed."""

    def due(self, now: datetime) -> Sequence[str]:
        """The names of the cycles that are due, such as ``daily``; cheap."""

    def run(self, cycle: str, now: datetime) -> Sequence[Happened]:
        """Run one cycle."""
