from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.entries.summary import summary_of
from hippocampus_cli.entries.topic import (
    TOPIC_CHARACTERS,
    heading_of,
    is_generic,
    topic_of,
)
from hippocampus_cli.entries.vocabulary import Vocabulary, learn
from tests.support.passages import one, passages, titled, vocabulary


@pytest.mark.parametrize(
    ("title", "heading"),
    [
        ("🚀 **Deploy** to `prod`", "Deploy to prod"),
        ("3.1. Backups", "Backups"),
        ("2026-04-25 — Vendor call", "Vendor call"),
        ("14:30 – Vendor call", "Vendor call"),
        ("2026-05-02 (Saturday) — moving day", "moving day"),
        ("Promoted (2026-03-01)", "Promoted"),
        ("Session: 2026-05-16 14:30:00 UTC", "Session"),
        ("Inbox on a Monday", "Inbox on a Monday"),
        ("2026-04-25", ""),
        ("(holiday mode)", "holiday mode"),
        ("Ports: ", "Ports"),
        ("🎉", ""),
        ("C++ and C#", "C++ and C#"),
        ("岡部 花", "岡部 花"),
    ],
)
def test_headings_as_people_say_them(title: str, heading: str) -> None:
    assert heading_of(title) == heading


@pytest.mark.parametrize(
    "heading", ["Notes", "TODO", "What I don't do", "Next steps", "Notizen", "1.2", ""]
)
def test_generic_headings(heading: str) -> None:
    assert is_generic(heading)


@pytest.mark.parametrize("heading", ["Deploy", "Vendor call notes", "岡部 花", "Ghost alarms"])
def test_headings_that_say_something(heading: str) -> None:
    assert not is_generic(heading)


def topic(path: str, text: str, title: str, vocab: Vocabulary | None = None) -> str:
    return topic_of(titled(path, text, title), vocab or Vocabulary())


def test_a_core_files_section_is_its_heading() -> None:
    assert topic("TOOLS.md", "# TOOLS\n\n## Deploy 🚀\nx\n\n## VPN\ny\n", "Deploy 🚀") == "Deploy"


def test_a_generic_heading_gets_the_notes_name() -> None:
    assert topic("TOOLS.md", "# Tools\n\n## Notes\nx\n\n## VPN\ny\n", "Notes") == "TOOLS: Notes"


def test_a_projects_section_is_named_after_the_project() -> None:
    text = "# Acme API 🌿\n\n## Notes\nx\n\n## Stack\ny\n"
    assert topic("projects/acme/PROJECT.md", text, "Notes") == "Acme API: Notes"


def test_a_project_without_a_title_has_its_folders_name() -> None:
    text = "## Status\nx\n\n## Stack\ny\n"
    assert topic("projects/acme_api/PROJECT.md", text, "Stack") == "Acme api: Stack"


def test_a_dailys_generic_section_has_its_day_and_telling_words() -> None:
    text = "# 2026-01-05\n\n## Notes\nTokyo train strike on Thursday.\n\n## Ship\nz\n"
    assert (
        topic("memory/2026-01-05.md", text, "Notes") == "2026-01-05: Tokyo train strike on Thursday"
    )


def test_a_repeated_heading_in_dailies_has_its_day() -> None:
    first = ("memory/2026-01-05.md", "# 2026-01-05\n\n## Standup with Pri\nx\n\n## Other\ny\n")
    second = ("memory/2026-01-06.md", "# 2026-01-06\n\n## Standup with Pri\nx\n\n## More\ny\n")
    vocab = vocabulary(first, second)
    assert topic(*first, "Standup with Pri", vocab) == "Standup with Pri (2026-01-05)"


def test_a_whole_daily_is_its_day_and_its_headings() -> None:
    text = "# 2026-01-05\n\n## Ghost alarms\nx\n\n## Notes\ny\n\n## Move (the plan, at last): part one\nz\n"
    assert topic_of(one("memory/2026-01-05.md", text), Vocabulary()) == (
        "2026-01-05: Ghost alarms, Move"
    )


def test_a_daily_with_a_title_or_a_slug_is_called_by_it() -> None:
    assert topic_of(one("memory/2026-01-05-vendor-call.md", "text"), Vocabulary()) == (
        "Vendor call (2026-01-05)"
    )
    titled_note = one("memory/2026-01-05_POSTMORTEM.md", "# Postmortem: no alarms\nx")
    assert topic_of(titled_note, Vocabulary()) == "Postmortem: no alarms (2026-01-05)"


def test_a_topic_that_is_taken_gives_way_to_a_longer_one() -> None:
    passage = titled("MEMORY.md", "# M\n\n## Deploy\nship it\n\n## B\ny\n", "Deploy")
    taken: set[str] = set()
    for _ in range(4):
        found = topic_of(passage, Vocabulary(), taken)
        assert found.casefold() not in taken
        taken.add(found.casefold())


heading = st.text(max_size=90) | st.sampled_from(
    ["Notes", "->x", "# #", "<!-- a", "- b", "```", "→ p.md"]
)


@given(heading, st.sampled_from(["MEMORY.md", "memory/2026-01-05.md", "docs/a.md", "x.json"]))
def test_a_topic_is_one_short_line(title: str, path: str) -> None:
    clean = " ".join(title.split())
    for passage in passages(path, f"# {clean}\n\n## {clean}\ntext\n\n## {clean}\nmore\n"):
        found = topic_of(passage, Vocabulary())
        assert 0 < len(found) <= TOPIC_CHARACTERS
        assert "\n" not in found and not any(ord(char) < 32 for char in found)


def test_a_day_without_headings_is_called_by_what_tells_most_in_it() -> None:
    every_day = "- Weather dry, the cellar dry\n- Till closed, nothing missing\n"
    days = {f"memory/2026-04-{day:02}.md": f"# Day\n\n{every_day}" for day in range(1, 20)}
    days["memory/2026-04-07.md"] += "- New opening hours agreed: Monday to Thursday 9 to 14\n"
    passages = [one(path, text) for path, text in days.items()]
    vocabulary = learn(passages)
    told = next(passage for passage in passages if "04-07" in passage.note.path)
    topic = topic_of(told, vocabulary)
    assert topic.startswith("2026-04-07: New opening hours agreed")
    assert "opening hours" not in summary_of(told, topic, 110, vocabulary)
    assert "Monday to Thursday" in summary_of(told, "2026-04-07", 110, vocabulary)
