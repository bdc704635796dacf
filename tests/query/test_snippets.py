"""What is said in several places is shown once."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli import open_workspace
from hippocampus_cli.query.fusion import Candidate
from hippocampus_cli.query.snippets import ALIKE, told_once
from hippocampus_cli.workspace.note import Section

LONG = "The gasket of the buoy swells in diesel, so we use EPDM from the second batch on."


def place(path: str) -> Candidate:
    return Candidate(path, Section(0, 1, "Title", (), 1, 3, 3))


def shown(*texts: str) -> list[list[str]]:
    """The paths shown, each with its twins."""
    candidates = [place(str(at)) for at in range(len(texts))]
    return [[one.path, *(twin.path for twin in one.twins)] for one in told_once(candidates, texts)]


@pytest.mark.parametrize(
    "other",
    [LONG, LONG.upper(), f"- **{LONG}**\n", LONG.replace(" we ", "  we "), f"{LONG} Yes."],
)
def test_nearly_the_same_is_shown_once(other: str) -> None:
    assert shown(LONG, "Something else, of quite another matter than that one.", other) == [
        ["0", "2"],
        ["1"],
    ]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            "Backup done, 3 GB in 4 minutes, all fine, nobody woken.",
            "Backup done, 5 GB in 4 minutes, all fine, nobody woken.",
        ),
        ("Nothing happened.", "Nothing happened."),
        (
            LONG,
            LONG
            + " Tobi disagrees and wants silicone, which is cheaper and easier to get in Bremen.",
        ),
        (LONG, "The gasket of the buoy was bought in Bremen by Tobi."),
        ("", ""),
    ],
)
def test_what_differs_is_shown(one: str, other: str) -> None:
    assert shown(one, other) == [["0"], ["1"]]


@given(st.lists(st.text(max_size=60) | st.just(LONG), max_size=6))
def test_nothing_is_lost(texts: list[str]) -> None:
    assert sorted(path for group in shown(*texts) for path in group) == sorted(
        map(str, range(len(texts)))
    )


def _runs(text: str) -> set[tuple[str, ...]]:
    words = re.findall(r"\w+", text.lower())
    return set(zip(words, words[1:], words[2:], strict=False))


@given(
    st.lists(st.sampled_from("abcdefg"), min_size=8, max_size=40),
    st.lists(st.integers(0, 39), max_size=6),
    st.sampled_from(["x", "y z", ""]),
)
def test_texts_are_alike_by_the_runs_they_share(
    words: list[str], changed: list[int], by: str
) -> None:
    other = [by if at in changed else word for at, word in enumerate(words)]
    one, other_text = " ".join(words), " ".join(other)
    runs, others = _runs(one), _runs(other_text)
    alike = len(runs & others) >= ALIKE * len(runs | others) and len(" ".join(other).split()) >= 8
    assert shown(one, other_text) == ([["0", "1"]] if alike else [["0"], ["1"]])


def test_a_query_names_the_places_that_say_the_same(tmp_path: Path) -> None:
    (tmp_path / "memory").mkdir()
    for day in ("2026-05-01", "2026-05-02", "2026-05-03"):
        (tmp_path / f"memory/{day}.md").write_text(f"# {day}\n\n## Gasket\n\n{LONG}\n")
    now = datetime(2026, 6, 1, tzinfo=UTC)
    [one] = (
        open_workspace(tmp_path).query("gasket diesel", mode="search", write=False, now=now).results
    )
    assert one.path == "memory/2026-05-03.md"
    assert one.also == ("memory/2026-05-02.md:3", "memory/2026-05-01.md:3")


def test_a_line_that_is_longer_than_a_place_may_be_is_shortened_and_not_left_out(
    tmp_path: Path,
) -> None:
    for at in range(3):
        words = " ".join(f"w{at}x{number}" for number in range(600))
        (tmp_path / f"n{at}.md").write_text(
            f"# N{at}\n\n{words} the ferry leaves at {at} {words}\n"
        )
    with open_workspace(tmp_path) as workspace:
        found = workspace.query("ferry leaves", tokens=4000, write=False).results
    assert {one.path for one in found} == {"n0.md", "n1.md", "n2.md"}
    assert all(f"ferry leaves at {one.path[1]}" in one.text for one in found)
    assert sum(one.tokens for one in found) <= 600
