from __future__ import annotations

from datetime import date

import pytest

from hippocampus_cli.entries.passages import day_of
from tests.entries.notes import MODIFIED, one, titled


@pytest.mark.parametrize(
    ("path", "day"),
    [
        ("memory/2026-01-05.md", date(2026, 1, 5)),
        ("memory/2026-01-05-0530.md", date(2026, 1, 5)),
        ("memory/archive/2025-12.md", date(2025, 12, 31)),
        ("TOOLS.md", MODIFIED),
    ],
)
def test_the_day_of_a_note(path: str, day: date) -> None:
    assert day_of(path, MODIFIED) == day


def test_the_body_holds_neither_headings_nor_comments_nor_front_matter() -> None:
    passage = one("a.md", "---\nx: 1\n---\n# T\ntext\n<!-- no\nno -->\n```\ncode\n```\n")
    assert passage.body == "text\ncode\n"
    assert passage.size == len("textcode")


def test_subtitles_are_the_headings_inside() -> None:
    passage = titled("TOOLS.md", "# T\n\n## A\nx\n\n### B\ny\n\n## C\nz\n", "A")
    assert passage.subtitles == ("B",)


def test_an_empty_note_is_an_empty_passage() -> None:
    passage = one("a.md", "")
    assert (passage.body, passage.size, passage.title, passage.line) == ("", 0, "", 1)
