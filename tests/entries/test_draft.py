from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.entries.draft import (
    MOST_TAGS,
    TOPIC_CHARACTERS,
    draft,
    draft_group,
    heading_of,
    pointer_to,
    tags_of,
    topic_of,
)
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
    passage = titled("TOOLS.md", TOOLS, "Deploy 🚀")
    made = draft(passage, CLOCK)
    assert made == draft(passage, CLOCK)
    assert block(made) == (
        "## TOOLS: Deploy\n"
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


def test_a_duplicate_heading_is_pointed_at_by_number_and_a_note_as_a_whole() -> None:
    text = f"# 2026-01-05\n\n## Notes\nfirst {LONG}\n\n## Notes\nsecond {LONG}\n"
    names = [pointer_to(passage).section for passage in passages("memory/2026-01-05.md", text)]
    assert names == ["Notes #1", "Notes #2"]
    assert pointer_to(one("a b.md", "text")) == Pointer("a b.md")


@pytest.mark.parametrize("heading", ["A | B", "§1", "100% `code` > x", "-->", "a\x1b[31m", "##"])
def test_odd_headings_lead_back_to_their_section(heading: str) -> None:
    text = f"# T\n\n## {heading}\nsome text here\n\n## Other\nmore\n"
    note = one("TOOLS.md", text).note
    passage = Passage(note, date.min, note.sections[1])
    pointer = pointer_to(passage)
    if pointer.section is not None:
        found = find_section(passage.note.sections, pointer.section)
        assert found == passage.section


@given(st.text(max_size=60), st.text(max_size=200))
def test_any_section_becomes_exactly_one_entry(heading: str, body: str) -> None:
    text = f"# T\n\n## {' '.join(heading.split())}\n{body}\n\n## Other\nmore\n"
    note = one("TOOLS.md", text).note
    for section in note.sections:
        passage = Passage(note, MODIFIED, section)
        made = draft(passage, CLOCK)
        document = parse(block(made) + "\n")
        (entry,) = document.entries
        assert entry.entry.id == made.id
        assert entry.entry.pointers == made.pointers
        assert entry.entry.tags == made.tags


def test_many_notes_share_an_entry() -> None:
    days = [one(f"logs/run-2026-01-{day:02}.md", "# Nightly run\nfine") for day in (3, 4, 5)]
    made = draft_group(days, CLOCK)
    assert made.topic == "logs: 3 files to 2026-01-05"
    assert made.summary == "Nightly run"
    assert draft_group([one("logs/a.md", "# A"), *days], CLOCK).topic == "logs: 4 files"
    assert [pointer.path for pointer in made.pointers] == [day.note.path for day in days]


@pytest.mark.parametrize(
    ("path", "text", "tags"),
    [
        ("docs/r.md", "---\ntags: [Ops, on call]\n---\n# Runbook\n", ("ops", "on-call")),
        ("d.md", "---\ntags: ops, deploy\n---\nx\n", ("ops", "deploy")),
        ("d.md", "---\ntags: 3\n---\nx\n", ()),
        ("docs/r.md", "x", ()),
        ("d.md", "Ask **Eirik Moen** about the harvest.", ()),
    ],
)
def test_tags_are_the_authors(path: str, text: str, tags: tuple[str, ...]) -> None:
    assert tags_of(one(path, text)) == tags


@given(st.lists(st.text(max_size=30), max_size=8))
def test_tags_are_slugs_within_their_limit(given: list[str]) -> None:
    text = f"---\ntags: {[word.replace(chr(39), '') for word in given]}\n---\nx\n"
    tags = tags_of(one("d.md", text))
    assert len(tags) <= MOST_TAGS and len(set(tags)) == len(tags)
    for tag in tags:
        assert tag == tag.casefold() and not set(tag) & set(" ,|>\n")


@pytest.mark.parametrize(
    ("title", "heading"),
    [
        ("🚀 **Deploy** to `prod`", "Deploy to prod"),
        ("3.1. Backups", "Backups"),
        ("2026-04-25 — Vendor call", "Vendor call"),
        ("14:30 – Vendor call", "Vendor call"),
        ("9:30 AM - Vendor call", "Vendor call"),
        ("Promoted (2026-03-01)", "Promoted"),
        ("Tracker (added 2026-03-01)", "Tracker"),
        ("Call (2026-03-01 13:56 GMT+4)", "Call"),
        ("Promoted (2)", "Promoted (2)"),
        ("3D printing", "3D printing"),
        ("2026-04-25", "2026-04-25"),
        ("Solution (0:35 - 1:00)", "Solution (0:35 - 1:00)"),
        ("Ports: ", "Ports"),
        ("🎉", ""),
        ("C++ and C#", "C++ and C#"),
        ("岡部 花", "岡部 花"),
    ],
)
def test_headings_as_people_say_them(title: str, heading: str) -> None:
    assert heading_of(title) == heading


@pytest.mark.parametrize(
    ("path", "text", "topic"),
    [
        ("projects/acme/PROJECT.md", "# Acme API 🌿\n\n## Notes\nx\n", "Acme API"),
        ("docs/sms_gateway.md", "text", "Sms gateway"),
        ("TOOLS.md", "# What I use\n", "TOOLS"),
        (
            "memory/2026-01-05.md",
            "# 2026-01-05\n\n## Ghosts\nx\n\n## 09:30 Move\ny\n",
            "2026-01-05: Ghosts; Move",
        ),
        ("memory/2026-01-05.md", "kites", "2026-01-05: kites"),
        ("memory/2026-01-05-vendor-call.md", "text", "2026-01-05: Vendor call"),
        ("memory/2026-01-05_POSTMORTEM.md", "# No alarms\nx", "2026-01-05: POSTMORTEM"),
        ("memory/seo-audit-2026-02.md", "# SEO audit\n", "SEO audit"),
        ("memory/2026-01-05-g12-fix-v1-loop-2.md", "text", "2026-01-05: G12 fix v1 loop 2"),
        ("memory/2026-05.md", "# May\nThe ghost is home.\n", "2026-05: The ghost is home."),
        ("memory/2026-W08.md", "# Log\n\n## Ghosts\nx\n", "2026-W08: Ghosts"),
        ("memory/2026-01-05-0930-wizard.md", "text", "2026-01-05: Wizard"),
    ],
)
def test_a_note_is_called_by_its_title_or_its_file(path: str, text: str, topic: str) -> None:
    assert topic_of(one(path, text)) == topic


def test_a_section_is_called_by_its_heading_and_its_note() -> None:
    text = "# Acme API\n\n## Notes\nx\n\n## Acme API keys\ny\n"
    assert topic_of(titled("projects/a.md", text, "Notes")) == "Acme API: Notes"
    assert topic_of(titled("projects/a.md", text, "Acme API keys")) == "Acme API keys"
    twice = titled("docs/b.md", "## Notes\nx\n\n## Notes\ny\n", "Notes")
    assert topic_of(twice, {"b: notes"}) == "Notes (docs/b.md)"
    day = titled("memory/2026-01-05.md", "# 2026-01-05\n\n## 14:30 Ghosts\nx\n", "14:30 Ghosts")
    assert topic_of(day) == "Ghosts (2026-01-05)"
    named = titled("memory/2026-01-05-cron-review.md", "# Day\n\n## Next\ny\n", "Next")
    assert topic_of(named) == "Cron review: Next (2026-01-05)"


heading = st.text(max_size=90) | st.sampled_from(
    ["Notes", "->x", "# #", "<!-- a", "- b", "```", "→ p.md"]
)


@given(heading, st.sampled_from(["MEMORY.md", "memory/2026-01-05.md", "docs/a.md", "x.json"]))
def test_a_topic_is_one_short_line(title: str, path: str) -> None:
    found = topic_of(one(path, f"# {' '.join(title.split())}\n\n## A\ntext\n\n## B\nmore\n"))
    assert 0 < len(found) <= TOPIC_CHARACTERS
    assert "\n" not in found and not any(ord(char) < 32 for char in found)
