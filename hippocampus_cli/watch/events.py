"""What a watch reports: syncs, cycles and notices as one list, and to whom.

What a watch asks of maintenance, and what it is told in return.

What upkeep did and what became of the notes, as one list of what happened. Pure.

What a watch tells, and to whom.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import NamedTuple, Protocol

from hippocampus_cli.errors import HippoError
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.pointers import parse_pointers
from hippocampus_cli.maintenance.actions import Action, Kind
from hippocampus_cli.maintenance.cycles import Plan
from hippocampus_cli.watch.backends import Way
from hippocampus_cli.workspace.file_table import Diff

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


class WatchUpkeep(Protocol):
    """The work on the index; every method may raise any :class:`HippoError`."""

    def sync(self, now: datetime) -> Sequence[Happened]:
        """Bring the index in step with the notes, in one locked write; cheap where nothing changed."""

    def due(self, now: datetime) -> Sequence[str]:
        """The names of the cycles that are due, such as ``daily``; cheap."""

    def run(self, cycle: str, now: datetime) -> Sequence[Happened]:
        """Run one cycle."""


_KINDS = {
    Kind.ADD: ADDED,
    Kind.REPOINT: MOVED,
    Kind.FLAG: GONE,
    Kind.CLEAR: CHANGED,
    Kind.PROPOSE: NOTICE,
}
_UNTOLD = (Kind.STRENGTH, Kind.LIST)


def of_sync(plan: Plan, notes: Diff) -> list[Happened]:
    """What happened to entries, then to the notes that none of these tells of."""
    said = (*plan.actions, *plan.remarks)
    told = [_of_action(one, plan) for one in said if one.kind in _KINDS]
    paths = {path for one in plan.actions for path in _paths(one)} | {one.path for one in told}
    leads = _leads(plan.after)
    return [*told, *(one for one in _of_notes(notes, leads) if one.path not in paths)]


def of_cycle(plan: Plan) -> Happened:
    """A cycle, with what it did in figures."""
    counts = Counter(one.kind for one in plan.actions if one.kind not in _UNTOLD)
    done = ", ".join(f"{counts[kind]:,} {kind}" for kind in Kind if counts[kind])
    nothing = "strengths and lists" if plan.changes else "nothing to do"
    return Happened(CYCLE, "", None, f"{plan.cycle}: {done or nothing}")


def _of_action(one: Action, plan: Plan) -> Happened:
    located = plan.after.by_key.get(one.key)
    pointers = located.entry.pointers if located else ()
    told = () if one.kind is Kind.CLEAR else (one.after, one.before)  # it names no pointer
    there = next(filter(None, map(parse_pointers, told)), pointers)
    path = there[0].path if there else ""
    detail = one.reason
    if one.kind is Kind.ADD and located:
        detail = located.entry.topic
    elif one.kind is Kind.REPOINT:
        detail = f"from {one.before}"
    return Happened(_KINDS[one.kind], path, one.key, detail)


def _paths(one: Action) -> Sequence[str]:
    """The paths that an action tells of."""
    if one.kind not in (Kind.ADD, Kind.REPOINT, Kind.FLAG):
        return ()
    texts = (one.before, one.after)
    return [pointer.path for text in texts for pointer in parse_pointers(text)]


def _leads(index: Hierarchy) -> dict[str, set[str]]:
    """The keys of the entries that point at each note."""
    leads: dict[str, set[str]] = {}
    for located in index.entries:
        for pointer in located.entry.pointers:
            leads.setdefault(pointer.path, set()).add(located.key)
    return leads


def _of_notes(notes: Diff, leads: Mapping[str, Set[str]]) -> Iterator[Happened]:
    """The entry is named where there is one alone."""
    for stat in notes.added:
        found = leads.get(stat.path, ())
        detail = "there again" if found else "new, without an entry of its own"
        yield Happened(CHANGED, stat.path, _only(found), detail)
    for stat in notes.changed:
        yield Happened(CHANGED, stat.path, _only(leads.get(stat.path, ())), "")
    for stat in notes.removed:
        yield Happened(GONE, stat.path, _only(leads.get(stat.path, ())), "")


def _only(keys: Collection[str]) -> str | None:
    return next(iter(keys)) if len(keys) == 1 else None


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
