"""The events of a watch: what syncs and cycles did to entries and notes, as one list, and their receiver."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple, Protocol

from hippocampus_cli.errors import HippoError
from hippocampus_cli.index.pointers import parse_pointers
from hippocampus_cli.maintenance.actions import Action, Kind
from hippocampus_cli.maintenance.cycles import Plan
from hippocampus_cli.maintenance.relocate import paths_of
from hippocampus_cli.maintenance.upkeep import Outcome
from hippocampus_cli.watch.observe import Backend

ADDED = "added"
CHANGED = "changed"
MOVED = "moved"
GONE = "gone"
CYCLE = "cycle"
REFUSED = "refused"
NOTICE = "notice"


class WatchEvent(NamedTuple):
    """An event of the note at ``path`` (``""``: of none) and of the entry with that id.

    ``kind`` is one of those above: an entry added, a note changed, pointers that follow a note, an entry
    flagged, a cycle run, a refusal, a notice.
    """

    kind: str
    path: str
    entry: str | None
    detail: str


_KINDS = {
    Kind.ADD: ADDED,
    Kind.REPOINT: MOVED,
    Kind.FLAG: GONE,
    Kind.CLEAR: CHANGED,
}
_UNREPORTED = (Kind.STRENGTH, Kind.LIST)


def of_sync(outcome: Outcome) -> list[WatchEvent]:
    """The events of entries, then those of notes that none of these mentions."""
    plan = outcome.plan
    events = [_of_action(action, plan) for action in plan.actions if action.kind in _KINDS]
    paths = {path for action in plan.actions for path in _paths(action)}
    paths |= {event.path for event in events}
    return [*events, *(event for event in _of_notes(outcome) if event.path not in paths)]


def of_cycle(plan: Plan) -> WatchEvent:
    """A cycle, with what it did in figures."""
    counts = Counter(action.kind for action in plan.actions if action.kind not in _UNREPORTED)
    done = ", ".join(f"{counts[kind]:,} {kind}" for kind in Kind if counts[kind])
    nothing = "strengths and lists" if plan.changes else "nothing to do"
    return WatchEvent(CYCLE, "", None, f"{plan.cycle}: {done or nothing}")


def _of_action(action: Action, plan: Plan) -> WatchEvent:
    located = plan.after.by_key.get(action.key)
    pointers = located.entry.pointers if located else ()
    texts = () if action.kind is Kind.CLEAR else (action.after, action.before)
    pointed = next(filter(None, map(parse_pointers, texts)), pointers)
    path = pointed[0].path if pointed else ""
    detail = action.reason
    if action.kind is Kind.ADD and located:
        detail = located.entry.topic
    elif action.kind is Kind.REPOINT:
        detail = f"from {action.before}"
    return WatchEvent(_KINDS[action.kind], path, action.key, detail)


def _paths(action: Action) -> Sequence[str]:
    """The paths that an action of a sync mentions."""
    texts = (action.before, action.after)
    return [pointer.path for text in texts for pointer in parse_pointers(text)]


def _of_notes(outcome: Outcome) -> Iterator[WatchEvent]:
    """What became of notes. That one is gone which an entry points at is told by the flag of that, once."""
    for path, is_new in outcome.fresh.items():
        yield WatchEvent(CHANGED, path, None, "new" if is_new else "")
    for path in sorted({*outcome.gone}.difference(paths_of(outcome.plan.after.entries))):
        yield WatchEvent(GONE, path, None, "")


class WatchStatus(NamedTuple):
    """The state of a watch. ``counts`` has the events of each kind."""

    root: Path
    pid: int
    since: datetime
    backend: Backend
    entries: int
    syncs: int
    counts: Mapping[str, int]


class View(Protocol):
    """Shows a watch, called on the thread that runs it."""

    def begin(self, status: WatchStatus) -> None:
        """The folders are observed, and the index is up to date."""

    def show(self, at: datetime, events: Sequence[WatchEvent], status: WatchStatus) -> None:
        """There are events."""

    def end(self, at: datetime, status: WatchStatus, reason: str) -> None:
        """The watch was stopped for ``reason``."""


class Tally:
    """The events so far: how many, and which refusals are already reported."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self._refusals: dict[str, str] = {}

    def refusal(self, what: str, error: HippoError) -> list[WatchEvent]:
        """The event of a refusal of ``what``: none as long as it stays the same."""
        text = f"{error.message}; {error.advice}" if error.advice else error.message
        if self._refusals.get(what) == text:
            return []
        self._refusals[what] = text
        return [WatchEvent(REFUSED, error.where, None, text)]

    def success(self, what: str) -> None:
        """The next refusal of ``what`` is reported again."""
        self._refusals.pop(what, None)
