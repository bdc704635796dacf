"""Entries for new notes and new sections (INDEX §8.2 daily 2)."""

from __future__ import annotations

from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.maintenance.actions import Action, Kind, Planned
from hippocampus_cli.maintenance.bootstrap import plan_bootstrap, with_additions
from hippocampus_cli.maintenance.snapshot import Snapshot
from hippocampus_cli.markdown.tokens import tokens

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
    plan = plan_bootstrap(index, snapshot, room)
    kinds = ("a new note", "a new section")
    actions = tuple(
        Action(
            Kind.ADD,
            addition.draft.id,
            f"{kinds[addition.path in snapshot.known]}; {addition.why}".rstrip("; "),
            after=str(addition.draft.pointers[0]),
        )
        for addition in plan.additions
    )
    return Planned(with_additions(index, plan.additions), actions)


def _room(index: Hierarchy, snapshot: Snapshot) -> int:
    left = snapshot.config.index.max_tokens - tokens(index.master.text)
    return max(left, _OF_A_NOTE * len(snapshot.fresh))
