"""Three-way merges of lines, and of logs that grow at their end."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.index.conflicts import conflict_lines
from hippocampus_cli.markdown.diff3 import Labels, merge_lines, merge_log, regions

LINES = st.lists(st.sampled_from(["a\n", "b\n", "c\n", "\n", "## d\n"]), max_size=8)
LABELS = Labels()
LOG = "# 2026-06-01\n\n## 09:00 Begun\n\nThe day begins.\n"
NOON = "\n## 12:00 Noon\n\nIt is noon.\n"
NIGHT = "\n## 22:00 Night\n\n- late\n"


@given(LINES, LINES, LINES)
def test_the_stretches_are_all_of_each(base: list[str], ours: list[str], theirs: list[str]) -> None:
    found = list(regions(base, ours, theirs))
    for side, whole in enumerate((base, ours, theirs)):
        assert [line for region in found for line in region[side]] == whole


@given(LINES, LINES, LINES)
def test_every_line_of_a_side_that_is_new_is_there(
    base: list[str], ours: list[str], theirs: list[str]
) -> None:
    lines, count = merge_lines(base, ours, theirs, LABELS)
    assert {*ours, *theirs} - {*base} <= set(lines)
    assert bool(conflict_lines("".join(lines))) == (count > 0)
    assert merge_lines(base, ours, base, LABELS) == (ours, 0)
    assert merge_lines(base, ours, ours, LABELS) == (ours, 0)
    assert merge_lines(base, theirs, ours, LABELS)[1] == count


def test_two_sections_at_the_end_of_a_log_both_stay() -> None:
    assert merge_log(LOG, LOG + NOON, LOG + NIGHT, LABELS) == (LOG + NOON + NIGHT, 0)
    assert merge_log(LOG, LOG + NOON, LOG + NOON + NIGHT, LABELS) == (LOG + NOON + NIGHT, 0)
    assert merge_log("", LOG + NOON, LOG + NIGHT, LABELS) == (LOG + NOON + NIGHT, 0)
    bare = LOG.removesuffix("\n")
    assert merge_log(bare, LOG + NOON, LOG + NIGHT, LABELS) == (LOG + NOON + NIGHT, 0)
    crlf = [
        text.replace("\n", "\r\n") for text in (LOG, LOG + NOON, LOG + NIGHT, LOG + NOON + NIGHT)
    ]
    assert merge_log(crlf[0], crlf[1], crlf[2], LABELS) == (crlf[3], 0)


def test_what_both_edited_in_a_log_is_a_conflict() -> None:
    ours, theirs = LOG.replace("begins", "began"), LOG.replace("begins", "breaks")
    assert NOON in merge_log(LOG, ours + NOON, theirs, LABELS)[0]
    text, count = merge_log(LOG, ours, theirs, LABELS)
    assert count == 1
    assert "<<<<<<< ours\nThe day began.\n=======\nThe day breaks.\n>>>>>>> theirs\n" in text
