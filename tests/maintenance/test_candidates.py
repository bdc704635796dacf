from __future__ import annotations

from datetime import date

from hippocampus_cli.entries.passages import Passage
from hippocampus_cli.maintenance.candidates import (
    Coverage,
    Sifted,
    Why,
    cut_all,
    place_of,
    ranked,
    sift,
    uncovered,
)
from tests.maintenance.workspace import files
from tests.support.passages import one

TODAY = date(2026, 1, 31)
TWO = "# T\n\n## A\n\nSome words of the first {0}.\n\n## B\n\nSome words of the second {0}.\n"


def offered(notes: dict[str, str], covered: Coverage | None = None) -> list[str]:
    """The passages offered, as ``path`` or ``path §title``."""
    return list(map(name, new(notes, covered)))


def new(notes: dict[str, str], covered: Coverage | None = None) -> list[Passage]:
    return sifted(notes, covered=covered).new


def sifted(notes: dict[str, str], *known: Passage, covered: Coverage | None = None) -> Sifted:
    return sift(uncovered(cut_all(files(notes)), covered or Coverage(), TODAY, 14), known)


def name(passage: Passage) -> str:
    return passage.note.path + (f" §{passage.title}" if passage.section else "")


def two(*paths: str) -> dict[str, str]:
    return {path: TWO.format(path) for path in paths}


def test_a_note_comes_by_section() -> None:
    assert offered(two("docs/a.md")) == ["docs/a.md §A", "docs/a.md §B"]


def test_the_days_of_dailies() -> None:
    notes = two("memory/2026-01-17.md", "memory/2026-01-16.md")
    assert offered(notes) == [
        "memory/2026-01-16.md",
        "memory/2026-01-17.md §A",
        "memory/2026-01-17.md §B",
    ]


def test_what_an_entry_leads_to_is_not_offered() -> None:
    covered = Coverage(sections={"docs/a.md": {1: "a"}})
    assert offered(two("docs/a.md"), covered) == ["docs/a.md §B"]


def test_passages_without_enough_text_are_named() -> None:
    notes = {"a.md": "# A\n", "b.md": "short", "c.md": "long enough to be indexed"}
    found = sifted(notes)
    assert [(one.path, one.why) for one in found.out] == [("a.md", Why.EMPTY), ("b.md", Why.SHORT)]
    assert list(map(name, found.new)) == ["c.md"]


def test_what_the_index_says_already_is_a_duplicate() -> None:
    known = one("old.md", "long enough to be indexed")
    notes = {"new.md": "long  enough\nto be indexed\n"}
    found = sifted(notes, known)
    assert [one.why for one in found.out] == [Why.DUPLICATE]
    assert list(map(name, found.also[place_of(known)])) == ["new.md"]


def test_recent_before_old_and_much_before_little() -> None:
    text = "Many words about the day at the sea with the buoys. " * 8
    old, new = one("memory/2025-02-01.md", text), one("memory/2026-01-30.md", text)
    thin = one("memory/2026-01-29.md", "A thin day.")
    assert ranked([old, thin, new], TODAY)[0] is new
    assert (
        ranked([one("tmp/a.md", text), one("MEMORY.md", text)], TODAY)[0].note.path == "MEMORY.md"
    )


def test_one_kind_does_not_crowd_out_the_others() -> None:
    text = "Many words about the day at the sea with the buoys. " * 8
    docs = [one(f"docs/{n}.md", text) for n in range(200)]
    days = [one(f"memory/2025-06-{n:02}.md", text) for n in range(1, 29)]
    first = [passage.note.path for passage in ranked([*docs, *days], TODAY)[:60]]
    assert sum(path.startswith("memory/") for path in first) > 10


def test_what_a_program_wrote_comes_last() -> None:
    text = "Many words about the day at the sea with the buoys. " * 8
    plain = one("docs/b.md", text)
    lock = one("docs/a-lock.json.md", '# lock\n\n"lockfileVersion": 3\n' + text)
    assert ranked([lock, plain], TODAY) == [plain, lock]


def test_core_files_come_before_everything() -> None:
    text = "Many words about the day at the sea with the buoys. " * 8
    short = one("AGENTS.md", "Never push on a Friday.")
    decision = one("docs/decisions/004-paint.md", "Blue.")
    found = ranked([one("projects/a/PROJECT.md", text), short, decision], TODAY)
    assert {passage.note.path for passage in found[:2]} == {
        "AGENTS.md",
        "docs/decisions/004-paint.md",
    }


def test_the_log_of_defrag_cycles_is_no_memory() -> None:
    notes = {"memory/defrag-log.md": "# Log\n\n## 2026-01-30 defrag complete\n\nAll is well.\n"}
    assert not cut_all(files(notes))
