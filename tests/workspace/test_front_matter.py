"""What a note says about itself."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.workspace.note import Note


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
