from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.entries.tag import clean_tags, retag
from hippocampus_cli.errors import UsageError
from tests.index.whole import index_of

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
