from __future__ import annotations

from hypothesis import given

from hippocampus_cli.index.archive import Why, retired
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.maintenance.actions import Kind
from hippocampus_cli.maintenance.steps.relations import orphans
from tests.maintenance.steps.made import NOW, block, index, indexes, snapshot


def alone(whole: Hierarchy) -> dict[str, str]:
    return {action.key: action.after for action in orphans(whole, snapshot()).actions}


def test_an_entry_that_relates_to_none_is_listed_with_those_that_share_rare_words() -> None:
    whole = index(
        block("a", "Ghost alarms", "The firmware watchdog", tags="buoy"),
        block("b", "Firmware watchdog bench test", rel="c"),
        block("c", "Buoy alarms", rel="b"),
        block("d", "Invoices"),
    )
    assert alone(whole) == {"a": "b, c", "d": ""}
    first, second = orphans(whole, snapshot()).actions
    assert first.kind is Kind.ORPHAN
    assert first.reason == ("no relations; nearest: b, c (what is used together is related weekly)")
    assert second.reason == "no relations, and no entry shares two rare words with it"


def test_one_side_is_enough_and_an_alias_counts_but_what_is_gone_does_not() -> None:
    assert alone(index(block("a", rel="b"), block("b"))) == {}
    assert alone(index(block("a", rel="old"), block("b", aka="old"))) == {}
    assert set(alone(index(block("a", rel="gone,a"), block("b")))) == {"a", "b"}
    pruned = retired(index(block("a", rel="b"), block("b")), {"b": {}}, Why.PRUNED, NOW.date())
    assert set(alone(pruned)) == {"a"}


def test_a_word_of_many_entries_ties_none_of_them_together() -> None:
    def suggestions(count: int) -> str:
        others = [block(f"e{at}", "Kelpie farm", rel="e0,e1") for at in range(count)]
        return alone(index(block("a", "Kelpie farm"), *others))["a"]

    assert suggestions(7) == "e0, e1, e2"
    assert suggestions(8) == ""


def test_at_most_three_are_suggested_the_rarest_words_first() -> None:
    texts = [
        block(f"e{at}", f"Kelpie farm {'buoy' if at == 4 else ''}", rel="e0,e1") for at in range(5)
    ]
    found = alone(index(block("a", "Kelpie farm buoy"), *texts))
    assert found["a"] == "e4, e0, e1"


def test_bullets_the_queue_and_what_was_answered_are_not_listed() -> None:
    whole = index(block("a"), "- Shipping → TOOLS.md <!-- hx: id=c -->").moved(
        ["a"], ("Decay Queue",)
    )
    assert alone(whole) == {}
    whole = index(block("a"))
    assert not orphans(whole, snapshot(undone=[(Kind.ORPHAN, "a")])).actions


@given(indexes())
def test_nothing_is_changed(whole: Hierarchy) -> None:
    assert orphans(whole, snapshot()).result == whole
