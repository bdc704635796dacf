"""The steps that time drives: strengths, the queue, the archive, consolidation, made-up accesses, replay."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.config.settings import Config, Upkeep
from hippocampus_cli.index.decay import reindexed
from hippocampus_cli.index.document import ARCHIVE, MASTER
from hippocampus_cli.index.pointers import Pointer
from hippocampus_cli.maintenance.actions import Action, Kind
from hippocampus_cli.maintenance.steps.decay_queue import (
    archive_lost,
    archive_silent,
    consolidate,
    prune,
    queue_silent,
    revive,
)
from hippocampus_cli.maintenance.steps.pointers import drop_lost
from hippocampus_cli.maintenance.steps.strengths import fold_accesses, recalculate, replay
from hippocampus_cli.workspace.journal import Event
from hippocampus_cli.workspace.meta import Defrag
from hippocampus_cli.workspace.resolve import Resolved, Status
from tests.support.indexes import index_of
from tests.support.upkept import NOW, entry, keys, snapshot, text

TEN_YEARS = 3650
FOREVER = 400_000
UNBOUND = snapshot(config=Config(upkeep=Upkeep(loss_limit=1.0)))


def test_strengths_are_written_as_of_now_and_twice_is_once() -> None:
    index = index_of(text([entry("a", age=7), entry("b"), entry("c", age=7, pri="amygdala")]))
    first = recalculate(index, snapshot())
    assert [(one.key, one.before, one.after) for one in first.actions] == [*(("a", "1.0", "0.42"),)]
    assert recalculate(first.result, snapshot()) == (first.result, ())


def test_an_entry_of_another_tool_is_taken_over_without_a_jump() -> None:
    foreign = "#### F\n→ f.md\n<!-- hx: id=f | accessed=2026-07-24 | hits=1 | str=0.30 -->\n"
    at_header = snapshot(now=NOW - timedelta(days=1))
    index = index_of(text([foreign]))
    assert recalculate(index, at_header) == (index, ())  # its band is what it says
    first = reindexed(index, at_header.clock(index))
    held = first.by_key["f"].entry
    assert held.strength == 0.3
    assert held.base == pytest.approx(0.3 / (1 + 0.1 * 7 * 24) ** -0.3, abs=0.001)
    later = recalculate(first.counted(NOW.isoformat()), snapshot())
    assert later.result.by_key["f"].entry.strength == pytest.approx(0.29, abs=0.011)
    assert recalculate(later.result, snapshot()) == (later.result, ())


def test_silent_entries_wait_in_the_queue_and_come_back_when_used() -> None:
    index = index_of(text([entry("a", age=TEN_YEARS), entry("b")]))
    queued = queue_silent(index, snapshot())
    located = queued.result.by_key["a"]
    assert located.section == ("Decay Queue",)
    assert located.entry.values["queued"] == "2026-08-01"
    assert [one.kind for one in queued.actions] == [Kind.QUEUE]
    assert queue_silent(queued.result, snapshot()).actions == ()
    assert revive(queued.result, snapshot()).actions == ()
    used = queued.result.set_values({"a": snapshot().clock(index).retrieved(located.entry)})
    back = revive(used, snapshot())
    assert back.result.by_key["a"].section == ("By Topic", "Projects")
    assert not {"queued", "home"} & set(back.result.by_key["a"].entry.values)
    assert revive(back.result, snapshot()).actions == ()


@pytest.mark.parametrize(
    "held", [{"pri": "amygdala", "base": "0.05"}, {"consolidated": "2026-01-01"}]
)
def test_what_is_pinned_or_consolidated_is_left_alone(held: dict[str, str]) -> None:
    index = index_of(text([entry("a", age=TEN_YEARS, **held)]))
    assert queue_silent(index, snapshot()) == (index, ())


def test_a_bullet_stays_where_its_writer_put_it() -> None:
    bullet = (
        "- Wifi → wifi.md <!-- hx: id=w | accessed=2001-01-01 | hits=0 | str=1.0 | base=1.0 -->\n"
    )
    index = index_of(text([bullet]))
    assert snapshot().clock(index).strength(index.by_key["w"].entry) < 0.1
    assert queue_silent(index, snapshot()) == (index, ())


def test_what_a_person_put_into_the_queue_is_stamped_when_silent_and_stays_otherwise() -> None:
    index = index_of(text([], [entry("old", age=TEN_YEARS), entry("parked")]))
    planned = queue_silent(index, snapshot())
    assert [one.key for one in planned.actions] == ["old"]
    assert keys(revive(planned.result, snapshot()).result, "Decay Queue") == ["old", "parked"]


def test_pruned_and_archived_entries_go_to_the_months_archive() -> None:
    silent = [
        entry("gone", age=FOREVER, queued="2026-07-20"),
        entry("long", age=TEN_YEARS, queued="2026-07-02"),
        entry("fresh", age=TEN_YEARS, queued="2026-07-03"),
        entry("used", queued="2026-01-01"),
    ]
    index = index_of(text([], silent))
    pruned = prune(index, UNBOUND)
    assert [one.key for one in pruned.actions] == ["gone"]
    archived = archive_silent(pruned.result, UNBOUND)
    assert [one.key for one in archived.actions] == ["long"]
    assert sorted(archived.result.by_key) == ["fresh", "gone", "long", "used"]
    for key, why in (("gone", "pruned"), ("long", "silent")):
        located = archived.result.by_key[key]
        assert located.file == f"{ARCHIVE}2026-08.md"
        assert located.entry.values["why"] == why
    again = archive_silent(prune(archived.result, UNBOUND).result, UNBOUND)
    assert again.actions == ()


def test_what_is_of_one_age_leaves_in_slices_one_a_day() -> None:
    index = index_of(
        text([], [entry(f"e{n:02}", age=FOREVER, queued="2026-07-20") for n in range(30)])
    )
    for day in range(3):
        seen = snapshot(now=NOW + timedelta(days=day))
        planned = prune(index, seen)
        assert 0 < len(planned.actions) <= 0.2 * len(index.entries)
        index = planned.result
        assert prune(index, seen).actions == ()
    assert (
        prune(
            index,
            snapshot(now=NOW + timedelta(days=1), config=Config(upkeep=Upkeep(loss_limit=0.0))),
        ).actions
        == ()
    )


def test_what_has_led_nowhere_for_a_month_goes_to_the_archive() -> None:
    half = entry("half", stale="2026-06-01").replace("half.md", "half.md | ok.md")
    kept = [entry("new", stale="2026-07-20"), entry("back", stale="2026-06-01"), entry("ok"), half]
    index = index_of(text([entry("old", stale="2026-06-01"), *kept]))

    def follow(pointer: Pointer) -> Resolved:
        there = pointer.path in ("back.md", "ok.md")
        return Resolved(Status.OK if there else Status.MISSING_FILE, pointer.path)

    seen = UNBOUND.replaced(follow=follow)
    dropped = drop_lost(index, seen)
    assert [(one.key, one.before) for one in dropped.actions] == [("half", "half.md")]
    left = dropped.result.by_key["half"].entry
    assert ([*map(str, left.pointers)], left.stale) == (["ok.md"], None)
    planned = archive_lost(dropped.result, seen)
    assert [one.key for one in planned.actions] == ["old"]
    assert planned.result.by_key["old"].entry.values["why"] == "gone"


def test_a_frozen_entry_is_consolidated_after_thirty_days() -> None:
    frozen = [
        entry("a", age=31, pri="amygdala"),
        entry("b", age=29, pri="amygdala"),
        entry("c", age=31),
    ]
    planned = consolidate(index_of(text(frozen)), snapshot())
    assert [one.key for one in planned.actions] == ["a"]
    assert planned.result.by_key["a"].entry.values["consolidated"] == "2026-08-01"
    assert consolidate(planned.result, snapshot()).actions == ()


@pytest.mark.parametrize(("ages", "stable"), [((1, 9, 20, 30), True), ((1, 2, 9, 20, 70), False)])
def test_what_is_asked_for_in_four_weeks_of_eight_is_consolidated(
    ages: tuple[int, ...], stable: bool
) -> None:
    events = [Event(NOW - timedelta(days=age), "q", "index", (), ("a",)) for age in ages]
    kept = entry("a", src="manual", created="2026-05-01")
    planned = consolidate(index_of(text([kept])), snapshot(events=events))
    assert bool(planned.actions) is stable
    young = entry("a", src="manual", created="2026-07-20")
    assert not consolidate(index_of(text([young])), snapshot(events=events)).actions


def test_missed_accesses_are_made_up_for_once_at_their_own_moment() -> None:
    index = index_of(text([entry("a", age=10, base=0.5)]))
    missed = Event(NOW - timedelta(days=3), "q", "index", (), (), ("a", "nobody"))
    planned = fold_accesses(index, snapshot(events=[missed], folded=NOW - timedelta(days=4)))
    held = planned.result.by_key["a"].entry
    assert (held.hits, str(held.accessed), held.base) == (2, "2026-07-29", 0.6)
    assert [one.kind for one in planned.actions] == [Kind.ACCESS]
    later = snapshot(events=[missed], folded=NOW)
    assert fold_accesses(planned.result, later) == (planned.result, ())


def test_an_access_by_a_clock_that_was_ahead_is_not_counted_anew_by_each_run() -> None:
    index = index_of(text([entry("a", age=10, base=0.5)]))
    missed = Event(NOW + timedelta(days=3), "q", "index", (), (), ("a",))
    assert fold_accesses(index, snapshot(events=[missed])) == (index, ())
    later = snapshot(events=[missed], now=NOW + timedelta(days=4), folded=NOW)
    assert fold_accesses(index, later).result.by_key["a"].entry.hits == 2


def test_of_two_entries_with_one_id_neither_is_moved() -> None:
    """Else the other would be the first of that id afterwards, and go in the next run."""
    index = index_of(text([entry("a", age=TEN_YEARS), entry("a", age=TEN_YEARS)]))
    assert queue_silent(index, snapshot()) == (index, ())


def test_a_replay_strengthens_what_a_defrag_cycle_names_once_and_is_no_hit() -> None:
    index = index_of(text([entry("a", "One", age=20), entry("b", age=20)]))
    seen = snapshot(defrag=Defrag(NOW - timedelta(hours=1), frozenset({"a.md", "b"})))
    planned = replay(index, seen)
    assert [(one.kind, one.key) for one in planned.actions] == [(Kind.REPLAY, "a")]
    held = planned.result.by_key["a"].entry
    assert (held.hits, held.strength, str(held.accessed)) == (1, 1.0, "2026-08-01")
    done = seen.replaced(replayed=NOW - timedelta(hours=1))
    assert replay(planned.result, done).actions == ()


@given(
    st.lists(st.tuples(st.integers(0, FOREVER), st.sampled_from(["", "Decay Queue"])), max_size=6)
)
def test_no_entry_is_lost_and_a_second_run_plans_nothing(ages: list[tuple[int, str]]) -> None:
    named = [(f"e{at}", age, place) for at, (age, place) in enumerate(ages)]
    index = index_of(
        text(
            [entry(key, age=age) for key, age, place in named if not place],
            [entry(key, age=age, queued="2026-07-01") for key, age, place in named if place],
        )
    )
    steps = (recalculate, queue_silent, revive, prune, archive_silent, consolidate)
    for step in steps:
        index = step(index, snapshot()).result
    assert sorted(index.by_key) == sorted(key for key, _, _ in named)
    assert "My own words." in index.master.text and "Written by hand." in index.master.text
    again: list[Action] = []
    for step in steps:
        planned = step(index, snapshot())
        assert planned.result == index
        again += planned.actions
    assert again == []
    assert index.files[MASTER] is index.master


def test_a_foreign_strength_above_our_curve_falls_on_without_a_jump() -> None:
    foreign = "#### F\n→ f.md\n<!-- hx: id=f | accessed=2026-07-01 | hits=1 | str=0.36 -->\n"
    index = index_of(text([foreign]))
    strengths = []
    for days in range(30):
        seen = snapshot(now=NOW + timedelta(days=days - 1))
        index = recalculate(index, seen).result
        index = reindexed(index, seen.clock(index))
        assert recalculate(index, seen) == (index, ())
        strengths.append(index.by_key["f"].entry.strength)
    assert strengths[0] == pytest.approx(0.36, abs=0.001)
    assert strengths == sorted(strengths, reverse=True)  # type: ignore[type-var]
    assert strengths[-1] == pytest.approx(0.28, abs=0.03)


@pytest.mark.parametrize(
    ("numbers", "stands", "wanted"),
    [
        ([1, 2, 3], 3, 3),  # nothing was lost
        ([1, 2, 3], 2, 3),  # the last one was overwritten
        ([3, 1, 2], 2, 5),  # a copy from before all of them came back, and the entry was used twice
        ([5, 1], 5, 6),  # two old copies in turn
        ([5, 6, 5], 5, 7),  # two were, and the entry was used again
        ([2, 2], 2, 3),
        ([1], 9, 9),
        ([10**9], 0, 1),
    ],
)
def test_an_access_that_a_blind_save_took_back_is_made_up_for(
    numbers: list[int], stands: int, wanted: int
) -> None:
    index = index_of(text([entry("a", age=1, hits=stands)]))
    day = NOW - timedelta(hours=9)
    events = [
        Event(day + timedelta(hours=n), "q", "index", (), ("a",), (), {"a": one, "nobody": 3})
        for n, one in enumerate(numbers)
    ]
    planned = fold_accesses(index, snapshot(events=events, folded=NOW - timedelta(days=1)))
    assert planned.result.by_key["a"].entry.hits == wanted
    later = snapshot(events=events, folded=NOW)
    kept = planned.result.counted(NOW.isoformat("T", "seconds"))
    assert fold_accesses(kept, later).actions == ()


def test_an_old_copy_is_told_by_its_header_and_a_hand_edit_stays() -> None:
    """After a cycle, the hits in an index with that cycle's header are what somebody wants."""
    day = NOW - timedelta(hours=9)
    events = [
        Event(day + timedelta(hours=1), "q", "index", (), ("a",), (), {"a": 1}),
        Event(day + timedelta(hours=2), "q", "index", (), (), ("a",)),
        Event(day + timedelta(hours=3), "q", "index", (), ("a",), (), {"a": 2}),
    ]
    cycled = snapshot(events=events, folded=NOW - timedelta(hours=1))
    edited = index_of(text([entry("a", age=1, hits=0)]))
    old, new = (edited.counted(at.isoformat()) for at in (day, NOW - timedelta(hours=1)))
    assert fold_accesses(old, cycled).result.by_key["a"].entry.hits == 3
    assert fold_accesses(new, cycled).actions == ()
