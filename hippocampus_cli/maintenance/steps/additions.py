"""Entries for new notes and new sections (INDEX §8.2 daily 2)."""

from __future__ import annotations

from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.maintenance.actions import Action, Kind, Planned
from hippocampus_cli.maintenance.bootstrap import plan_bootstrap, with_additions
from hippocampus_cli.maintenance.snapshot import Snapshot


def add_new(index: Hierarchy, snapshot: Snapshot) -> Planned:
    """Entries for what the fresh notes hold and nothing leads to, archived entries included.

    What is new comes to the master first: which entries have no room there is decided among all.
    """
    if not snapshot.fresh:
        return Planned(index)
    plan = plan_bootstrap(index, snapshot, snapshot.config.index.max_tokens)
    kinds = "a new note", "a new section"
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
