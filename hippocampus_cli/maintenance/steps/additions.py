"""Entries for new notes and new sections (INDEX §8.2 daily 2)."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.metadata import Source
from hippocampus_cli.maintenance.actions import Action, Kind, Planned
from hippocampus_cli.maintenance.bootstrap import Addition, plan_bootstrap, with_additions
from hippocampus_cli.maintenance.snapshot import Snapshot
from hippocampus_cli.markdown.tokens import tokens
from hippocampus_cli.workspace.kinds import NoteKind, kind_of

_CYCLE = timedelta(hours=1)
"""How long a defrag cycle writes at most."""
_OF_A_NOTE = 110
"""Tokens that each new note may take, whatever the budget: what has no room is moved to a topic file."""


def add_new(index: Hierarchy, snapshot: Snapshot) -> Planned:
    """Entries for what the fresh notes hold and nothing leads to, archived entries included.

    What is new is always indexed, each note at least as a whole. Where nothing is known of the last time,
    what is new cannot be told from what found no room then: the index's own budget decides.
    """
    if not snapshot.fresh:
        return Planned(index)
    room = _room(index, snapshot) if snapshot.known else None
    plan = plan_bootstrap(index, snapshot.fresh, snapshot.config, snapshot.clock(index), room)
    if not plan.additions:
        return Planned(index)
    additions = [_of_defrag(addition, snapshot) for addition in plan.additions]
    actions = tuple(
        Action(
            Kind.ADD,
            addition.draft.id,
            "a new section" if addition.path in snapshot.known else "a new note",
            after=str(addition.draft.pointers[0]),
        )
        for addition in additions
    )
    return Planned(with_additions(index, additions), actions)


def _of_defrag(addition: Addition, snapshot: Snapshot) -> Addition:
    """The addition with ``src=defrag`` where a defrag cycle wrote its note: what it consolidates is new content of
    other notes than logs (INDEX §8.3), saved shortly before it ends."""
    found = snapshot.present.get(addition.path)
    if found is None or kind_of(addition.path) is NoteKind.DAILY:
        return addition
    written = datetime.fromtimestamp(found.mtime_ns / 1e9, UTC)
    if not any(start <= written < end for start, end in map(_while, snapshot.defrags)):
        return addition
    return replace(addition, draft=addition.draft.replaced(src=Source.DEFRAG))


def _while(end: datetime) -> tuple[datetime, datetime]:
    """When a defrag cycle may have written: its log says the end to the minute, or only the day."""
    if (end.hour, end.minute) == (0, 0):
        return end, end + timedelta(days=1)
    return end - _CYCLE, end + timedelta(minutes=1)


def _room(index: Hierarchy, snapshot: Snapshot) -> int:
    sizes = snapshot.config.index
    return max(sizes.max_tokens - tokens(index.master.text), _OF_A_NOTE * len(snapshot.fresh))
