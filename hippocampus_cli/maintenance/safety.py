"""What upkeep may never do, and what it may not do unasked (decision D16, STYLE's *verify*)."""

from __future__ import annotations

from collections import Counter

from hippocampus_cli.errors import IndexRefused, LossRefused
from hippocampus_cli.index.document import MASTER, Document, Header, Located, View
from hippocampus_cli.index.entry import Entry
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.maintenance.actions import LOSSES, Kind
from hippocampus_cli.maintenance.cycles import SYNC, Plan
from hippocampus_cli.maintenance.relocate.sections import path_of
from hippocampus_cli.maintenance.snapshot import Snapshot

_UNMOUNTED = 0.5
"""Of the notes that were there last time, or are pointed at, this share must be there."""
_FEW = 5
"""Where fewer notes are expected, most of them may well have been moved or removed on purpose."""


def check_losses(plan: Plan, snapshot: Snapshot) -> None:
    """Raises :class:`LossRefused` where a plan moves or re-points more than ``upkeep.loss_limit``.

    One entry is always allowed, or an index of four could never be looked after. A workspace that looks
    empty or unmounted allows none, and no entry is marked stale either. New strengths do not count.
    """
    total = len(plan.before.entries)
    lost = {one.key for one in plan.actions if one.kind in LOSSES}
    flagged = {one.key for one in plan.actions if one.kind is Kind.FLAG}
    if (lost or flagged) and (why := looks_unmounted(plan.before, snapshot)):
        raise LossRefused(count=len(lost | flagged), total=total, why=why)
    limit = snapshot.config.upkeep.loss_limit
    if plan.cycle == SYNC:  # a folder renamed while one watches: found by its content, so it may
        lost = {one.key for one in plan.actions if one.kind in LOSSES - {Kind.REPOINT}}
    if len(lost) > max(limit * total, 1 if limit else 0):
        raise LossRefused(count=len(lost), total=total, why=f"more than {limit:.0%} at once")


def looks_unmounted(index: Hierarchy, snapshot: Snapshot) -> str:
    """Why the workspace looks as if its notes were not there at the moment; empty where it does not.

    What is known to be gone, since the entry that points at it is marked stale, is not expected.
    """
    if not snapshot.paths:
        return "there is no note in the workspace: is it mounted?"
    missed = {path for one in index.entries if one.entry.stale for path in _targets(one)}
    pointed = {path for one in index.entries for path in _targets(one)}
    expected = (set(snapshot.known) or pointed) - (missed - snapshot.paths)
    gone = expected - snapshot.paths
    if len(gone) > _UNMOUNTED * len(expected) and len(expected) >= _FEW:
        return f"{len(gone):,} of {len(expected):,} notes are gone: is all of it mounted?"
    return ""


def _targets(located: Located) -> set[str]:
    return {path for pointer in located.entry.pointers if (path := path_of(pointer))}


def check_conserved(before: Hierarchy, after: Hierarchy) -> None:
    """Raises :class:`IndexRefused` where an entry, or a line that a person wrote, would be gone.

    No plan does that; this is what makes it impossible rather than unlikely.
    """
    missing = _ids(before) - _ids(after)
    if missing:
        raise IndexRefused(
            path=MASTER, reason=f"upkeep would lose {', '.join(sorted(missing)[:5])}"
        )
    for path, document in before.files.items():
        there = after.files.get(path)
        if there is None or not _is_within(_prose(document), _prose(there)):
            raise IndexRefused(path=path, reason="upkeep would lose text that is nobody's entry")


def _ids(index: Hierarchy) -> Counter[str]:
    return Counter(one.entry.id for one in (*index.entries, *index.archived))


def _prose(document: Document) -> list[str]:
    """The lines with words that belong to no entry and no generated list."""
    raws = (one.raw for one in document.nodes if not isinstance(one, (Entry, View, Header)))
    lines = (line.strip() for raw in raws for line in raw.replace("\r", "\n").split("\n"))
    return [line for line in lines if line]


def _is_within(lines: list[str], others: list[str]) -> bool:
    """Whether ``lines`` stand in ``others`` in their order."""
    rest = iter(others)
    return all(line in rest for line in lines)
