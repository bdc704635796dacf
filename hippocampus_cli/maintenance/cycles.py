"""The cycles: which steps each consists of, and when one is due (INDEX §8.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from hippocampus_cli.errors import UsageError
from hippocampus_cli.fast_types import Frozen
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.maintenance.actions import (
    Action,
    Planned,
    Step,
    in_turn,
    until_settled,
)
from hippocampus_cli.maintenance.snapshot import Snapshot
from hippocampus_cli.maintenance.steps.additions import add_new
from hippocampus_cli.maintenance.steps.aliases import learn_aliases
from hippocampus_cli.maintenance.steps.decay_queue import (
    archive_lost,
    archive_silent,
    consolidate,
    prune,
    queue_silent,
    revive,
)
from hippocampus_cli.maintenance.steps.lists import is_behind, redraw
from hippocampus_cli.maintenance.steps.merging import merge_duplicates
from hippocampus_cli.maintenance.steps.pointers import drop_lost, verify
from hippocampus_cli.maintenance.steps.relations import relate
from hippocampus_cli.maintenance.steps.sharding import promote, shard
from hippocampus_cli.maintenance.steps.strengths import (
    as_of_now,
    fold_accesses,
    recalculate,
    replay,
)
from hippocampus_cli.maintenance.steps.summaries import follow_notes
from hippocampus_cli.workspace.meta import DAILY, MONTHLY, PERIODS, WEEKLY

REPLAY, SYNC, FORGET = "replay", "sync", "forget"

# Pointers come before additions: a section that was renamed must not be taken for a new one. Strengths are written
# once a month, and computed whenever they are read (D21). What is moved for its strength comes after all that
# changes it; who leaves takes relations along, and those count for the strengths of others.
_ALWAYS: tuple[Step, ...] = (
    fold_accesses,
    verify,
    follow_notes,
    add_new,
    replay,
    learn_aliases,
)
_STEPS: Mapping[str, tuple[Step, ...]] = {
    DAILY: (*_ALWAYS, queue_silent, revive, shard),
    WEEKLY: (
        *_ALWAYS,
        merge_duplicates,
        until_settled(relate, queue_silent, revive, prune),
        shard,
        promote,
    ),
    MONTHLY: (
        *_ALWAYS,
        merge_duplicates,
        until_settled(
            relate, recalculate, consolidate, queue_silent, revive, prune, archive_silent
        ),
        drop_lost,
        archive_lost,
        shard,
        promote,
    ),
    REPLAY: (replay,),
    SYNC: (verify, add_new, shard),
    FORGET: (follow_notes, add_new, shard),
}
_LISTS: Mapping[str, Step] = {
    DAILY: until_settled(partial(redraw, cycle=DAILY), shard),
    WEEKLY: until_settled(redraw, shard, promote),
    MONTHLY: until_settled(redraw, shard, promote),
    REPLAY: partial(redraw, cycle=DAILY),
    SYNC: lambda index, snapshot: Planned(index),
    FORGET: redraw,
}
"""What comes last: the generated lists; where they are longer than before they may leave less room for entries."""


def check_cycle(cycle: str) -> None:
    """Raises :class:`UsageError` for a word that is no cycle."""
    if cycle not in _STEPS:
        raise UsageError(
            reason=f"unknown cycle {cycle!r}", advice=f"use one of {', '.join(_STEPS)}"
        )


class Plan(Frozen):
    """What a cycle would do: its actions, and the index before and after."""

    cycle: str
    actions: tuple[Action, ...]
    before: Hierarchy
    after: Hierarchy

    @property
    def changes(self) -> bool:
        """Whether anything would be written to the index."""
        return self.before != self.after


def plan(cycle: str, index: Hierarchy, snapshot: Snapshot) -> Plan:
    """The plan of a cycle. Pure: at the same time, a second one over its outcome is empty (law 5).

    Where nothing else changes, the header and the lists stay as they are, however late it has become (D21).
    """
    result, actions = in_turn(_STEPS[cycle], index, snapshot)
    if result != index or (cycle != SYNC and is_behind(index, snapshot, cycle)):
        if cycle in PERIODS:  # the header says up to when accesses are in the index
            result, dated = as_of_now(result, snapshot)
            actions += dated
        result, lists = _LISTS[cycle](result, snapshot)
        result = result.counted()
        actions += lists
    return Plan(cycle, actions, index, result)


def included(cycle: str) -> Sequence[str]:
    """The cycles that a run of this one counts as."""
    names = list(PERIODS)
    return names[: names.index(cycle) + 1] if cycle in names else ()
