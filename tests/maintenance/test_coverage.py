from __future__ import annotations

import pytest

from hippocampus_cli.maintenance.candidates import coverage
from tests.support.indexes import index_of
from tests.support.passages import one, passages

WORDS = "Words that say how it is done, and why it is done like that. " * 12
TOOLS = f"# TOOLS\n\n## Deploy\n{WORDS}\n\n### Rollback\nback\n\n## VPN\n{WORDS}\n"
DAY = "# 2026-01-05\n\n## A\nsome text\n\n## B\nmore text\n"


def covered(index: str, path: str, text: str) -> list[str]:
    """The titles of the passages that an index covers."""
    parts = passages(path, text)
    found = coverage(index_of(index), [one(path, text).note])
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
    big = TOOLS.replace("\nback", f"\n{WORDS}").replace(
        "## Deploy\n", f"## Deploy\n\n### Ship\n{WORDS}"
    )
    assert covered(bullet("TOOLS.md §Deploy"), "TOOLS.md", big) == ["Ship", "Rollback"]
    assert covered(bullet("TOOLS.md §TOOLS"), "TOOLS.md", TOOLS) == []


def test_a_pointer_to_a_long_note_leaves_its_sections() -> None:
    assert covered(bullet("TOOLS.md"), "TOOLS.md", TOOLS) == []


@pytest.mark.parametrize(
    "pointer", ["/etc/passwd", "../TOOLS.md", "~/TOOLS.md", "other.md §Deploy", "TOOLS.md §Zzz"]
)
def test_pointers_that_lead_elsewhere_cover_nothing(pointer: str) -> None:
    assert covered(bullet(pointer), "TOOLS.md", TOOLS) == []


def test_a_short_note_of_which_a_section_is_indexed_is_not_indexed_again_as_a_file() -> None:
    short, long = one("memory/2026-01-05.md", DAY), one("memory/2026-01-05.md", DAY + WORDS * 3)
    index = index_of(bullet("memory/2026-01-05.md §B"))
    assert coverage(index, [short.note]).entry_of(short) == "topic"
    assert coverage(index, [long.note]).entry_of(long) is None
