"""A note as sections."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.markdown.blocks import Kind
from hippocampus_cli.workspace.note import Note, Section
from tests.support.markdown import TEXTS


def outline(text: str) -> list[tuple[int, str, int, int, int]]:
    return [(s.level, s.title, s.start, s.end, s.tree_end) for s in Note("a.md", text).sections]


def test_sections_and_their_subsections() -> None:
    text = "lead\n\n# A\na\n\n## B\nb\n\n### C\n## D\n\n# E\n\n"
    assert outline(text) == [
        (0, "", 1, 1, 1),
        (1, "A", 3, 4, 10),
        (2, "B", 6, 7, 9),
        (3, "C", 9, 9, 9),
        (2, "D", 10, 10, 10),
        (1, "E", 12, 12, 12),
    ]
    found = Note("a.md", text).sections
    assert [s.parents for s in found] == [(), (), ("A",), ("A", "B"), ("A",), ()]


def test_levels_that_are_skipped() -> None:
    found = Note("a.md", "### A\n# B\n#### C\n## D\n").sections
    assert [s.parents for s in found] == [(), (), ("B",), ("B",)]
    assert [s.tree_end for s in found] == [1, 4, 3, 4]


def test_text_before_the_first_heading() -> None:
    assert outline("---\ntitle: T\n---\n\n# A\n") == [(1, "A", 5, 5, 5)]
    assert outline("---\ntitle: T\n---\n\nlead\n# A\n")[0] == (0, "", 5, 5, 5)
    assert outline("\ufeff\n\n# A\n") == [(1, "A", 3, 3, 3)]
    assert outline("just text\n\n") == [(0, "", 1, 1, 1)]
    assert outline(" \n\t\n") == [] == outline("")


def test_a_setext_heading_has_two_lines() -> None:
    found = Note("a.md", "Title\n=====\ntext\n").sections
    assert found == (Section(0, 1, "Title", (), 1, 3, 3, heading_lines=2),)


def test_text_of_lines() -> None:
    note = Note("a.md", "a\r\nb\u2028c\r\nd")
    assert note.text_of(1, 2) == "a\r\nb\u2028c"
    assert note.text_of(3, 3) == "d"
    assert note.text_of(3, 99) == "d"


def test_many_sections_share_one_tail() -> None:
    """Deep and wide at once: every section's ends are still exact."""
    count = 3000
    text = "".join(f"{'#' * (n % 6 + 1)} H{n}\n" for n in range(count)) + "\n" * 50
    found = Note("a.md", text).sections
    assert [s.start for s in found] == list(range(1, count + 1))
    assert all(s.tree_end == 6 * (s.ordinal // 6) + 6 for s in found)


def says_something(note: Note, at: int) -> bool:
    front_matter = note.blocks.kinds[at] == Kind.FRONT_MATTER
    return not front_matter and bool(note.lines[at].strip("\ufeff \t\r\n"))


@given(TEXTS)
def test_sections_tile_the_note(text: str) -> None:
    """Every line that says something is in exactly one section; sections begin at such a line."""
    note = Note("a.md", text)
    found = note.sections
    assert [section.ordinal for section in found] == list(range(len(found)))
    homes = [0] * len(note.lines)
    for section in found:
        assert 1 <= section.start <= section.end <= section.tree_end <= len(note.lines)
        for at in range(section.start - 1, section.end):
            homes[at] += 1
        headed = note.blocks.kinds[section.start - 1] == Kind.HEADING
        assert headed == (section.level > 0)
        assert headed or section.ordinal == 0
    assert max(homes, default=0) <= 1
    assert all(homes[at] or not says_something(note, at) for at in range(len(note.lines)))


@given(TEXTS)
def test_a_tree_ends_before_the_next_of_its_level(text: str) -> None:
    found = Note("a.md", text).sections
    for at, section in enumerate(found):
        if section.level == 0:
            assert section.tree_end == section.end
            continue
        inner = []
        for later in found[at + 1 :]:
            if later.level <= section.level:
                break
            inner.append(later)
        assert section.tree_end == max([section.end, *(later.end for later in inner)])
        assert all(
            later.parents[: len(section.parents) + 1] == (*section.parents, section.title)
            for later in inner
        )


def test_front_matter_by_key() -> None:
    note = Note("a.md", "---\ntitle: Deploy\n\ntags: [a, b]\ndate: 2026-01-31\n1: one\n---\ntext\n")
    assert note.front_matter == {
        "title": "Deploy",
        "tags": ["a", "b"],
        "date": date(2026, 1, 31),
        "1": "one",
    }


@pytest.mark.parametrize(
    "yaml",
    [
        "a: [",
        "a: b: c",
        "date: 2026-02-31",
        "a: !!python/object/apply:os.system [ls]",
        "a: *nowhere",
        "{a: b}: c",
        "? [a]\n: b",
        "a: " + "[" * 5000,
        "a: \x07",
        "a: \ud800",
        "a: " + "x" * 70_000,
    ],
)
def test_what_cannot_be_read_is_empty(yaml: str) -> None:
    assert Note("a.md", f"---\n{yaml}\n---\ntext\n").front_matter == {}


@pytest.mark.parametrize(
    "text", ["", "text", "---\n---\n", "---\ntext\n\nmore\n---\n", "---\n- a\n---\n"]
)
def test_no_front_matter(text: str) -> None:
    assert Note("a.md", text).front_matter == {}


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("## B\n# A\n# C\n", "A"),
        ("---\ntitle: T\n---\n# A\n", "A"),
        ("---\ntitle: T\n---\n## B\n", "T"),
        ("---\ntitle: 2026-01-31\n---\n", "2026-01-31"),
        ("---\ntitle: |\n  two\n  lines\n---\n", "two lines"),
        ("---\ntitle:\n---\n#\n", None),
        ("---\ntitle: ''\n---\n", None),
        ("Title\n===\n", "Title"),
        ("```\n# no\n```\n", None),
        ("", None),
    ],
)
def test_titles(text: str, title: str | None) -> None:
    assert Note("a.md", text).title == title


@given(st.text(max_size=60))
def test_any_yaml_is_answered(yaml: str) -> None:
    note = Note("a.md", f"---\nkey: {yaml}\n---\n")
    assert all(isinstance(key, str) for key in note.front_matter)
    assert note.title is None or note.title.strip()
