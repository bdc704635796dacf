"""Whole cycles over an index in memory: a second run plans nothing (law 5)."""

from __future__ import annotations

import pytest

from hippocampus_cli.config.settings import Config, Decay, Upkeep
from hippocampus_cli.maintenance.actions import Kind
from hippocampus_cli.maintenance.cycles import plan
from tests.support.indexes import index_of
from tests.support.upkept import entry, snapshot, text


@pytest.mark.parametrize("cycle", ["weekly", "monthly"])
def test_relations_to_what_the_same_cycle_archives_go_with_it(cycle: str) -> None:
    """Shrunk from a life: the relation was dropped by the next run only, and strength fell once more."""
    gone = [entry(key, age=900, base=0.3) for key in ("x", "y", "z")]
    kept = entry("a", age=3, rel="x,y,z,gone")
    index = index_of(text([kept], gone))
    seen = snapshot(config=Config(decay=Decay(forgetting=0.6), upkeep=Upkeep(loss_limit=1.0)))
    first = plan(cycle, index, seen)
    assert {one.key for one in first.actions if one.kind is Kind.PRUNE} == {"x", "y", "z"}
    assert first.after.by_key["a"].entry.rel == ("gone",)  # that is yet to be written
    assert plan(cycle, first.after, seen).actions == ()
