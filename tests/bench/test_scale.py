"""Small: what grows is measured by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.made_up import vocabulary, write_made_up
from bench.scale import Row, questions, run


@pytest.fixture(scope="module")
def rows() -> tuple[Row, ...]:
    return run([3, 12], rounds=1)


def test_each_size_is_a_row(rows: tuple[Row, ...]) -> None:
    assert [row.files for row in rows] == [3, 12]
    assert rows[0].notes_mb < rows[1].notes_mb
    for row in rows:
        assert all(value is None or value > 0 for value in row)
        assert row.p50_ms <= row.p95_ms


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
