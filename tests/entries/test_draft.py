from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.entries.draft import draft, draft_group, pointer_to
from hippocampus_cli.entries.passages import Passage
from hippocampus_cli.index.edit import block
from hippocampus_cli.index.parse import parse
from hippocampus_cli.index.pointers import Pointer
from hippocampus_cli.workspace.sections import find_section
from tests.support.passages import CLOCK, MODIFIED, one, passages, titled

LONG = "This line has enough words to be worth an entry of its own. " * 12

TOOLS = """# TOOLS

## Deploy 🚀

Since April the **kelpctl** command is:

```bash
kelpctl release prod --canary 10
```

## VPN

WireGuard, MTU 1380, not the default 1420.
"""


def test_an_entry_as_a_person_reads_it() -> None:
    made = draft(titled("TOOLS.md", TOOLS, "Deploy 🚀"), CLOCK)
    assert block(made, 3) == (
        "### TOOLS: Deploy\n"
        "Since April the kelpctl command is: kelpctl release prod --canary 10\n"
        "→ TOOLS.md §Deploy 🚀\n"
        "<!-- hx: id=tools-deploy | created=2026-01-20 | accessed=2026-01-31 -->"
    )


@pytest.mark.parametrize(
    ("path", "day"),
    [("memory/2025-12-24.md", date(2025, 12, 24)), ("memory/2031-01-01.md", date(2026, 1, 31))],
)
def test_an_entry_is_of_its_notes_day_and_begins_at_full_strength(path: str, day: date) -> None:
    made = draft(one(path, "Goose and red cabbage."), CLOCK)
    assert (made.created, made.accessed) == (day, date(2026, 1, 31))
    assert made.base == 1.0


@pytest.mark.parametrize(
    ("title", "id"), [("The winter of the goose", "winter-goose"), ("How it is", "how-it-is")]
)
def test_an_id_names_what_the_entry_is_about(title: str, id: str) -> None:
    assert draft(one("docs/x.md", f"# {title}\nx y z\n"), CLOCK).id == id
    day = draft(one("memory/2026-01-02.md", "# 2026-01-02\n\nThe goose came home today.\n"), CLOCK)
    assert day.id == "2026-01-02"


def test_ids_and_topics_that_are_taken_are_avoided() -> None:
    made = draft(one("docs/vpn.md", "# VPN\nx y z\n"), CLOCK, ids={"vpn"}, topics={"vpn"})
    assert made.id != "vpn" and made.topic.casefold() != "vpn"


def test_the_same_passage_gives_the_same_entry() -> None:
    passage = titled("TOOLS.md", TOOLS, "VPN")
    assert draft(passage, CLOCK) == draft(passage, CLOCK)


def test_a_duplicate_heading_is_pointed_at_by_number() -> None:
    text = f"# 2026-01-05\n\n## Notes\nfirst {LONG}\n\n## Notes\nsecond {LONG}\n"
    names = [pointer_to(passage).section for passage in passages("memory/2026-01-05.md", text)]
    assert names == ["Notes #1", "Notes #2"]


def test_a_note_without_headings_is_pointed_at_as_a_whole() -> None:
    assert pointer_to(one("a b.md", "text")) == Pointer("a b.md")


@pytest.mark.parametrize("heading", ["A | B", "§1", "100% `code` > x", "-->", "a\x1b[31m", "##"])
def test_odd_headings_lead_back_to_their_section(heading: str) -> None:
    text = f"# T\n\n## {heading}\nsome text here\n\n## Other\nmore\n"
    note = one("TOOLS.md", text).note
    passage = Passage(note, date.min, note.sections[1])
    pointer = pointer_to(passage)
    if pointer.section is not None:
        found = find_section(passage.note.sections, pointer.section)
        assert found is not None and found.section == passage.section


@given(st.text(max_size=60), st.text(max_size=200))
def test_any_section_becomes_exactly_one_entry(heading: str, body: str) -> None:
    text = f"# T\n\n## {' '.join(heading.split())}\n{body}\n\n## Other\nmore\n"
    note = one("TOOLS.md", text).note
    for section in note.sections:
        passage = Passage(note, MODIFIED, section)
        made = draft(passage, CLOCK)
        document = parse(block(made, 3) + "\n")
        (entry,) = document.entries
        assert entry.entry.id == made.id
        assert entry.entry.pointers == made.pointers
        assert entry.entry.tags == made.tags


def test_many_notes_share_an_entry() -> None:
    days = [one(f"logs/run-2026-01-{day:02}.md", "# Nightly run\nfine") for day in (3, 4, 5)]
    made = draft_group(days, CLOCK)
    assert made.topic == "logs: 3 files, 2026-01-03 to 2026-01-05"
    assert made.summary == "Nightly run"
    assert [pointer.path for pointer in made.pointers] == [day.note.path for day in days]
