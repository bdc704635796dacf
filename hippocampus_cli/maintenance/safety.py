"""What upkeep may never do, and what it may not do unasked (decision D16, STYLE's *verify*)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from hippocampus_cli.errors import IndexRefused, LossRefused
from hippocampus_cli.index.document import MASTER, Heading, Text
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.views import BY_TIME, without_periods
from hippocampus_cli.maintenance.actions import LOSSES, Kind
from hippocampus_cli.maintenance.cycles import Plan
from hippocampus_cli.maintenance.relocate import paths_of
from hippocampus_cli.maintenance.snapshot import Snapshot
from hippocampus_cli.markdown.lines import split_lines

_UNMOUNTED = 0.5
"""Of the notes that were there last time, or are pointed at, this share must be there."""
_FEW = 5
"""Where fewer notes are expected, most of them may well have been moved or removed on purpose."""


def check_losses(plan: Plan, snapshot: Snapshot) -> None:
    """Raises :class:`LossRefused` where a plan archives or merges more than ``upkeep.loss_limit``.

    One entry is always allowed, or an index of four could never be looked after. A workspace that looks
    empty or unmounted allows none, and no entry is marked stale or re-pointed either; elsewhere a pointer that
    follows its note is no loss, as it was found by its content.
    """
    total = len(plan.before.entries)
    lost = {action.key for action in plan.actions if action.kind in LOSSES}
    touched = {
        action.key for action in plan.actions if action.kind in (Kind.FLAG, Kind.REPOINT, *LOSSES)
    }
    if touched and (why := looks_unmounted(plan.before, snapshot)):
        raise LossRefused(count=len(touched), total=total, why=why)
    limit = snapshot.config.upkeep.loss_limit
    if len(lost) > max(limit * total, 1 if limit else 0):
        raise LossRefused(count=len(lost), total=total, why=f"more than {limit:.0%} at once")


def looks_unmounted(index: Hierarchy, snapshot: Snapshot) -> str:
    """Why the workspace looks as if its notes were not there at the moment; empty where it does not.

    What is known to be gone, since the entry that points at it is marked stale, is not expected.
    """
    if not snapshot.paths:
        return "there is no note in the workspace: is it mounted?"
    missed = {*paths_of(each for each in index.entries if each.entry.stale)} - snapshot.paths
    paths = snapshot.known or {*paths_of(index.entries)}
    there = Counter(path in snapshot.paths for path in paths if path not in missed)
    gone, total = there[False], there.total()
    if gone > _UNMOUNTED * total and total >= _FEW:
        return f"{gone:,} of {total:,} notes are gone: is all of it mounted?"
    return ""


def check_plan(plan: Plan) -> None:
    """Raises :class:`IndexRefused` where a plan would lose an entry, living or archived, or a line that stands
    between the entries. No plan does that; this is what makes it impossible rather than unlikely."""
    require_all(ids_of(plan.before), plan.after)
    if not plan.changes:
        return
    left = Counter(_lines(*plan.after.texts.values()))
    for path, document in plan.before.files.items():
        held = document if BY_TIME in document.views else without_periods(document)
        own = (node.raw for node in held.nodes if isinstance(node, (Heading, Text)))
        for line in Counter(_lines(*own)) - left:
            raise IndexRefused(path=path, reason=f"upkeep would lose the line {line[:60]!r}")


def require_all(ids: Iterable[str], index: Hierarchy) -> None:
    """Raises :class:`IndexRefused` where an entry with one of these ids would be gone."""
    if lost := Counter(ids) - Counter(ids_of(index)):
        raise IndexRefused(path=MASTER, reason=f"this would lose {', '.join(sorted(lost)[:5])}")


def ids_of(index: Hierarchy) -> list[str]:
    """The ids of the living entries and of the archive's."""
    return [located.entry.id for located in (*index.entries, *index.archived)]


def _lines(*texts: str) -> Iterator[str]:
    """The lines with words, without the blanks around them; what may become the header has figures of hippo's."""
    lines = (line.strip() for text in texts for line in split_lines(text))
    return (line for line in lines if line and not line.startswith("<!-- hippocampus.md"))
