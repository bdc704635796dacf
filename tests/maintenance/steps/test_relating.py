from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.entries.relations import MOST
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.maintenance.actions import Kind
from hippocampus_cli.maintenance.steps.aliases import DAYS, learn_aliases
from hippocampus_cli.maintenance.steps.relations import ROOM, relate
from hippocampus_cli.workspace.journal import Event
from tests.maintenance.steps.made import (
    NOW,
    asked,
    block,
    blocks,
    everywhere,
    index,
    indexes,
    one,
    snapshot,
)

MINUTE = timedelta(minutes=1)


DAY = timedelta(days=1)


def related(whole: Hierarchy, *events: Event) -> dict[str, tuple[str, ...]]:
    after = relate(whole, snapshot(events=events)).result
    return {located.key: located.entry.rel for located in after.entries}


def test_two_sittings_together_make_a_mutual_relation() -> None:
    whole = index(block("a"), block("b", rel="c"), block("c", rel="b"))
    events = [asked("a", ago=DAY), asked("b", ago=DAY - 29 * MINUTE), asked("a", "b", ago=2 * DAY)]
    assert related(whole, *events) == {"a": ("b",), "b": ("c", "a"), "c": ("b",)}
    planned = relate(whole, snapshot(events=events))
    assert [action.kind for action in planned.actions] == [Kind.RELATE] * 2
    assert planned.actions[1].reason == "used together with a"
    assert (planned.actions[1].before, planned.actions[1].after) == ("c", "c, a")


def test_one_sitting_however_busy_makes_none() -> None:
    whole = index(block("a"), block("b"))
    busy = [asked("a", "b", ago=DAY - n * MINUTE) for n in range(30)]
    assert related(whole, *busy) == {"a": (), "b": ()}
    apart = [
        asked("a", ago=2 * DAY),
        asked("b", ago=2 * DAY - 31 * MINUTE),
        asked("a", "b", ago=DAY),
    ]
    assert related(whole, *apart) == {"a": (), "b": ()}


def test_what_was_used_together_in_the_future_says_nothing() -> None:
    whole = index(block("a"), block("b"))
    events = [asked("a", "b", ago=ago) for ago in (-DAY, -2 * DAY)]
    assert related(whole, *events) == {"a": (), "b": ()}


def test_the_pairs_of_most_sittings_come_first_and_no_entry_gets_more_than_its_room() -> None:
    names = [f"n{at}" for at in range(9)]
    whole = index(block("a"), *map(block, names))
    events = [
        asked("a", name, ago=(1 + at + 10 * turn) * DAY)
        for at, name in enumerate(names)
        for turn in range(2 + (name == "n8"))
    ]
    found = related(whole, *events)
    most = MOST + ROOM
    assert found["a"] == ("n8", "n0", "n1", "n2", "n3", "n4")[:most] and len(found["a"]) == most
    assert found["n5"] == ()


def test_relations_to_itself_go_those_to_a_merged_entry_lead_on_and_those_to_a_later_one_stay() -> (
    None
):
    whole = index(block("a", rel="later,old,b,c,a"), block("b", aka="old"), block("c", rel="c"))
    assert related(whole) == {"a": ("later", "b", "c"), "b": (), "c": ()}
    assert "rel" not in one(relate(whole, snapshot()).result, "c").entry.values


def test_a_relation_to_an_archived_entry_goes() -> None:
    from hippocampus_cli.index.archive import Why, retired

    whole = retired(index(block("a", rel="b"), block("b")), {"b": {}}, Why.PRUNED, NOW.date())
    assert related(whole) == {"a": ()}


def test_events_name_an_entry_by_an_old_id() -> None:
    whole = index(block("a"), block("b", aka="old"))
    assert related(whole, asked("a", "old"), asked("b", "a", ago=3 * DAY))["a"] == ("b",)
    assert related(whole, asked("b", "old"), asked("b", "old", ago=3 * DAY))["b"] == ()


def test_what_was_taken_back_is_left_alone_on_both_sides() -> None:
    events = [asked("a", "b"), asked("a", "b", ago=3 * DAY)]
    whole = index(block("a"), block("b"))
    assert not relate(whole, snapshot(events=events, undone=[(Kind.RELATE, "b")])).actions


EVENTS = st.lists(
    st.builds(
        lambda used, hours: asked(*used, ago=timedelta(hours=hours)),
        st.lists(st.sampled_from("abcdefgh"), max_size=4),
        st.integers(0, 60 * 24),
    ),
    max_size=30,
)


@given(indexes(), EVENTS)
def test_a_second_run_plans_nothing_and_relations_that_live_stay(
    whole: Hierarchy, events: list[Event]
) -> None:
    world = snapshot(events=events)
    once, actions = relate(whole, world)
    assert not relate(once, world).actions
    touched = {action.key for action in actions}
    for located in whole.entries:
        after = one(once, located.key).entry
        living = {id for id in located.entry.rel if id in whole.ids and id != located.key}
        assert living <= {*after.rel}
        if located.key not in touched:
            assert after == located.entry


@given(blocks(), EVENTS, st.randoms(use_true_random=False))
def test_the_order_of_entries_and_of_events_decides_nothing(made, events, random) -> None:  # type: ignore[no-untyped-def]
    shuffled = random.sample(made, len(made))
    this = relate(index(*made), snapshot(events=events)).result
    that = relate(index(*shuffled), snapshot(events=random.sample(events, len(events)))).result
    assert everywhere(this) == everywhere(that)


def test_sittings_are_counted_from_the_first_use_of_each() -> None:
    whole = index(block("a"), block("b"))
    events = [asked("a", "b", ago=ago * MINUTE) for ago in (120, 100, 80)]
    assert related(whole, *events[:2]) == {"a": (), "b": ()}
    assert related(whole, *events[:3]) == {"a": ("b",), "b": ("a",)}


QUESTION = "how do we push the buoy firmware?"


def question(ago: int, *used: str, wrong: str = "", query: str = QUESTION) -> Event:
    events = (), used, (), {}, "", None, (wrong,) if wrong else ()
    return Event(NOW - timedelta(days=ago), query, "both", *events)


def asked_on(days: int, *used: str) -> list[Event]:
    """The question on so many days, answered for sure on the last of them."""
    return [*(question(ago) for ago in range(days, 1, -1)), question(1, *used)]


@pytest.mark.parametrize(
    ("events", "also"),
    [
        (asked_on(DAYS, "a"), (QUESTION,)),
        ([*asked_on(DAYS, "a"), question(0, query="the firmware of the buoy: push?")], (QUESTION,)),
        (asked_on(DAYS - 1, "a"), ()),
        ([question(1, "a")] * 9, ()),  # often on one day
        (asked_on(DAYS), ()),  # never answered for sure
        ([*asked_on(DAYS, "a"), question(0, wrong="a")], ()),
        ([*asked_on(DAYS, "b"), question(0, "a")], (QUESTION,)),  # what answered it in the end
        ([question(ago, "a", query="deploy") for ago in range(9)], ()),  # says it already
    ],
)
def test_what_is_asked_on_five_days_is_a_phrase_of_what_answered_it(
    events: list[Event], also: tuple[str, ...]
) -> None:
    whole = index(block("a", "Deploy"), block("b"))
    once = learn_aliases(whole, snapshot(events=events))
    assert once.result.by_key["a"].entry.also == also
    assert [action.kind for action in once.actions] == [Kind.ALIAS] * bool(also)
    assert learn_aliases(once.result, snapshot(events=events)).actions == ()
    undone = snapshot(events=events, undone=[(Kind.ALIAS, "a")])
    assert learn_aliases(whole, undone).result == whole
