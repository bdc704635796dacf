"""The markers of a merge, and what only looks like them."""

from __future__ import annotations

import pytest

from hippocampus_cli.index.conflicts import conflict_lines

MERGE = "<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> other\n"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (MERGE, [1, 3, 5]),
        (MERGE.replace("\n", "\r\n"), [1, 3, 5]),
        ("<<<<<<< HEAD\nours\n||||||| base\nold\n=======\ntheirs\n>>>>>>> other\n", [1, 3, 5, 7]),
        (f"# Index\n\n{MERGE}\n## A\n\n{MERGE}", [3, 5, 7, 11, 13, 15]),
        ("ours\n=======\ntheirs\n>>>>>>> other\n", [2, 4]),  # somebody began to clear it up
        ("<<<<<<< HEAD\nours\n=======\ntheirs\n", [1, 3]),
        ("<<<<<<<\n=======\n>>>>>>>", [1, 2, 3]),
        (f"Title\n=======\n\n## Next\n\n{MERGE}", [6, 8, 10]),
        ("<!-- hx: id=a\n<<<<<<< HEAD\n| hits=1\n=======\n| hits=2\n>>>>>>> b\n-->\n", [2, 4, 6]),
    ],
)
def test_each_marker_is_named_by_its_line(text: str, lines: list[int]) -> None:
    assert conflict_lines(text) == lines


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Title\n=======\n\nWords.\n",
        "|||||||\n|-|-|-|-|-|-|\n",
        f"```\n{MERGE}```\n",
        f"~~~ git\n{MERGE}~~~\n",
        "a <<<<<<< b\n>>>>>> six\n<<<<<<<<<< ten\n",
        "<<<<<<<HEAD\n",
    ],
)
def test_what_only_looks_like_one_is_left_alone(text: str) -> None:
    assert conflict_lines(text) == []
