from __future__ import annotations

import pytest

from hippocampus_cli.entries.sections import SHELVES, place_in, place_of, shelf_of
from hippocampus_cli.index.parse import parse
from hippocampus_cli.workspace.kinds import NoteKind
from tests.support.passages import one, titled


@pytest.mark.parametrize(
    ("path", "shelf"),
    [
        ("MEMORY.md", "Core"),
        ("TOOLS.md", "Infrastructure"),
        ("USER.md", "People"),
        ("projects/a/PROJECT.md", "Projects"),
        ("memory/2026-01-05.md", "Daily Logs"),
        ("memory/long-term/people.md", "People"),
        ("docs/runbook-oncall.md", "Infrastructure"),
        ("docs/glossary.md", "Technical Knowledge"),
        ("research/pdf.md", "Research"),
        ("skills/x/SKILL.md", "Skills"),
        ("agents/pip/AGENT.md", "Agents"),
        ("memory/state.json", "State"),
        ("tmp/x.md", "Scratch"),
    ],
)
def test_the_section_of_a_note(path: str, shelf: str) -> None:
    assert shelf_of(one(path, "text")) == shelf


def test_a_heading_of_a_core_file_may_say_more_than_its_kind() -> None:
    text = "# M\n\n## My team\nx\n\n## Servers\ny\n\n## Money\nz\n"
    shelves = [
        shelf_of(titled("MEMORY.md", text, title)) for title in ("My team", "Servers", "Money")
    ]
    assert shelves == ["People", "Infrastructure", "Core"]


def test_every_kind_has_a_section() -> None:
    kinds = {shelf_of(one(path, "x")) for path in ("a.md", "b.json", "tmp/c.md")}
    assert kinds <= set(SHELVES) and len(NoteKind) <= len(SHELVES)


def test_an_existing_section_of_that_title_is_the_place() -> None:
    assert place_in(parse("# I\n\n## Things\n\n### people\n"), "People") == ("Things", "people")
    assert place_in(parse("# People\n"), "People") == ("By Topic", "People")


@pytest.mark.parametrize(
    ("target", "section"),
    [
        ("TOOLS.md §VPN", ("By Topic", "Infrastructure")),
        ("docs/guide.md §The team", ("By Topic", "People")),
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
