"""What upkeep did and what became of the notes, as one list of what happened. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from hippocampus_cli.index.pointers import parse_pointers
from hippocampus_cli.maintenance.actions import Action, Kind
from hippocampus_cli.maintenance.cycles import Plan
from hippocampus_cli.watching.upkeep import ADDED, CHANGED, CYCLE, GONE, MOVED, NOTICE, Happened
from hippocampus_cli.workspace.diff import Diff

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
    return [*told, *(one for one in _of_notes(notes) if one.path not in paths)]


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


def _of_notes(notes: Diff) -> Iterator[Happened]:
    for stat in notes.added:
        yield Happened(CHANGED, stat.path, None, "new, without an entry of its own")
    for stat in notes.changed:
        yield Happened(CHANGED, stat.path, None, "")
    for stat in notes.removed:
        yield Happened(GONE, stat.path, None, "")
