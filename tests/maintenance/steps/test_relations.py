from __future__ import annotations

from hypothesis import given

from hippocampus_cli.index.archive import Why, retired
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.maintenance.actions import Kind
from hippocampus_cli.maintenance.steps.relations import orphans
from tests.maintenance.steps.made import NOW, block, index, indexes, snapshot


def alone(whole: Hierarchy) -> list[str]:
    return [action.key for action in orphans(whole, snapshot()).actions]


def test_an_entry_that_relates_to_none_is_listed() -> None:
    whole = index(block("a"), block("b", rel="c"), block("c", rel="b"), block("d"))
    assert alone(whole) == ["a", "d"]
    first, _ = orphans(whole, snapshot()).actions
    assert first.kind is Kind.ORPHAN


def test_one_side_is_enough_and_an_alias_counts_but_what_is_gone_does_not() -> None:
    assert alone(index(block("a", rel="b"), block("b"))) == []
    assert alone(index(block("a", rel="old"), block("b", aka="old"))) == []
    assert alone(index(block("a", rel="gone,a"), block("b"))) == ["a", "b"]
    pruned = retired(index(block("a", rel="b"), block("b")), {"b": {}}, Why.PRUNED, NOW.date())
    assert alone(pruned) == ["a"]


def test_bullets_the_queue_and_what_was_answered_are_not_listed() -> None:
    whole = index(block("a"), "- Shipping → TOOLS.md <!-- hx: id=c -->").moved(
        ["a"], ("Decay Queue",)
    )
    assert alone(whole) == []
    whole = index(block("a"))
    assert not orphans(whole, snapshot(undone=[(Kind.ORPHAN, "a")])).actions


@given(indexes())
def test_nothing_is_changed(whole: Hierarchy) -> None:
    assert orphans(whole, snapshot()).result == whole
