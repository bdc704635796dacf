from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from bench.corpora.notes import corpus_of, lines_of, morning_after, read_notes
from bench.dataset import Quote
from bench.metrics import Span

FILES = {
    "a.md": [
        "before",
        "# One",
        "",
        "first words",
        "go on here",
        "```",
        "# no heading",
        "```",
        "## Two",
    ]
}


def test_sections_run_from_heading_to_heading() -> None:
    corpus = corpus_of(FILES)
    assert corpus.sections == (Span("a.md", 1, 1), Span("a.md", 2, 8), Span("a.md", 9, 9))
    assert ("a.md", 4) in corpus.units and ("a.md", 2) not in corpus.units


def test_words_are_found_in_a_line_or_over_several() -> None:
    corpus = corpus_of(FILES)
    assert lines_of(corpus, Quote("a.md", "First  words")) == {("a.md", 4)}
    assert lines_of(corpus, Quote("a.md", "words go on")) == {("a.md", 4), ("a.md", 5)}
    assert (
        lines_of(corpus, Quote("a.md", "nothing")) == lines_of(corpus, Quote("b.md", "x")) == set()
    )


def test_notes_are_read(tmp_path: Path) -> None:
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory/a.md").write_bytes(b"one\r\ntwo\n")
    (tmp_path / "b.txt").write_text("no note")
    assert read_notes(tmp_path) == {"memory/a.md": ["one", "two"]}


def test_questions_are_asked_on_the_morning_after() -> None:
    paths = ["memory/2024-02-29.md", "memory/2024-02-31.md", "a.md"]
    assert morning_after(paths) == datetime(2024, 3, 1, 9, tzinfo=UTC)
    assert morning_after(["a.md"]).year == 2026
