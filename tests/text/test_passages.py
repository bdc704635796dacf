"""Notes as passages: every word of a note is in one, and its lines are the note's."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.text.passages import FULL, Passage, passages_of, size_of
from hippocampus_cli.workspace.note import Note

LINES = st.lists(
    st.sampled_from(
        [
            "",
            "# Title",
            "## Part",
            "- a bullet",
            "| a | b |",
            "```",
            "text\x00",
            "\udcff",
            "多" * 300,
        ]
    )
    | st.text(max_size=40),
    max_size=30,
)


def passages(text: str) -> list[Passage]:
    return passages_of(Note("a.md", text))


@given(LINES, st.sampled_from(["\n", "\r\n", "\r"]))
def test_a_passage_says_what_its_lines_say(lines: list[str], ending: str) -> None:
    note = Note("a.md", ending.join(lines))
    for passage in passages_of(note):
        assert 1 <= passage.start <= passage.end <= len(note.lines)
        assert passage.text in note.text_of(passage.start, passage.end)


@given(LINES)
def test_every_line_with_text_is_in_one_passage(lines: list[str]) -> None:
    note = Note("a.md", "\n".join(lines))
    held = {n for each in passages_of(note) for n in range(each.start, each.end + 1)}
    heads = {head.line + 1 for head in note.blocks.headings}
    told = {number for number, line in enumerate(note.lines, 1) if line.strip()}
    assert told - heads <= held


@pytest.mark.parametrize("text", ["word " * 400_000, "x" * 2_000_000, "- a\n" * 200_000])
def test_hostile_text_takes_linear_time(text: str) -> None:
    started = time.process_time()
    assert max(size_of(passage.text) for passage in passages(text)) < 4 * FULL
    assert time.process_time() - started < 10


def test_a_heading_without_text_belongs_to_what_follows() -> None:
    found = passages("# Tools\n## Deploy\n\nmake ship\n## Empty\n")
    assert found == [Passage(1, 4, ("Tools", "Deploy"), 1, "# Tools\n## Deploy\n\nmake ship")]


def test_a_bullet_that_says_enough_stands_by_itself() -> None:
    turns = [f"- Ann: {'we talked about it ' * 12}{number}" for number in range(3)]
    assert [passage.start for passage in passages("\n".join(turns))] == [1, 2, 3]


def test_short_bullets_are_put_together() -> None:
    assert len(passages("\n".join(f"- item {number}" for number in range(10)))) == 1


def test_code_is_kept_together_longer_than_prose() -> None:
    code = "```\n" + "\n".join(f"command --option {number:03}" for number in range(30)) + "\n```\n"
    assert len(passages(code)) == 1


def test_the_yaml_at_the_top_is_a_passage() -> None:
    assert [passage.text for passage in passages("---\ntags: x\n---\n# A\nb\n")] == [
        "---\ntags: x\n---",
        "# A\nb",
    ]
