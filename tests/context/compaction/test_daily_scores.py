from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from hippocampus_cli.context.compaction.daily_scores import score_blocks, score_file
from hippocampus_cli.errors import FileUnreadable, FileUnwritable
from tests.support.reference_compaction import cases


@pytest.mark.parametrize("case", cases("cli.score"))
def test_the_blocks_of_a_daily_log(case: dict[str, Any]) -> None:
    found = [block._asdict() for block in score_blocks(case["input"]["markdown"])]
    assert found == case["expected"]["output"]["items"]


def test_a_block_ends_at_a_blank_line_and_before_a_heading_of_level_one_or_two() -> None:
    text = "one\n# two\n### still two\n## three\n\n\nfour\n"
    assert [block.summary for block in score_blocks(text)] == [
        "one",
        "# two ### still two",
        "## three",
        "four",
    ]


def test_a_tag_says_type_and_score() -> None:
    (block,) = score_blocks("<!-- hippocampus: type=decision score=0.72 -->\nWe go on.")
    assert (block.type, block.score) == ("decision", 0.72)


def test_a_large_block_counts_less() -> None:
    small, large = ("word " * 100).strip(), ("word " * 1000).strip()
    assert [score_blocks(text)[0].score for text in (small, large)] == [0.5, 0.35]


NOW = datetime(2026, 2, 3, 9, tzinfo=UTC)


@pytest.mark.parametrize("case", cases("cli.score"))
def test_the_document_is_the_references(case: dict[str, Any], tmp_path: Path) -> None:
    given, expected = case["input"], case["expected"]["output"]
    path = tmp_path / given["name"]
    path.write_bytes(given["markdown"].encode("utf-8", "surrogatepass"))
    scores = score_file(path, given.get("agentId", "unknown"), NOW)
    document = json.loads(scores.path.read_text(encoding="utf-8"))
    assert document.pop("generated") == "2026-02-03T09:00:00+00:00"
    assert {item.pop("t") for item in document["items"]} <= {1770109200000}
    assert document == {**expected, "source": str(path)}
    assert path.read_bytes() == given["markdown"].encode("utf-8", "surrogatepass")


@pytest.mark.parametrize(
    ("name", "scored"),
    [("a.md", "a.scores.json"), ("a.txt", "a.txt.scores.json"), ("a", "a.scores.json")],
)
def test_the_log_itself_is_never_written_to(tmp_path: Path, name: str, scored: str) -> None:
    path = tmp_path / name
    path.write_text("Some words.")
    assert score_file(path, "x", NOW).path.name == scored
    assert path.read_text() == "Some words."


def test_a_log_that_stands_in_the_place_of_its_scores_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("Some words.")
    (tmp_path / "a.scores.json").hardlink_to(path)
    with pytest.raises(FileUnwritable):
        score_file(path, "x", NOW)
    assert path.read_text() == "Some words."


def test_half_a_character_is_written_as_an_escape(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("x" * 199 + "🧠 and more", encoding="utf-8")
    scores = score_file(path, "x", NOW)
    assert (
        json.loads(scores.path.read_text(encoding="utf-8"))["items"][0]["summary"][-1] == "\ud83e"
    )


@pytest.mark.parametrize("name", ["missing.md", ".", "nul\0.md"])
def test_what_cannot_be_read_is_an_error(tmp_path: Path, name: str) -> None:
    with pytest.raises(FileUnreadable):
        score_file(tmp_path / name, "x", NOW)


def test_bytes_that_are_no_utf8_are_read(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(b"decided \xff\xfe on it")
    assert score_file(path, "x", NOW).stats["total"] == 1
