from __future__ import annotations

import pytest

from hippocampus_cli.entries.sections import SHELVES, place_in, place_of, shelf_of
from hippocampus_cli.index.parse import parse


@pytest.mark.parametrize(
    ("path", "shelf"),
    [
        ("MEMORY.md", "Core"),
        ("TOOLS.md", "Infrastructure"),
        ("USER.md", "People"),
        ("projects/a/PROJECT.md", "Projects"),
        ("memory/2026-01-05.md", "Daily Logs"),
        ("docs/glossary.md", "Technical Knowledge"),
        ("research/pdf.md", "Research"),
        ("skills/x/SKILL.md", "Skills"),
        ("agents/pip/AGENT.md", "Agents"),
        ("memory/state.json", "State"),
        ("tmp/x.md", "Scratch"),
    ],
)
def test_the_section_of_a_note(path: str, shelf: str) -> None:
    assert shelf_of(path) == shelf in SHELVES


def test_an_existing_section_of_that_title_is_the_place() -> None:
    assert place_in(parse("# I\n\n## Things\n\n### people\n"), "People") == ("Things", "people")
    assert place_in(parse("# People\n"), "People") == ("By Topic", "People")


@pytest.mark.parametrize(
    ("target", "section"),
    [
        ("TOOLS.md §VPN", ("By Topic", "Infrastructure")),
        ("projects/a/PROJECT.md", ("Mine", "Projects")),
        ("memory/2026-01-05.md §Backups", ("By Topic", "Daily Logs")),
        ("", ("By Topic", "Technical Knowledge")),
    ],
)
def test_where_an_entry_belongs_of_which_only_the_pointer_is_known(
    target: str, section: tuple[str, str]
) -> None:
    pointer = f"→ {target}\n" if target else ""
    document = parse(f"## Mine\n\n### Projects\n\n#### X\n{pointer}<!-- hx: id=x -->\n")
    assert place_of(document, document.entries[0].entry) == section
