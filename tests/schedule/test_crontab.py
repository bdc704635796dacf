from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from hippocampus_cli.errors import ScheduleRefused
from hippocampus_cli.schedule.cron import with_lines, without

OTHERS = 'MAILTO=""\n# mine\r\n0 5 * * 1 backup \\% \udcff\u2028x\n\n'
LINES = st.lists(st.text(st.characters(exclude_characters="\n"), max_size=12), max_size=6)


def test_lines_come_at_the_end_between_markers() -> None:
    assert with_lines(OTHERS, "hippo-a", ["30 2 * * * run"]) == (
        f"{OTHERS}# hippo:begin hippo-a\n30 2 * * * run\n# hippo:end hippo-a\n"
    )


def test_a_crontab_whose_last_line_never_ended() -> None:
    assert with_lines("0 5 * * * x", "n", ["y"]).startswith("0 5 * * * x\n# hippo:begin n\n")


@given(LINES)
def test_what_comes_goes_again_and_nothing_else(lines: list[str]) -> None:
    before = "".join(f"{line}\n" for line in lines)
    after = with_lines(before, "n", ["y"])
    assert after != before
    assert with_lines(after, "n", ["y"]) == after
    assert without(after, "n") == before


@given(LINES, LINES)
def test_a_block_is_renewed_in_its_place(above: list[str], below: list[str]) -> None:
    head, tail = ("".join(f"{line}\n" for line in lines) for lines in (above, below))
    assume("hippo:" not in head + tail)
    renewed = with_lines(with_lines(head, "n", ["old", "older"]) + tail, "n", ["new"])
    assert renewed == f"{head}# hippo:begin n\nnew\n# hippo:end n\n{tail}"


def test_two_workspaces_side_by_side() -> None:
    both = with_lines(with_lines(OTHERS, "hippo-a", ["x"]), "hippo-a2", ["y"])
    assert without(both, "hippo-a") == with_lines(OTHERS, "hippo-a2", ["y"])


def test_nothing_to_take_out() -> None:
    assert without(OTHERS, "n") == OTHERS


@pytest.mark.parametrize(
    ("crontab", "line"),
    [
        ("x\n# hippo:begin n\ny\n", 2),
        ("# hippo:end n\n", 1),
        ("# hippo:end n\n# hippo:begin n\n", 2),
        ("# hippo:begin n\n# hippo:begin n\n# hippo:end n\n", 1),
    ],
)
def test_markers_out_of_pair_are_left_alone(crontab: str, line: int) -> None:
    for change in (lambda: with_lines(crontab, "n", ["y"]), lambda: without(crontab, "n")):
        with pytest.raises(ScheduleRefused) as refused:
            change()
        assert refused.value.where == f"crontab:{line}"
