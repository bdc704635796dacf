"""A change carried over to an index that was edited since."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.index.archive import Why, retired
from hippocampus_cli.index.document import ARCHIVE, MASTER, Document
from hippocampus_cli.index.hierarchy import Hierarchy, archive_file, new_file
from hippocampus_cli.index.merge_entry import rebase_entry
from hippocampus_cli.index.parse import parse
from hippocampus_cli.index.rebase import rebase, unite, whole_ids
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
    before = Hierarchy({MASTER: index_of(master("a", "b")).master, JULY: new_file(JULY)})
    first = retired(before, {"a": {}}, Why.PRUNED, date(2026, 7, 3))
    again = retired(before, {"a": {}}, Why.SILENT, date(2026, 8, 5))
    there = rebase(first, before, again).by_key["a"]
    assert there.file == august
    assert there.entry.raw == again.by_key["a"].entry.raw


WHOLE = index_of(master("a", "b", "c"))


def ids(index: Hierarchy) -> list[str]:
    return sorted(one.entry.id for one in (*index.entries, *index.archived))


@given(steps, st.integers(0, len(WHOLE.master.text)))
def test_a_file_that_was_cut_off_comes_back_to_the_byte(
    edits: list[tuple[str, str, str]], at: int
) -> None:
    earlier = changed(WHOLE, edits)
    cut = earlier.with_file(MASTER, parse(earlier.master.text[:at]))
    back = unite(earlier, cut)
    assert ids(back) == ids(earlier)
    assert back.texts == earlier.texts


def test_what_an_undo_left_of_a_cut_entry_is_no_second_one() -> None:
    whole = WHOLE.with_file(MASTER, parse(WHOLE.master.text.replace("#### B", "#### A")))
    text = whole.master.text
    damaged = f"{text[: text.index(' id=b ')]}\n## Decay Queue\n\n## Meta\n"
    back = unite(whole, whole.with_file(MASTER, parse(damaged)))
    assert ids(back) == ids(whole)


LISTED = WHOLE.with_file(
    MASTER,
    parse(
        "## Quick Access\n<!-- hippo:begin quick-access -->\n- Somewhere else → x.md\n- A → a.md\n"
        f"<!-- hippo:end quick-access -->\n\n{WHOLE.master.text}"
    ),
)


@given(st.integers(0, len(LISTED.master.text)))
def test_a_list_that_was_cut_off_has_no_entries(at: int) -> None:
    cut = LISTED.with_file(MASTER, parse(LISTED.master.text[:at]))
    assert whole_ids(cut, LISTED) <= set(ids(LISTED))
    assert unite(LISTED, cut).texts == LISTED.texts


@given(steps, steps, st.sets(st.sampled_from("abc")), st.sets(st.sampled_from("xyz")))
def test_every_entry_of_both_is_there_once_with_its_later_values(
    before: list[tuple[str, str, str]],
    after: list[tuple[str, str, str]],
    gone: set[str],
    new: set[str],
) -> None:
    earlier = changed(WHOLE, before)
    now = changed(index_of(master(*sorted(set("abc") | new))), after)
    there = now
    for key in gone:
        one = now.by_key[key]
        texts = [node.raw for node in there.files[one.file].nodes]
        texts.remove(one.entry.raw)
        there = there.with_file(one.file, parse("".join(texts)))
    result = unite(earlier, there)
    assert ids(result) == sorted(set("abc") | new)
    for key in set("abc") - gone:
        old, here, one = (x.by_key[key].entry for x in (earlier, there, result))
        assert one.hits == max(old.hits, here.hits)
    assert unite(earlier, result).texts == result.texts


def test_an_older_copy_of_the_master_brings_back_nothing_twice() -> None:
    earlier = changed(WHOLE, [("b", "move", JULY), ("a", "hits", "9")])
    copy = Hierarchy({MASTER: WHOLE.master, **earlier.topics, **earlier.archive})
    assert ids(unite(earlier, copy)) == ["a", "b", "c"]
    assert unite(earlier, copy).by_key["a"].entry.hits == 9


def test_a_persons_words_and_bullets_stay_in_their_section() -> None:
    said = "## Mine\n\nWritten since.\n\n- Look here → a.md\n\n```\n# a line of code\n```\n"
    now = index_of("# Index\n\n## By Topic\n\nMore words.\n\n" + said)
    result = unite(WHOLE, now)
    assert ids(result) == ["a", "b", "c", "look-here"]
    for line in ("Written since.", "- Look here → a.md", "More words.", "# a line of code"):
        assert result.master.text.count(line) == 1
    assert result.by_key["look-here"].section == ("Mine",)
    assert result.master.text.index("Written since.") > result.master.text.index("## Mine")


def test_topic_files_and_months_that_only_one_has_are_there() -> None:
    earlier, now = changed(WHOLE, [("a", "move", TOPIC)]), changed(WHOLE, [("b", "move", JULY)])
    result = unite(earlier, now)
    assert ids(result) == ["a", "b", "c"]
    assert result.by_key["b"].file.startswith(ARCHIVE)
