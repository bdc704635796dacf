"""The strict path and days: an entry of the day asked for is one that was asked for."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from hippocampus_cli import open_workspace
from hippocampus_cli.api.workspace import Workspace
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.parse import parse
from hippocampus_cli.query.entry_match import IndexWords
from hippocampus_cli.search.query_parser import parse as parse_query

NOW = datetime(2026, 8, 1, 12, 0, tzinfo=UTC)
NOTES = {
    "MEMORY.md": "# Memory\n\n## Oven\n\nThe oven came in spring.\n\n## Shed\n\nThe shed is green.\n",
    "memory/2026-03-12.md": "# 2026-03-12: Standup\n\nSigrid asked for wipers.\n",
    "memory/2026-03-13.md": "# 2026-03-13: Standup\n\nTobi asked for bread.\n",
    "memory/2025-03-12.md": "# 2025-03-12: Harvest\n\nBeans.\n",
}
INDEX = """\
# HIPPOCAMPUS.md

## Standup
→ memory/2026-03-12.md
<!-- hx: id=one | hits=0 | str=0.90 | base=0.90 -->

## Standup again
→ memory/2026-03-13.md
<!-- hx: id=two | hits=0 | str=0.90 | base=0.90 -->

## Harvest (2025-03-12)
→ memory/2025-03-12.md
<!-- hx: id=harvest | hits=0 | str=0.90 | base=0.90 -->

## The oven of 12 March 2026
→ MEMORY.md §Oven
<!-- hx: id=oven | hits=0 | str=0.50 | base=0.50 -->

## Shed
→ MEMORY.md §Shed
<!-- hx: id=shed | hits=0 | str=0.90 | base=0.90 -->
"""


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    for path, text in NOTES.items():
        (tmp_path / path).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / path).write_text(text)
    (tmp_path / "HIPPOCAMPUS.md").write_text(INDEX)
    return open_workspace(tmp_path)


def entries(workspace: Workspace, text: str) -> list[str | None]:
    result = workspace.query(text, mode="index", write=False, now=NOW)
    return [one.entry for one in result.results]


def test_a_day_alone_finds_the_entries_of_its_note_and_those_that_have_its_words(
    workspace: Workspace,
) -> None:
    assert entries(workspace, "2026-03-12") == ["one"]
    assert set(entries(workspace, "12 March")) == {"one", "oven"}


def test_the_same_day_of_another_year_is_another_one(workspace: Workspace) -> None:
    assert entries(workspace, "2025-03-12") == ["harvest"]


def test_a_month_finds_the_entries_of_its_notes(workspace: Workspace) -> None:
    assert set(entries(workspace, "in March")) == {"one", "two", "oven"}


def test_beside_words_a_day_counts_as_one(workspace: Workspace) -> None:
    assert entries(workspace, "standup 12 March")[0] == "one"
    assert set(entries(workspace, "standup 12 March")) == {"one", "two", "oven"}


def test_a_day_that_no_entry_is_of_finds_nothing(workspace: Workspace) -> None:
    assert entries(workspace, "2026-03-14") == []


def test_a_word_that_no_entry_has_may_be_a_misspelt_one() -> None:
    index = Hierarchy(parse("# I\n\n## About mongo\n→ a.md\n<!-- hx: id=a | hits=0 -->\n"))
    query = parse_query("mogno", NOW.date())
    assert IndexWords(index).match(query, lambda _: {"mogno": "mongo"})
    assert not IndexWords(index).match(query, lambda _: {})
