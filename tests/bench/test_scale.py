"""Small: what grows is measured by hand."""

from __future__ import annotations

from pathlib import Path

from bench.made_up import vocabulary, write_made_up
from bench.scale import questions


def texts(root: Path) -> dict[str, str]:
    return {p.relative_to(root).as_posix(): p.read_text() for p in sorted(root.rglob("*.md"))}


def test_the_notes_are_the_same_each_time(tmp_path: Path) -> None:
    for name in "ab":
        write_made_up(tmp_path / name, 5)
    assert texts(tmp_path / "a") == texts(tmp_path / "b")
    assert next(iter(texts(tmp_path / "a"))) == "memory/2020/2020-01-01-000.md"
    assert all(1_200 < len(text) < 2_400 for text in texts(tmp_path / "a").values())


def test_questions_are_made_of_the_notes_words() -> None:
    asked = list(questions(10))
    assert asked == list(questions(10))
    assert set(" ".join(asked).split()) <= set(vocabulary())
