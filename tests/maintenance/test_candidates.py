from __future__ import annotations

from datetime import date

import pytest

from hippocampus_cli.entries.passages import Passage
from hippocampus_cli.maintenance.candidates import (
    Coverage,
    Why,
    cut_all,
    detailed,
    ranked,
    sift,
    uncovered,
)
from tests.maintenance.workspace import files
from tests.support.passages import one

TODAY = date(2026, 1, 31)
TWO = "# T\n\n## A\n\nSome words of the first {0}.\n\n## B\n\nSome words of the second {0}.\n"


def offered(notes: dict[str, str], most: int, covered: Coverage | None = None) -> list[str]:
    """The passages offered, as ``path`` or ``path §title``."""
    cuts = uncovered(cut_all(files(notes)), covered or Coverage(), TODAY, 14)
    return list(map(name, detailed(sift(cuts, [])[0], most)))


def name(passage: Passage) -> str:
    return passage.note.path + (f" §{passage.title}" if passage.section else "")


def two(*paths: str) -> dict[str, str]:
    return {path: TWO.format(path) for path in paths}


def test_there_is_room_for_sections() -> None:
    assert offered(two("docs/a.md"), 10) == ["docs/a.md §A", "docs/a.md §B"]


def test_scratch_gives_way_before_docs_and_docs_before_dailies() -> None:
    notes = two("tmp/x.md", "docs/a.md", "memory/2026-01-30.md")
    assert len(offered(notes, 6)) == 6
    assert "tmp/x.md" in offered(notes, 5)
    assert {"tmp/x.md", "docs/a.md"} <= set(offered(notes, 4))


@pytest.mark.parametrize("path", ["MEMORY.md", "TOOLS.md", "USER.md"])
def test_what_is_looked_up_never_gives_way(path: str) -> None:
    assert offered(two(path), 0) == [f"{path} §A", f"{path} §B"]


def test_a_project_s_main_note_gives_way_last() -> None:
    notes = two("projects/a/PROJECT.md", "projects/a/NOTES.md")
    assert offered(notes, 3) == [
        "projects/a/NOTES.md",
        "projects/a/PROJECT.md §A",
        "projects/a/PROJECT.md §B",
    ]


def test_the_days_of_dailies() -> None:
    notes = two("memory/2026-01-17.md", "memory/2026-01-16.md")
    assert offered(notes, 10) == [
        "memory/2026-01-16.md",
        "memory/2026-01-17.md §A",
        "memory/2026-01-17.md §B",
    ]


def test_a_note_that_is_indexed_by_section_stays_so() -> None:
    covered = Coverage(sections={"docs/a.md": {1: "a"}})
    assert offered(two("docs/a.md"), 0, covered) == ["docs/a.md §B"]


def test_passages_without_enough_text_are_named() -> None:
    notes = {"a.md": "# A\n", "b.md": "short", "c.md": "long enough to be indexed"}
    cuts, out, _ = sift(uncovered(cut_all(files(notes)), Coverage(), TODAY, 14), [])
    assert [(found.path, found.why) for found in out] == [("a.md", Why.EMPTY), ("b.md", Why.SHORT)]
    assert [len(found.new) for found in cuts] == [0, 0, 1]


def test_what_the_index_says_already_is_a_duplicate() -> None:
    known = one("old.md", "long enough to be indexed")
    notes = {"new.md": "long  enough\nto be indexed\n"}
    _, out, _ = sift(uncovered(cut_all(files(notes)), Coverage(), TODAY, 14), [known])
    assert [found.why for found in out] == [Why.DUPLICATE]


def test_recent_before_old_and_much_before_little() -> None:
    text = "Many words about the day at the sea with the buoys. " * 8
    old, new = one("memory/2025-02-01.md", text), one("memory/2026-01-30.md", text)
    thin = one("memory/2026-01-29.md", "A thin day.")
    assert ranked([old, thin, new], TODAY, {})[0] is new
    assert (
        ranked([one("tmp/a.md", text), one("MEMORY.md", text)], TODAY, {})[0].note.path
        == "MEMORY.md"
    )


def test_one_kind_does_not_crowd_out_the_others() -> None:
    text = "Many words about the day at the sea with the buoys. " * 8
    docs = [one(f"docs/{n}.md", text) for n in range(200)]
    days = [one(f"memory/2025-06-{n:02}.md", text) for n in range(1, 29)]
    first = [passage.note.path for passage in ranked([*docs, *days], TODAY, {})[:60]]
    assert sum(path.startswith("memory/") for path in first) > 10


def test_logs_that_differ_in_their_numbers_only_have_one_entry_together() -> None:
    notes = {
        f"memory/2026-01-{day:02}.md": f"# Heartbeat\n\nAll fine, {day} mails, {day * 3} percent of the disk.\n"
        for day in range(1, 6)
    }
    cuts, out, also = sift(uncovered(cut_all(files(notes)), Coverage(), TODAY, 14), [])
    assert sum(len(found.new) for found in cuts) == 1
    assert [len(found) for found in also.values()] == [4]
    assert {found.why for found in out} == {Why.DUPLICATE}
    other = {f"docs/{port}.md": f"# Port\n\nThe service listens on {port}.\n" for port in range(5)}
    cuts, out, _ = sift(uncovered(cut_all(files(other)), Coverage(), TODAY, 14), [])
    assert sum(len(found.new) for found in cuts) == 5 and not out


def test_what_is_linked_to_comes_first_and_what_a_program_wrote_last() -> None:
    text = "Many words about the day at the sea with the buoys. " * 8
    plain, linked = one("docs/a.md", text), one("docs/b.md", text)
    lock = one("docs/package-lock.json.md", '# lock\n\n"lockfileVersion": 3\n' + text)
    found = ranked([plain, linked, lock], TODAY, {"docs/b.md": 3})
    assert [passage.note.path for passage in found][:2] == ["docs/b.md", "docs/a.md"]


def test_core_files_come_before_everything() -> None:
    text = "Many words about the day at the sea with the buoys. " * 8
    short = one("AGENTS.md", "Never push on a Friday.")
    decision = one("docs/decisions/004-paint.md", "Blue.")
    found = ranked([one("projects/a/PROJECT.md", text), short, decision], TODAY, {})
    assert {passage.note.path for passage in found[:2]} == {
        "AGENTS.md",
        "docs/decisions/004-paint.md",
    }


def test_the_log_of_defrag_cycles_is_no_memory() -> None:
    notes = {"memory/defrag-log.md": "# Log\n\n## 2026-01-30 defrag complete\n\nAll is well.\n"}
    assert not cut_all(files(notes))


def test_the_log_of_a_note_is_left_to_its_other_entries() -> None:
    text = "# E14\n\n## Idea\n\nMel bands, more of them, and longer.\n\n## Log\n\nWren told a joke today.\n"
    notes = {
        "docs/e14.md": text,
        "docs/only.md": "# Log\n\nThe whole note is a log, and reached.\n",
    }
    cuts, out, _ = sift(uncovered(cut_all(files(notes)), Coverage(), TODAY, 14), [])
    assert [(found.path, found.title, found.why) for found in out] == [
        ("docs/e14.md", "Log", Why.LOG)
    ]
    assert {one.file.note.path for one in cuts if one.new} == set(notes)
