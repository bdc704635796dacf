from __future__ import annotations

from hippocampus_cli.entries.passages import Passage
from hippocampus_cli.maintenance.candidates import (
    Coverage,
    Sifted,
    Why,
    passages_of,
    place_of,
    sift,
)
from tests.maintenance.workspace import files

WORDS = "Some words that say what was decided about the buoys this week. " * 12
LONG = f"# T\n\n## A\n\n{WORDS}\n\n## B\n\nAlso {WORDS}\n"
SHORT = "# T\n\n## A\n\nSome words of the first.\n\n## B\n\nSome words of the second.\n"


def sifted(notes: dict[str, str], covered: Coverage | None = None) -> Sifted:
    return sift(list(passages_of(files(notes))), covered or Coverage())


def names(passages: list[Passage]) -> list[str]:
    """The passages, as ``path`` or ``path §title``."""
    return [
        passage.note.path + (f" §{passage.title}" if passage.section else "")
        for passage in passages
    ]


def test_a_note_comes_as_a_whole_and_a_long_one_by_section_too() -> None:
    found = sifted({"docs/long.md": LONG, "docs/short.md": SHORT})
    long = ["docs/long.md", "docs/long.md §A", "docs/long.md §B"]
    assert names(found.new) == [*long, "docs/short.md"]


def test_what_an_entry_leads_to_is_not_offered() -> None:
    notes = {"docs/long.md": LONG, "docs/short.md": SHORT}
    inside = Coverage(sections={path: {1: "a"} for path in notes})
    assert names(sifted(notes, inside).new) == ["docs/long.md", "docs/long.md §B"]
    whole = Coverage(dict.fromkeys(notes, "a"))
    assert names(sifted(notes, whole).new) == ["docs/long.md §A", "docs/long.md §B"]


def test_passages_without_enough_text_are_named() -> None:
    notes = {"a.md": "# A\n", "b.md": "short", "c.md": "long enough to be indexed"}
    found = sifted(notes)
    reasons = [(passage.note.path, why) for passage, why in found.out]
    assert reasons == [("a.md", Why.EMPTY), ("b.md", Why.SHORT)]
    assert names(found.new) == ["c.md"]


def test_what_the_index_says_already_is_a_duplicate() -> None:
    notes = {"new.md": "long  enough\nto be indexed\n", "old.md": "long enough to be indexed"}
    found = sifted(notes, Coverage({"old.md": "old"}))
    assert [part.why for part in found.out] == [Why.DUPLICATE]
    assert names(found.also["old.md", 0]) == ["new.md"]
    assert place_of(next(passages_of(files(notes)))) == ("new.md", 0)


def test_the_log_of_defrag_cycles_is_no_memory() -> None:
    notes = {"memory/defrag-log.md": "# Log\n\n## 2026-01-30 defrag complete\n\nAll is well.\n"}
    assert not list(passages_of(files(notes)))
