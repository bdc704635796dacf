from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from hippocampus_cli.config.context import Compaction
from hippocampus_cli.context.compaction.daily_scores import score_blocks, score_file
from hippocampus_cli.errors import FileUnreadable, FileUnwritable

NOW, SETTINGS = datetime(2026, 2, 3, 9, tzinfo=UTC), Compaction()


def test_a_block_ends_at_a_blank_line_and_before_a_heading_of_level_one_or_two() -> None:
    text = "one\n# two\n### still two\n## three\n\n\nfour\n"
    assert [block["summary"] for block in score_blocks(text, SETTINGS)] == [
        "one",
        "# two ### still two",
        "## three",
        "four",
    ]


def test_a_tag_says_type_and_score() -> None:
    (block,) = score_blocks("<!-- hippocampus: type=decision score=0.72 -->\nWe go on.", SETTINGS)
    assert (block["type"], block["score"]) == ("decision", 0.72)


def test_a_large_block_counts_less() -> None:
    small, large = ("word " * 100).strip(), ("word " * 12_000).strip()
    assert [next(score_blocks(text, SETTINGS))["score"] for text in (small, large)] == [0.5, 0.35]


@pytest.mark.parametrize(
    ("name", "scored"),
    [("a.md", "a.scores.json"), ("a.txt", "a.txt.scores.json"), ("a", "a.scores.json")],
)
def test_the_log_itself_is_never_written_to(tmp_path: Path, name: str, scored: str) -> None:
    path = tmp_path / name
    path.write_text("Some words.")
    assert score_file(path, "x", NOW, SETTINGS).path.name == scored
    assert path.read_text() == "Some words."


def test_a_log_that_stands_in_the_place_of_its_scores_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("Some words.")
    (tmp_path / "a.scores.json").hardlink_to(path)
    with pytest.raises(FileUnwritable):
        score_file(path, "x", NOW, SETTINGS)
    assert path.read_text() == "Some words."


@pytest.mark.parametrize("name", ["missing.md", ".", "nul\0.md"])
def test_what_cannot_be_read_is_an_error(tmp_path: Path, name: str) -> None:
    with pytest.raises(FileUnreadable):
        score_file(tmp_path / name, "x", NOW, SETTINGS)


def test_bytes_that_are_no_utf8_are_read(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(b"decided \xff\xfe on it")
    assert score_file(path, "x", NOW, SETTINGS).stats["total"] == 1
