from __future__ import annotations

import pytest

from hippocampus_cli.entries.passages import Passage
from hippocampus_cli.maintenance.candidates import coverage
from tests.support.indexes import index_of
from tests.support.passages import one, passages

TOOLS = "# TOOLS\n\n## Deploy\nship it\n\n### Rollback\nback\n\n## VPN\nmtu\n"
DAY = "# 2026-01-05\n\n## A\nsome text\n\n## B\nmore text\n"


def covered(index: str, path: str, text: str) -> list[str]:
    """The titles of the passages that an index covers."""
    parts = passages(path, text)
    found = coverage(index_of(index), [parts[0].note])
    return [passage.title for passage in parts if found.entry_of(passage)]


def bullet(pointer: str) -> str:
    return f"- Topic → {pointer}\n"


@pytest.mark.parametrize(
    "pointer",
    [
        "TOOLS.md §Deploy",
        "tools.md §deploy",
        "./TOOLS.md §Deploy",
        "docs/../TOOLS.md §Deplyo",
        "`TOOLS.md` §Deploy",
    ],
)
def test_a_pointer_to_a_section_covers_it(pointer: str) -> None:
    assert covered(bullet(pointer), "TOOLS.md", TOOLS) == ["Deploy"]


def test_a_pointer_covers_subsections_but_a_title_only_itself() -> None:
    big = TOOLS.replace("\nback", "\n" + "back " * 200).replace(
        "ship it", "### Ship\n" + "ship it " * 100
    )
    assert covered(bullet("TOOLS.md §Deploy"), "TOOLS.md", big) == ["Ship", "Rollback"]
    assert covered(bullet("TOOLS.md §TOOLS"), "TOOLS.md", TOOLS) == []


def test_a_whole_daily_is_covered_and_a_whole_core_file_is_not() -> None:
    assert covered(bullet("memory/2026-01-05.md"), "memory/2026-01-05.md", DAY) == ["A", "B"]
    assert covered(bullet("TOOLS.md"), "TOOLS.md", TOOLS) == []


def test_hippos_own_entry_of_a_core_file_covers_all_of_it() -> None:
    entry = "## Tools\n→ TOOLS.md\n<!-- hx: id=tools | src=auto -->\n"
    assert covered(entry, "TOOLS.md", TOOLS) == ["Deploy", "VPN"]


@pytest.mark.parametrize(
    "pointer", ["/etc/passwd", "../TOOLS.md", "~/TOOLS.md", "other.md §Deploy", "TOOLS.md §Zzz"]
)
def test_pointers_that_lead_elsewhere_cover_nothing(pointer: str) -> None:
    assert covered(bullet(pointer), "TOOLS.md", TOOLS) == []


def test_a_note_of_which_sections_are_indexed_is_not_indexed_again_as_a_file() -> None:
    whole: Passage = one("memory/2026-01-05.md", DAY)
    found = coverage(index_of(bullet("memory/2026-01-05.md §B")), [whole.note])
    assert found.entry_of(whole) == "topic"
    assert found.touches("memory/2026-01-05.md") and not found.touches("TOOLS.md")
