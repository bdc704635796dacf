"""The master stays within its budget: the weakest move to topic files and return when they grow strong."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.index.document import MASTER
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.maintenance.actions import Kind
from hippocampus_cli.maintenance.cycles import plan
from hippocampus_cli.maintenance.steps.sharding import promote, shard
from hippocampus_cli.markdown.tokens import tokens
from tests.support.indexes import index_of
from tests.support.upkept import entry, sized, snapshot, text

TOPIC = ".hippocampus/topics/projects.md"


def index_with(ages: list[int]) -> Hierarchy:
    return index_of(text([entry(f"e{at}", age=age) for at, age in enumerate(ages)]))


def test_the_weakest_move_out_and_a_second_run_moves_none() -> None:
    index = index_with([1, 300, 2, 200, 3, 100])
    seen = snapshot(config=sized(tokens(index.master.text) - 1, tokens(index.master.text) - 60))
    planned = shard(index, seen)
    assert [one.key for one in planned.actions][:2] == ["e1", "e3"]
    assert {one.kind for one in planned.actions} == {Kind.SHARD}
    assert planned.result.by_key["e1"].file == TOPIC
    assert tokens(planned.result.master.text) <= seen.config.index.sharded_tokens
    assert shard(planned.result, seen).actions == ()
    assert promote(planned.result, seen).actions == ()


def test_what_leaves_first_is_of_the_least_worth_however_strong() -> None:
    blocks = [entry("a", age=90), entry("b/c/d"), entry("e", "Part", src="auto"), entry("f")]
    index = index_of(text(blocks))
    size = tokens(index.master.text)
    planned = shard(index, snapshot(config=sized(size - 1, size - 20)))
    assert {one.key for one in planned.actions} == {"e", "b/c/d"}


def test_within_the_budget_nothing_moves() -> None:
    index = index_with([1, 2])
    assert shard(index, snapshot()) == (index, ())


@pytest.mark.parametrize("cycle", ["sync", "daily", "weekly", "monthly"])
def test_every_cycle_leaves_room_for_what_a_day_adds(cycle: str) -> None:
    index = index_with([1, 300, 2, 200, 3, 100])
    size = tokens(index.master.text)
    seen = snapshot(config=sized(size + 1, size))
    assert tokens(plan(cycle, index, seen).after.master.text) < size * 0.96


def test_a_pinned_entry_is_the_last_to_go() -> None:
    others = [entry(key) for key in "abcdef"]
    index = index_of(text([entry("p", age=999, pri="amygdala"), *others]))
    seen = snapshot(config=sized(tokens(index.master.text) - 1, tokens(index.master.text) - 20))
    assert shard(index, seen).actions
    assert "p" not in {one.key for one in shard(index, seen).actions}


def test_an_entry_that_is_used_returns_in_place_of_one_that_is_not() -> None:
    index = index_with([300, 300, 300, 300, 300, 300])
    seen = snapshot(config=sized(tokens(index.master.text) - 1, tokens(index.master.text) - 60))
    out = shard(index, seen).result
    key = next(one.key for one in out.entries if one.file != MASTER)
    used = out
    for _ in range(2):
        used = used.set_values({key: seen.clock(used).retrieved(used.by_key[key].entry)})
    planned = promote(used, seen)
    assert planned.result.by_key[key].file == MASTER
    assert {one.kind for one in planned.actions} == {Kind.PROMOTE, Kind.SHARD}
    assert tokens(planned.result.master.text) <= seen.config.index.sharded_tokens + 50
    assert promote(planned.result, seen).actions == ()
    assert shard(planned.result, seen).actions == ()


@given(st.lists(st.integers(0, 2000), min_size=1, max_size=12), st.integers(60, 400))
def test_no_budget_loses_an_entry_or_is_exceeded_by_what_can_move(
    ages: list[int], budget: int
) -> None:
    index = index_with(ages)
    seen = snapshot(config=sized(budget))
    planned = promote(shard(index, seen).result, seen)
    assert sorted(planned.result.by_key) == sorted(index.by_key)
    assert "My own words." in planned.result.master.text
    inside = [one for one in planned.result.entries if one.file == MASTER]
    assert tokens(planned.result.master.text) <= budget or not inside
    assert promote(shard(planned.result, seen).result, seen).actions == ()
