"""What upkeep did and what became of the notes, as one list of what happened. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence, Set

from hippocampus_cli.index.hierarchy import Hierarchy
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
