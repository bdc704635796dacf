"""A change carried over to an index that was edited since."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given

from hippocampus_cli.index.archive import Why, retired
from hippocampus_cli.index.document import Document
from hippocampus_cli.index.hierarchy import Hierarchy, archive_file, new_file
from hippocampus_cli.index.merge_entry import rebase_entry
from hippocampus_cli.index.rebase import rebase, removed_keys
from tests.index.edits import HERE, THERE, changed, steps
from tests.support.indexes import index_of
from tests.support.topic_files import JULY, TOPIC, master


def state(index: Hierarchy) -> dict[str, object]:
    """What each entry is and where it stands, without the order of its values."""
    return {
        key: (one.file, one.section, one.entry.topic, one.entry.pointers, dict(one.entry.values))
        for key, one in index.by_key.items()
    }


@given(steps)
def test_onto_an_index_that_nobody_edited_the_change_is_the_change(
    edits: list[tuple[str, str, str]],
) -> None:
    before = index_of(master("a", "b", "c"))
    after = changed(before, edits)
    assert state(rebase(before, after, before)) == state(after)


@given(steps)
def test_taken_back_at_once_everything_is_as_before(edits: list[tuple[str, str, str]]) -> None:
    before = index_of(master("a", "b", "c"))
    after = changed(before, edits)
    assert state(rebase(after, before, after)) == state(before)


@given(steps, steps)
def test_nothing_is_lost_whatever_was_edited_meanwhile(
    edits: list[tuple[str, str, str]], later: list[tuple[str, str, str]]
) -> None:
    before = index_of(master("a", "b", "c"))
    after = changed(before, edits)
    now = changed(after, later)
    back = rebase(after, before, now)
    assert sorted(back.by_key) == ["a", "b", "c"]
    assert "My own words." in back.master.text


def test_later_edits_stay() -> None:
    before = index_of(master("a", "b"))
    after = before.set_values(
        {"a": {"str": "0.50", "hits": "4", "tags": "x,y"}, "b": {"str": "0.50"}}
    )
    now = after.set_values({"a": {"hits": "6", "tags": "x,y,mine"}, "b": {"str": "0.90"}})
    back = rebase(after, before, now)
    entry = back.by_key["a"].entry
    assert (entry.hits, entry.tags, entry.strength) == (3, ("mine",), None)
    assert back.by_key["b"].entry.strength == 0.9


def test_a_moved_entry_goes_back_unless_somebody_moved_it_on() -> None:
    before = index_of(master("a", "b"))
    after = before.moved(["a", "b"], THERE)
    now = after.moved(["b"], HERE, TOPIC)
    back = rebase(after, before, now)
    assert back.by_key["a"].section == HERE
    assert (back.by_key["b"].file, back.by_key["b"].section) == (TOPIC, HERE)


def test_what_somebody_removed_stays_removed_and_new_entries_come_with_the_change() -> None:
    one, two = index_of(master("a")), index_of(master("a", "b"))
    assert sorted(rebase(one, two, one).by_key) == ["a", "b"]
    assert sorted(rebase(two, two.set_values({"b": {"hits": "5"}}), one).by_key) == ["a"]
    assert removed_keys(two, one) == ("b",)


def test_pointers_and_texts() -> None:
    before = index_of(master("a")).by_key["a"].entry
    after = before.with_topic("New").with_summary("Short.").with_pointers(before.pointers * 1)
    assert rebase_entry(before, after, before).topic == "New"
    edited = before.with_topic("By hand")
    both = rebase_entry(before, after, edited)
    assert (both.topic, both.summary) == ("By hand", "Short.")


def test_a_change_of_many_entries_is_carried_over_in_one_go(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each edit parses a file anew: one an entry would take minutes, with the lock held."""
    keys = [f"e{at}" for at in range(12)]
    before = index_of(master(*keys))
    after = before.set_values({key: {"str": "0.10"} for key in keys}).moved(keys, THERE)
    current = before.set_values({"e3": {"tags": "x"}})
    writes = 0
    real = Hierarchy.with_file

    def counting(index: Hierarchy, path: str, document: Document) -> Hierarchy:
        nonlocal writes
        writes += 1
        return real(index, path, document)

    monkeypatch.setattr(Hierarchy, "with_file", counting)
    assert state(rebase(before, after, current)) == state(after.set_values({"e3": {"tags": "x"}}))
    assert writes <= 5


def test_what_is_in_the_archive_for_another_reason_by_now_keeps_that_reason() -> None:
    """Shrunk from a life: pruned, restored, pruned again a month later, and the first time taken back."""
    august = archive_file("2026-08")
    before = Hierarchy(index_of(master("a", "b")).master, {JULY: new_file(JULY)})
    first = retired(before, {"a": {}}, Why.PRUNED, date(2026, 7, 3))
    again = retired(before, {"a": {}}, Why.SILENT, date(2026, 8, 5))
    there = rebase(first, before, again).by_key["a"]
    assert there.file == august
    assert there.entry.raw == again.by_key["a"].entry.raw
