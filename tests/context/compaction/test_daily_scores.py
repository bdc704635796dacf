from __future__ import annotations

from typing import Any

import pytest

from hippocampus_cli.context.compaction.daily_scores import score_blocks
from tests.context.parity import cases


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
