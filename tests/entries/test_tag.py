from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hippocampus_cli.entries.tag import clean_tags, retag
from hippocampus_cli.errors import EntryNotFound, IndexRefused, UsageError
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.metadata import Priority
from hippocampus_cli.markdown.blocks import scan
from hippocampus_cli.markdown.lines import split_lines
from tests.support.documents import TEXTS
from tests.support.indexes import index_of

LOW = "## Wifi\n→ a.md\n<!-- hx: id=wifi | pri=low | hits=1 -->\n"


def with_priority(index: Hierarchy, key: str, priority: Priority) -> Hierarchy:
    changed, done = retag(index, key, [], [], priority)
    assert done.priority == priority.value
    return changed


@given(TEXTS)
@example("<!-- hx: id=never\n- Deploy → TOOLS.md\n")
@example("- Deploy → TOOLS.md <!-- hx: id=never | str=1.7\n")
def test_a_priority_taken_back_restores_every_byte(text: str) -> None:
    document = index_of(text)
    for located in document.entries:
        if "pri" in located.entry.values or located.entry.comment == "<!-- hx: -->":
            continue
        try:
            pinned = with_priority(document, located.key, Priority.AMYGDALA)
        except IndexRefused:
            assert scan(split_lines(text)).unclosed or "<!--" in located.entry.raw
            continue
        assert index_of(pinned.master.text) == pinned
        key = pinned.entries[document.entries.index(located)].key
        assert with_priority(pinned, key, Priority.NORMAL).master.text == text


@pytest.mark.parametrize(
    "line", ["- Deploy → TOOLS.md\n", "- Deploy → TOOLS.md  \r\n", "- D -> a.md"]
)
def test_a_bare_bullet_gets_a_priority_in_place(line: str) -> None:
    document = index_of(line)
    pinned = with_priority(document, document.entries[0].key, Priority.AMYGDALA)
    assert pinned.entries[0].entry.pri is Priority.AMYGDALA
    assert pinned.master.text.startswith(line.rstrip())
    assert with_priority(pinned, pinned.entries[0].key, Priority.NORMAL).master.text == line


def test_normal_is_not_written() -> None:
    pinned = with_priority(index_of(LOW), "wifi", Priority.AMYGDALA)
    normal = with_priority(pinned, "wifi", Priority.NORMAL)
    assert normal.master.text == LOW.replace(" | pri=low", "")


def test_the_same_priority_again_changes_nothing() -> None:
    pinned = with_priority(index_of(LOW), "wifi", Priority.AMYGDALA)
    assert with_priority(pinned, "wifi", Priority.AMYGDALA) is pinned


def test_a_priority_that_stands_twice_goes_as_a_whole() -> None:
    text = "## A\n→ a.md\n<!-- hx: id=a | pri=amygdala | hits=1 | pri=low -->\n"
    normal = with_priority(index_of(text), "a", Priority.NORMAL)
    assert normal.master.text == "## A\n→ a.md\n<!-- hx: id=a | hits=1 -->\n"


def test_an_unknown_id_is_named_with_the_nearest() -> None:
    with pytest.raises(EntryNotFound) as caught:
        retag(index_of(LOW), "wfi", [], [], Priority.LOW)
    assert caught.value.message == "no entry with the id 'wfi'; did you mean wifi?"


TEXT = "prose\n\n## A\n→ a.md\n<!-- hx: id=a | tags=Deploy,old | hits=1 -->\n\nmore\n"


def test_words_are_added_and_removed() -> None:
    document, done = retag(index_of(TEXT), "a", ["#new", "deploy", "new"], ["OLD", "nowhere"])
    assert done.tags == ("Deploy", "new")
    assert (done.added, done.removed) == (("new",), ("old",))
    assert document.master.text == TEXT.replace(
        "tags=Deploy,old | hits=1", "tags=Deploy,new | hits=1 | ver=2"
    )


def test_nothing_to_do_changes_nothing() -> None:
    document = index_of(TEXT)
    assert retag(document, "a", ["deploy"], ["nowhere"])[0] is document
    assert retag(document, "a", [], [])[1].tags == ("Deploy", "old")


def test_without_its_last_tag_an_entry_has_no_such_field() -> None:
    document, done = retag(index_of(TEXT), "a", [], ["deploy", "old"])
    assert done.tags == ()
    assert "tags" not in document.by_key["a"].entry.values


def test_a_word_both_added_and_removed_is_gone() -> None:
    assert retag(index_of(TEXT), "a", ["x"], ["x"])[1].tags == ("Deploy", "old")


@given(st.lists(st.text(st.sampled_from("ab ,|>%-=\n\r§<!→\u2028é"), min_size=1, max_size=12)))
def test_any_word_reads_back_as_the_tag_it_was(words: list[str]) -> None:
    document = index_of(TEXT)
    try:
        wanted = clean_tags(words)
    except UsageError:
        return
    changed, done = retag(document, "a", words, [])
    assert index_of(changed.master.text) == changed
    assert changed.by_key["a"].entry.tags == done.tags
    assert set(wanted) - {"deploy", "old"} <= set(done.tags) | {"Deploy"}


@pytest.mark.parametrize("word", ["", " ", "#", "x" * 61])
def test_what_can_be_no_tag_is_refused(word: str) -> None:
    with pytest.raises(UsageError):
        clean_tags([word])
