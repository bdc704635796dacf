from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hippocampus_cli.entries.tag import clean_tags, retag
from hippocampus_cli.errors import IndexRefused, UsageError
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.metadata import Priority
from hippocampus_cli.markdown.blocks import scan
from hippocampus_cli.markdown.lines import split_lines
from tests.support.documents import TEXTS
from tests.support.indexes import index_of


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


def test_a_priority_that_stands_twice_goes_as_a_whole() -> None:
    text = "## A\n→ a.md\n<!-- hx: id=a | pri=amygdala | hits=1 | pri=low -->\n"
    normal = with_priority(index_of(text), "a", Priority.NORMAL)
    assert normal.master.text == "## A\n→ a.md\n<!-- hx: id=a | hits=1 -->\n"


TEXT = "prose\n\n## A\n→ a.md\n<!-- hx: id=a | tags=Deploy,old | hits=1 -->\n\nmore\n"


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
