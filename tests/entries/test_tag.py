from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hippocampus_cli.entries.tag import clean_tags, pin, retag, unpin
from hippocampus_cli.errors import EntryNotFound, IndexRefused, UsageError
from hippocampus_cli.index.metadata import Priority
from hippocampus_cli.markdown.blocks import scan
from hippocampus_cli.markdown.lines import split_lines
from tests.index.strategies import TEXTS
from tests.index.whole import index_of

LOW = "## Wifi\n→ a.md\n<!-- hx: id=wifi | pri=low | hits=1 -->\n"


@given(TEXTS)
@example("<!-- hx: id=never\n- Deploy → TOOLS.md\n")
@example("- Deploy → TOOLS.md <!-- hx: id=never | str=1.7\n")
def test_pin_and_unpin_restore_every_byte(text: str) -> None:
    document = index_of(text)
    for located in document.entries:
        if "pri" in located.entry.values or located.entry.comment == "<!-- hx: -->":
            continue
        try:
            pinned, done = pin(document, [located.key])
        except IndexRefused:
            assert scan(split_lines(text)).unclosed or "<!--" in located.entry.raw
            continue
        assert done[0].after == "amygdala"
        assert index_of(pinned.master.text) == pinned
        again = unpin(pinned, [pinned.entries[document.entries.index(located)].key])[0]
        assert again.master.text == text


@pytest.mark.parametrize(
    "line", ["- Deploy → TOOLS.md\n", "- Deploy → TOOLS.md  \r\n", "- D -> a.md"]
)
def test_a_bare_bullet_is_pinned_in_place(line: str) -> None:
    pinned, _ = pin(index_of(line), [index_of(line).entries[0].key])
    assert pinned.entries[0].entry.pri is Priority.AMYGDALA
    assert pinned.master.text.startswith(line.rstrip())
    assert unpin(pinned, [pinned.entries[0].key])[0].master.text == line


def test_a_low_entry_is_normal_once_it_was_pinned() -> None:
    pinned, done = pin(index_of(LOW), ["wifi"])
    assert (done[0].before, done[0].after, done[0].changed) == ("low", "amygdala", True)
    normal, undone = unpin(pinned, ["wifi"])
    assert (undone[0].before, undone[0].after) == ("amygdala", "normal")
    assert normal.master.text == LOW.replace(" | pri=low", "")


def test_pinning_twice_changes_nothing() -> None:
    pinned, _ = pin(index_of(LOW), ["wifi"])
    again, done = pin(pinned, ["wifi", "wifi"])
    assert again is pinned
    assert [one.changed for one in done] == [False]


def test_a_priority_that_stands_twice_goes_as_a_whole() -> None:
    text = "## A\n→ a.md\n<!-- hx: id=a | pri=amygdala | hits=1 | pri=low -->\n"
    assert (
        unpin(index_of(text), ["a"])[0].master.text == "## A\n→ a.md\n<!-- hx: id=a | hits=1 -->\n"
    )


def test_an_unknown_id_pins_none() -> None:
    with pytest.raises(EntryNotFound) as caught:
        pin(index_of(LOW), ["wifi", "wfi"])
    assert caught.value.message == "no entry with the id 'wfi'; did you mean wifi?"


TEXT = "prose\n\n## A\n→ a.md\n<!-- hx: id=a | tags=Deploy,old | hits=1 -->\n\nmore\n"


def test_words_are_added_and_removed() -> None:
    document, done = retag(index_of(TEXT), "a", ["#new", "deploy", "new"], ["OLD", "nowhere"])
    assert done.tags == ("Deploy", "new")
    assert (done.added, done.removed, done.idle) == (("new",), ("old",), ("deploy", "nowhere"))
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
