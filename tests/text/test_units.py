"""Units: bullets, paragraphs, rows, code."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.markdown.blocks import Kind
from hippocampus_cli.text.units import MOST_UNITS, is_coarse, units
from hippocampus_cli.workspace.note import MOST_HEADINGS, Note


def spans(text: str) -> list[tuple[int, int]]:
    note = Note("n.md", text)
    return [
        (unit.start, unit.end)
        for section in note.sections
        for unit in units(note.lines, note.blocks.kinds, section.start, section.end)
    ]


def test_a_bullet_holds_its_continuation_lines() -> None:
    assert spans("# H\n- one\n  more\n- two\n  - nested\n1. three\n") == [
        *((2, 3), (4, 4), (5, 5), (6, 6))
    ]


def test_paragraphs_are_parted_by_blank_lines() -> None:
    assert spans("one\ntwo\n\nthree\n") == [(1, 2), (4, 4)]


def test_a_table_has_a_unit_a_row_and_none_for_its_rule() -> None:
    assert spans("| a | b |\n|---|:--|\n| 1 | 2 |\nafter\n") == [(1, 1), (3, 3), (4, 4)]


def test_code_is_parted_by_blank_lines_and_from_text() -> None:
    assert spans("text\n```sh\na\n\n# b\nc\n```\ntext\n") == [(1, 1), (2, 3), (5, 7), (8, 8)]


def test_comments_headings_rules_and_front_matter_are_no_units() -> None:
    text = "---\ntags: x\n---\n# H\n<!-- hidden -->\n---\n***\n\nText\n====\nbody\n"
    assert spans(text) == [(11, 11)]


def test_a_log_without_blank_lines_is_cut() -> None:
    log = "".join(f"user: {'word ' * 60}\n" for _ in range(10))
    assert spans(log) == [(1, 2), (3, 4), (5, 6), (7, 8), (9, 10)]


@given(st.lists(st.sampled_from(["- a", "b", "", "  c", "| d |", "```", "# e", "<!--", "-->"])))
def test_units_cover_each_line_of_text_once(lines: list[str]) -> None:
    note = Note("n.md", "\n".join(lines))
    covered = [line for start, end in spans(note.text) for line in range(start, end + 1)]
    assert covered == sorted(set(covered))
    kinds = note.blocks.kinds
    wanted = {at for at, line in enumerate(note.lines, 1) if line.strip() and kinds[at - 1] < 2}
    wanted -= {at for at in wanted if kinds[at - 1] == Kind.HEADING}
    assert wanted <= set(covered)


def test_a_note_is_coarse_from_many_units_or_headings_on() -> None:
    assert not is_coarse(Note("n.md", "- a\n" * (MOST_UNITS - 1)))
    assert is_coarse(Note("n.md", "- a\n" * MOST_UNITS))
    assert is_coarse(Note("n.md", "# a\n" * MOST_HEADINGS))
    assert not is_coarse(Note("n.md", "# a # b\n" * (MOST_HEADINGS - 1)))
