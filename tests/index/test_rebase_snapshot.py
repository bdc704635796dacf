"""An earlier state and the present one as one: nothing that either has is gone."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.index.document import ARCHIVE, MASTER
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.parse import parse
from hippocampus_cli.index.rebase import unite, whole_ids
from tests.index.edits import changed, steps
from tests.support.indexes import index_of
from tests.support.topic_files import JULY, TOPIC, master

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
    copy = Hierarchy(WHOLE.master, earlier.topics, earlier.archive)
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
