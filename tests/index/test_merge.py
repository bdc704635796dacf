"""Two branches of an index merged: nothing is lost, order of the sides does not matter, once is as good as twice."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hippocampus_cli.config.settings import Decay
from hippocampus_cli.errors import IndexRefused
from hippocampus_cli.index.archive import Why, retired
from hippocampus_cli.index.decay import clock_for
from hippocampus_cli.index.document import Document
from hippocampus_cli.index.edit import add_entries, block_of, remove_entries
from hippocampus_cli.index.merge import Merged, merge
from hippocampus_cli.index.merge_entry import SPLIT
from hippocampus_cli.index.parse import parse
from hippocampus_cli.markdown.diff3 import Labels
from tests.support.branches import BASE, NOW, SETTING, hit, merged
from tests.support.documents import DOCUMENTS, TEXTS
from tests.support.indexes import index_of, set_values


def added(document: Document, name: str, section: str) -> Document:
    block = (
        f"## {name}\nAbout {name}.\n→ {name}.md\n"
        f"<!-- hx: id={name} | created=2026-07-20 | accessed=2026-07-20 | hits=0 | str=1.00 -->"
    )
    return add_entries(document, ("By Topic", section), [block])


Step = tuple[str, ...]
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("hit"), st.sampled_from("abcd"), st.sampled_from("0123")),
        st.tuples(st.just("tag"), st.sampled_from("abcd"), st.sampled_from(["x", "y", "z"])),
        st.tuples(
            st.just("add"), st.sampled_from(["new", "other"]), st.sampled_from(["People", "Garden"])
        ),
        st.tuples(
            st.just("move"), st.sampled_from("abcd"), st.sampled_from(["Projects", "People"])
        ),
        st.tuples(st.just("remove"), st.sampled_from("abcd")),
        st.tuples(st.just("write"), st.sampled_from(["top", "end"])),
    ),
    max_size=6,
)


def lived(text: str, steps: list[Step], name: str) -> tuple[str, dict[str, int]]:
    """What a branch makes of a text, and how often it used each entry."""
    document, hits = parse(text), dict.fromkeys("abcd", 0)
    for kind, *words in steps:
        there = words[0] in document.by_key
        if kind == "hit" and there:
            document = hit(document, words[0], int(words[1]))
            hits[words[0]] += 1
        elif kind == "tag" and there:
            entry = document.by_key[words[0]].entry
            tags = ",".join(dict.fromkeys((*entry.tags, f"{words[1]}-{name}")))
            document = set_values(document, words[0], {"tags": tags})
        elif kind == "add" and f"{words[0]}-{name}" not in document.by_key:
            document = added(document, f"{words[0]}-{name}", words[1])
        elif kind == "move" and there:
            block = block_of(document.by_key[words[0]].entry)
            document = remove_entries(document, [words[0]])
            document = add_entries(document, ("By Topic", words[1]), [block])
        elif kind == "remove" and there:
            document = remove_entries(document, [words[0]])
        elif kind == "write":
            after = "Written by hand.\n" if words[0] == "top" else "And more of them.\n"
            document = parse(document.text.replace(after, f"{after}\nA line of {name}.\n", 1))
    return document.text, hits


def state(text: str) -> dict[str, object]:
    """What each entry is, without the order of its lists."""
    found: dict[str, object] = {}
    for one in parse(text).entries:
        lists = {
            key: sorted(raw.split(","))
            for key, raw in one.entry.values.items()
            if key in ("tags", "rel")
        }
        found[one.key] = ({**one.entry.values, **lists}, one.entry.topic, one.entry.pointers)
    return found


@given(TEXTS, TEXTS)
def test_with_one_side_unchanged_the_other_is_the_outcome_to_the_byte(base: str, side: str) -> None:
    assert merged(base, side, base) == merged(base, base, side) == Merged(side, 0)
    assert merged(base, side, side) == Merged(side, 0)


@settings(max_examples=40)
@given(STEPS, STEPS)
def test_nothing_that_either_branch_did_is_lost(one: list[Step], two: list[Step]) -> None:
    ours, mine = lived(BASE, one, "one")
    theirs, other = lived(BASE, two, "two")
    text, conflicts = merged(BASE, ours, theirs)
    wrote = [
        sum(step[0] == "write" and step[1] == place for step in steps)
        for place in ("top", "end")
        for steps in (one, two)
    ]
    assert conflicts == 0 or (wrote[0] and wrote[1]) or (wrote[2] and wrote[3])
    found, was = parse(text), parse(BASE)
    assert len({located.entry.id for located in found.entries}) == len(found.entries)
    for side, counts in ((ours, mine), (theirs, other)):
        for located in parse(side).entries:
            entry, key = located.entry, located.key
            there = found.by_key.get(key)
            if there is None:  # taken away on one side, and not used on the other since
                assert key in was.by_key and not counts[key]
                continue
            assert set(entry.tags) <= set(there.entry.tags)
            clock = clock_for(found, NOW, Decay())
            assert clock.strength(there.entry) >= clock.strength(entry) - 1e-4
    for key in "abcd":
        if key in found.by_key:
            entry = found.by_key[key].entry
            both = all(key in parse(side).by_key for side in (ours, theirs))
            wanted = was.by_key[key].entry.hits + mine[key] + other[key]
            assert entry.hits == wanted or not both or ours == theirs  # git asks nobody then
            assert both or entry.values[SPLIT] == str(was.by_key[key].entry.hits)
    for side in (ours, theirs):
        lines = [
            line for line in side.split("\n") if line.startswith(("A line", "My own", "Prose"))
        ]
        assert set(lines) <= set(text.split("\n"))


@settings(max_examples=40)
@given(STEPS, STEPS)
def test_the_sides_may_be_swapped_and_a_merge_repeated(one: list[Step], two: list[Step]) -> None:
    ours, _ = lived(BASE, one, "one")
    theirs, _ = lived(BASE, two, "two")
    there, back = merged(BASE, ours, theirs), merged(BASE, theirs, ours)
    assert there.conflicts == back.conflicts
    if not there.conflicts:
        assert state(there.text) == state(back.text)
        assert (
            sorted(there.text.split("\n")) == sorted(back.text.split("\n")) or "tags=" in there.text
        )
        again = merged(ours, there.text, ours)
        assert again == Merged(there.text, 0)


@settings(max_examples=60)
@given(DOCUMENTS, DOCUMENTS, DOCUMENTS)
def test_whatever_the_texts_hold_no_entry_vanishes(base: str, ours: str, theirs: str) -> None:
    try:
        text = merged(base, ours, theirs).text
    except IndexRefused:  # then the driver merges by line
        return
    for side in (ours, theirs):
        for line in side.replace("\r", "\n").split("\n"):
            if line.startswith("## ") and line not in base:
                assert line.strip("# \ufeff") in text


def test_hits_add_up_the_later_access_wins_and_tags_unite() -> None:
    ours = set_values(hit(hit(parse(BASE), "a", 2), "a", 3), "a", {"tags": "one,two,red"}).text
    theirs = set_values(hit(parse(BASE), "a", 5), "a", {"tags": "two,blue"}).text
    entry = parse(merged(BASE, ours, theirs).text).by_key["a"].entry
    assert (entry.hits, entry.values["accessed"]) == (5, "2026-07-27")
    assert set(entry.tags) == {"two", "red", "blue"}
    assert entry.base == 1.0  # 0.80, +0.10 twice on one side, +0.10 on the other, no more than 1


def test_two_uses_of_one_day_count_as_massed() -> None:
    side = hit(parse(BASE), "c", 2).text
    entry = (
        parse(merged(BASE, side, hit(parse(BASE), "c", 2).text + "\nMore.\n").text)
        .by_key["c"]
        .entry
    )
    assert (entry.hits, entry.base) == (3, 0.62)


def test_an_entry_edited_on_both_sides_has_both_versions_between_marks() -> None:
    ours = BASE.replace("About alpha.", "Alpha is done.").replace("hits=2", "hits=3")
    theirs = BASE.replace("About alpha.", "Alpha was stopped.").replace("one,two", "one,two,three")
    text, conflicts = merged(BASE, ours, theirs)
    assert conflicts == 1
    assert (
        "<<<<<<< ours\nAlpha is done.\n=======\nAlpha was stopped.\n>>>>>>> theirs\n→ a.md\n"
        in text
    )
    assert "hits=3" in text and "one,two,three" in text


def test_a_key_of_somebody_else_that_both_set_is_a_conflict_of_whole_lines() -> None:
    ours, theirs = (BASE.replace("hits=2", f"hits=2 | colour={name}") for name in ("red", "blue"))
    text, conflicts = merged(BASE, ours, theirs)
    assert conflicts == 1 and "colour=red" in text and "colour=blue" in text
    never_closed = BASE.replace("| tags=one,two -->", "| tags=one,two")
    text, _ = merged(
        never_closed, never_closed + "Mine.\n", never_closed.replace("hits=2", "hits=3")
    )
    assert "hits=3" in text and "Mine." in text


def test_what_one_side_archived_and_the_other_used_stays_and_says_so() -> None:
    index = retired(index_of(BASE), {"a": {}}, Why.SILENT, NOW.date())
    text, conflicts = merged(BASE, index.master.text, hit(parse(BASE), "a").text)
    entry = parse(text).by_key["a"].entry
    assert (conflicts, entry.hits, entry.values[SPLIT]) == (0, 3, "2")
    only_time = set_values(parse(BASE), "a", {"str": "0.28"}).text
    assert "a" not in parse(merged(BASE, index.master.text, only_time).text).by_key


def test_two_new_entries_at_one_place_both_stand_there_and_the_header_counts() -> None:
    ours, theirs = (added(parse(BASE), name, "People").text for name in ("eve", "fred"))
    document = parse(merged(BASE, ours, theirs).text)
    assert [one.key for one in document.entries] == ["a", "b", "c", "d", "eve", "fred"]
    assert document.by_key["fred"].section == ("By Topic", "People")
    assert document.header is not None and document.header.entries == 6


def test_what_both_moved_into_one_topic_file_has_no_hit_twice() -> None:
    ours, theirs = hit(parse(BASE), "a", 1).text, set_values(parse(BASE), "a", {"tags": "x"}).text
    text, conflicts = merge("", ours, theirs, SETTING._replace(master=False), Labels())
    entry = parse(text).by_key["a"].entry
    assert (conflicts, entry.hits, set(entry.tags)) == (0, 3, {"one", "two", "x"})


def test_one_id_for_two_things_becomes_two_ids() -> None:
    ours = added(parse(BASE), "eve", "People").text
    theirs = ours.replace("## eve", "## Evening").replace("eve.md", "evening.md")
    ids = [one.entry.id for one in parse(merged(BASE, ours, theirs).text).entries]
    assert ids[-2:] in (["eve", "eve-2"], ["eve-2", "eve"])


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_line_endings_and_a_byte_order_mark_stay(newline: str, mark: str) -> None:
    def styled(text: str) -> str:
        return mark + text.replace("\n", newline)

    ours, theirs = hit(parse(BASE), "a", 1).text, hit(parse(BASE), "b", 1).text
    wanted = merged(BASE, ours, theirs)
    assert merged(styled(BASE), styled(ours), styled(theirs)) == Merged(styled(wanted.text), 0)
    assert merged(BASE, styled(ours), theirs) == Merged(styled(wanted.text), 0)


def test_both_branches_made_the_file() -> None:
    ours, theirs = hit(parse(BASE), "a", 1).text, added(parse(BASE), "eve", "People").text
    text, conflicts = merged("", ours, theirs)
    assert conflicts == 0
    assert [one.key for one in parse(text).entries] == ["a", "b", "c", "d", "eve"]
    assert text.count("Written by hand.") == 1


def test_marks_that_somebody_committed_are_a_conflict_again_and_lose_nothing() -> None:
    mess = "<<<<<<< HEAD\nMy own words.\n=======\nYour own words.\n>>>>>>> other\n"
    ours = BASE.replace("My own words.\n", mess)
    text, conflicts = merged(BASE, ours, hit(parse(BASE), "a", 1).text)
    assert conflicts == 1 and mess in text and "hits=3" in text
