from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.entries.passages import day_of
from tests.support.passages import MODIFIED, one, passages, titled

LONG = "This line has enough words to be worth an entry of its own. " * 5


def titles(path: str, text: str) -> list[str]:
    return [passage.title for passage in passages(path, text)]


def test_sections_below_the_title_are_passages_with_their_small_subsections() -> None:
    text = "# Tools\n\n## Deploy\nmake ship\n\n### Rollback\nundo it\n\n## Backups\nrestic\n"
    found = passages("TOOLS.md", text)
    assert [passage.title for passage in found] == ["Deploy", "Backups"]
    assert found[0].spans == ((3, 7),)
    assert found[0].subtitles == ("Rollback",)


def test_an_introduction_is_a_passage_when_it_says_something() -> None:
    text = f"# Tools\n\n{LONG}\n\n## Deploy\nmake ship\n\n## Backups\nrestic\n"
    assert titles("TOOLS.md", text) == ["Tools", "Deploy", "Backups"]


def test_a_long_section_with_distinct_subsections_is_split_and_small_ones_stay() -> None:
    text = (
        f"# T\n\n## Servers\nintro\n\n### bittern\n{LONG}{LONG}\n\n### avocet\n{LONG}{LONG}\n"
        f"\n### old\ngone\n\n## Deploy\n{LONG}\n"
    )
    assert titles("TOOLS.md", text) == ["bittern", "avocet", "Deploy"]


def test_the_rest_of_a_split_section_is_a_passage_when_it_is_long_enough() -> None:
    text = f"# T\n\n## Servers\n{LONG}\n\n### a\n{LONG * 2}\n\n### b\n{LONG * 2}\n\n### c\nx\n"
    found = passages("TOOLS.md", text)
    assert [passage.title for passage in found] == ["Servers", "a", "b"]
    assert found[0].subtitles == ("c",)


def test_a_note_of_one_section_is_one_passage() -> None:
    (only,) = passages("docs/api.md", f"# API\n\n{LONG}\n")
    assert only.section is None


def test_a_note_without_headings_is_one_passage() -> None:
    (only,) = passages("memory/2026-01-05.md", "just text\nmore\n")
    assert only.section is None and only.title == ""


def test_data_is_never_cut_at_its_comments() -> None:
    (only,) = passages("memory/state.yaml", "# one\na: 1\n# two\nb: 2\n")
    assert only.section is None


def test_headings_in_fences_do_not_cut() -> None:
    text = "# T\n\n## A\n```\n## not a heading\n```\n\n## B\ntext\n"
    assert titles("TOOLS.md", text) == ["A", "B"]


def test_several_titles_are_cut_at_the_titles() -> None:
    assert titles("docs/x.md", "# One\ntext\n\n# Two\ntext\n\n## Sub\nt\n") == ["One", "Two"]


line = st.sampled_from(["# A", "## B", "### C", "#### D", "text", LONG, "", "```", "<!-- x -->"])


@given(st.lists(line, max_size=40))
def test_passages_are_in_order_and_no_line_is_in_two(lines: list[str]) -> None:
    found = passages("TOOLS.md", "\n".join(lines))
    taken = [
        at for passage in found for start, end in passage.spans for at in range(start, end + 1)
    ]
    assert len(taken) == len(set(taken))
    starts = [passage.line for passage in found]
    assert starts == sorted(set(starts)) and starts


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
