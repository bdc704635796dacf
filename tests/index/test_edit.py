"""Changing entries of a document."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from hippocampus_cli.errors import EntryNotFound, IndexRefused
from hippocampus_cli.index import edit
from hippocampus_cli.index.entry import Entry
from hippocampus_cli.index.metadata import slug
from hippocampus_cli.index.parse import parse
from hippocampus_cli.index.pointers import Pointer


def test_many_entries_change_at_once_or_not_at_all() -> None:
    text = "".join(f"## {key}\n→ {key}.md\n<!-- hx: id={key} -->\n\n" for key in "abc")
    document = parse(text)

    def to(path: str) -> Callable[[Entry], Entry]:
        return lambda entry: entry.with_pointers((Pointer(path),))

    after = edit.change_entries(document, {"a": to("x.md"), "c": to("y.md")})
    assert after.text == text.replace("a.md", "x.md").replace("c.md", "y.md")
    assert edit.change_entries(document, {"a": to("a.md")}) is document
    with pytest.raises(IndexRefused):
        edit.change_entries(document, {"a": to("x.md"), "b": lambda entry: entry.with_pointers(())})
    with pytest.raises(EntryNotFound):
        edit.change_entries(document, {"a": to("x.md"), "d": to("x.md")})


@pytest.mark.parametrize("tail", ["", "  ", "\x0b\x0c", "\u2028\x85 "])
def test_a_summary_goes_with_the_white_space_behind_it(tail: str) -> None:
    rest = "→ a.md\n<!-- hx: id=a -->\n"
    (located,) = parse(f"## A\nSaid.{tail}\n{rest}").entries
    assert located.entry.with_summary("").raw == f"## A\n{rest}"


def test_an_id_that_is_made_of_a_topic_stays_what_it_was() -> None:
    words = " ".join(("x" * 8, "y" * 17, "z" * 12))
    assert [slug(words), slug(f"{words}z")] == [words.replace(" ", "-"), f"{'x' * 8}-{'y' * 17}"]
