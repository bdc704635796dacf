from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.entries.draft import TOPIC_CHARACTERS, heading_of, topic_of
from tests.support.passages import one, titled


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
        ("projects/acme_api/PROJECT.md", "## Status\nx\n", "Acme api"),
        ("docs/sms_gateway.md", "text", "Sms gateway"),
        ("TOOLS.md", "# What I use\n", "TOOLS"),
        (
            "memory/2026-01-05.md",
            "# 2026-01-05\n\n## Ghosts\nx\n\n## 09:30 Move\ny\n",
            "2026-01-05: Ghosts; Move",
        ),
        ("memory/2026-01-05.md", "text", "2026-01-05"),
        ("memory/2026-01-05.md", "# 2026-01-05\n\n## Backup run\nx\n", "2026-01-05: Backup run"),
        ("memory/2026-01-05-vendor-call.md", "text", "2026-01-05: Vendor call"),
        ("memory/2026-01-05_POSTMORTEM.md", "# No alarms\nx", "2026-01-05: Postmortem"),
        ("memory/2026-W05.md", "text", "2026-W05"),
        ("memory/2026-01-05-g12-fix-v1-loop-2.md", "text", "2026-01-05: G12 fix v1 loop 2"),
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
    text = "# Day\n\n## Launch\n\n### Done\nx\n\n## Next\ny\n"
    assert topic_of(titled("memory/2026-01-05.md", text, "Done")) == "Launch: Done (2026-01-05)"
    named = titled("memory/2026-01-05-cron-review.md", text, "Next")
    assert topic_of(named) == "Cron review: Next (2026-01-05)"


def test_a_topic_that_is_taken_gives_way_to_a_longer_one() -> None:
    passage = titled("MEMORY.md", "# M\n\n## Deploy\nship it\n\n## B\ny\n", "Deploy")
    taken: set[str] = set()
    for _ in range(3):
        found = topic_of(passage, taken)
        assert found.casefold() not in taken
        taken.add(found.casefold())


heading = st.text(max_size=90) | st.sampled_from(
    ["Notes", "->x", "# #", "<!-- a", "- b", "```", "→ p.md"]
)


@given(heading, st.sampled_from(["MEMORY.md", "memory/2026-01-05.md", "docs/a.md", "x.json"]))
def test_a_topic_is_one_short_line(title: str, path: str) -> None:
    found = topic_of(one(path, f"# {' '.join(title.split())}\n\n## A\ntext\n\n## B\nmore\n"))
    assert 0 < len(found) <= TOPIC_CHARACTERS
    assert "\n" not in found and not any(ord(char) < 32 for char in found)
