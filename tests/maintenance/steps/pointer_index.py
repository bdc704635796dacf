"""One entry and its pointers, verified: what the tests of the pointer steps have in common."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from hippocampus_cli.index.entry import Entry
from hippocampus_cli.maintenance.actions import Action, Planned
from hippocampus_cli.maintenance.steps.pointers import verify
from tests.maintenance.snapshots import snapshot_of
from tests.support.indexes import index_of


class Outcome(NamedTuple):
    """What came of it: each action as ``kind before => after``, and the entry afterwards."""

    said: list[str]
    entry: Entry
    plan: Planned

    @property
    def pointers(self) -> list[str]:
        return [str(pointer) for pointer in self.entry.pointers]


def index_text(pointers: str, more: str = "") -> str:
    """An index of one entry ``a``."""
    values = f"id=a | created=2026-01-01 | accessed=2026-01-01 | hits=1 | str=0.5{more}"
    return f"# Index\n\n## By Topic\n\n### A\nOf a.\n→ {pointers}\n<!-- hx: {values} -->\n"


def verified(
    pointers: str,
    before: Mapping[str, str],
    after: Mapping[str, str],
    *,
    more: str = "",
    **conditions: Any,
) -> Outcome:
    """The entry ``a`` with these pointers, after a look at all pointers; a second look plans nothing."""
    index = index_of(index_text(pointers, more))
    snapshot = snapshot_of(before, after, **conditions)
    plan = verify(index, snapshot)
    again = verify(plan.result, snapshot)
    assert again.result == plan.result
    assert again.actions == ()
    return Outcome(list(map(said, plan.actions)), plan.result.by_key["a"].entry, plan)


def said(action: Action) -> str:
    return f"{action.kind} {action.before} => {action.after}"
