from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.entries.passages import day_of, statements
from hippocampus_cli.entries.worth import frequencies
from hippocampus_cli.workspace.file_table import FileStat
from hippocampus_cli.workspace.fingerprints import fingerprint
from hippocampus_cli.workspace.note import Note
from tests.support.passages import MODIFIED, one, passages

LONG = "This line has enough words to be worth an entry of its own. " * 5


def titles(path: str, text: str) -> list[str]:
    return [passage.title for passage in passages(path, text)]


def test_a_short_note_and_data_have_no_sections() -> None:
    assert titles("TOOLS.md", f"# T\n\n## A\n{LONG}\n\n## B\n{LONG}\n") == []
    assert titles("memory/state.yaml", f"# one\n{LONG * 3}\n# two\n{LONG * 3}\n") == []


def test_the_sections_of_a_long_note_that_say_enough() -> None:
    text = f"# T\n\n{LONG}\n\n## Ape\n{LONG * 2}\n\n### Sub\nx\n\n## Bee\nx\n\n## Cat\n```\n## D\n```\n{LONG * 2}\n"
    assert titles("TOOLS.md", text) == ["Ape", "Cat"]


def test_a_long_section_is_left_to_its_subsections_and_to_what_it_says_before_them() -> None:
    inside = f"### Ape\n{LONG * 2}\n\n### Bee\n{LONG * 2}\n\n### Cat\nx\n"
    assert titles("TOOLS.md", f"# T\n\n## Servers\nx\n\n{inside}\n") == ["Ape", "Bee"]
    text = f"# T\n\n## Servers\n{LONG}\n\n{inside}\n"
    assert titles("TOOLS.md", text) == ["Servers", "Ape", "Bee"]


def test_a_section_that_is_nearly_all_of_the_note_needs_no_entry() -> None:
    assert titles("docs/api.md", f"# API\n\n## Keys\n{LONG * 6}\n") == []


def test_what_hippo_wrote_into_a_note_says_nothing() -> None:
    block = "<!-- hippo:begin agents -->\nThis workspace has a memory.\n<!-- hippo:end agents -->\n"
    assert one("AGENTS.md", block).content[0] == 0
    assert one("AGENTS.md", f"Be kind.\n\n{block}\nBe brief.\n").body == "Be kind.\n\n\nBe brief.\n"


line = st.sampled_from(["# A", "## B", "### C", "#### D", "text", LONG, LONG * 4, "", "```"])


@given(st.lists(line, max_size=40))
def test_passages_are_in_order_and_no_line_is_in_two(lines: list[str]) -> None:
    found = passages("TOOLS.md", "\n".join(lines))
    taken = [line for passage in found for line in range(passage.line, passage.end + 1)]
    assert len(taken) == len(set(taken))
    assert taken == sorted(taken)


@pytest.mark.parametrize(
    ("path", "day"),
    [
        ("memory/2026-01-05.md", date(2026, 1, 5)),
        ("memory/2026-01-05-0530.md", date(2026, 1, 5)),
        ("memory/archive/2025-12.md", date(2025, 12, 31)),
        ("TOOLS.md", None),
    ],
)
def test_the_day_of_a_note(path: str, day: date | None) -> None:
    assert day_of(path, MODIFIED) == day


def test_the_body_holds_neither_headings_nor_comments_nor_front_matter() -> None:
    passage = one("a.md", "---\nx: 1\n---\n# T\ntext\n<!-- no\nno -->\n```\ncode\n```\n")
    assert passage.body == "text\ncode\n"
    assert passage.content[0] == len("textcode")


def test_sections_whose_heading_many_have_get_no_entries_of_their_own() -> None:
    day = "".join(f"## {n}:10 AM Checkpoint\n\n{LONG}\n\n" for n in range(8))
    whole = one("memory/2026-01-05.md", f"{day}## Moved to Emden\n\n{LONG}\n## 9:10\n\n{LONG}\n")
    counted = frequencies([fingerprint(whole.note, FileStat("a", 1, 1), 1)])
    assert [each.title for each in whole.replaced(frequencies=counted).parts] == ["Moved to Emden"]


def test_lines_that_several_notes_have_say_nothing() -> None:
    notes = [
        Note("", f"This line is in each note.\n\nNote {n} has its own words.\n") for n in "abc"
    ]
    counted = frequencies([fingerprint(note, FileStat("a", 1, 1), 1) for note in notes])
    passage = one("0.md", notes[0].text)
    both = [said.text for said in statements(passage)]
    assert both == ["This line is in each note.", "Note a has its own words."]
    own = statements(passage.replaced(frequencies=counted))
    assert [said.text for said in own] == ["Note a has its own words."]
