"""cron: our lines in a crontab, read and written by its program."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from hippocampus_cli.errors import ScheduleRefused
from hippocampus_cli.schedule.cron import Cron, with_lines
from hippocampus_cli.schedule.jobs import Job
from hippocampus_cli.schedule.scheduler import MISSING, ProgramResult
from tests.schedule.fakes import FAILS, JOB, OK, Programs, machine

OTHERS = "# mine \udcff\n0 5 * * 1 backup\n"


def cron(programs: Programs, platform: str = "linux") -> Cron:
    return Cron(machine(programs, Path("/home/me"), platform))


def test_where_there_was_no_crontab_there_is_none_afterwards() -> None:
    programs = Programs()
    scheduler = cron(programs)
    assert scheduler.unavailable() == "" and scheduler.to_remove(JOB) == []
    scheduler.install(JOB, scheduler.to_install(JOB))
    scheduler.remove(JOB, scheduler.to_remove(JOB))
    assert programs.crontab is None


@pytest.mark.parametrize(
    "said",
    [
        ProgramResult(1, "", "no crontab for me\n"),
        ProgramResult(1, "", "crontab: can't open 'me': No such file or directory\n"),
    ],
)
def test_what_crons_say_where_there_is_no_crontab(said: ProgramResult) -> None:
    (change,) = cron(Programs({"crontab -l": said})).to_install(JOB)
    assert change.before == ""


@pytest.mark.parametrize(
    "said",
    [
        ProgramResult(1, "", "You (me) are not allowed to use this program"),
        ProgramResult(MISSING, "", "none"),
    ],
)
def test_a_crontab_that_cannot_be_read_is_not_written(said: ProgramResult) -> None:
    programs = Programs({"crontab -l": said}, crontab=OTHERS)
    assert cron(programs).unavailable() == said.err
    with pytest.raises(ScheduleRefused, match="`crontab -l` failed: "):
        cron(programs).to_install(JOB)
    assert set(programs.calls) == {"crontab -l"}


def test_what_somebody_else_wrote_in_the_meantime_stays() -> None:
    programs = Programs(crontab=OTHERS)
    scheduler = cron(programs)
    changes = scheduler.to_install(JOB)
    programs.crontab = "0 0 * * * new\n"
    with pytest.raises(ScheduleRefused, match="another program changed"):
        scheduler.install(JOB, changes)
    assert programs.crontab == "0 0 * * * new\n"


def test_a_line_too_long_for_a_crontab() -> None:
    with pytest.raises(ScheduleRefused, match="longer than the 998 bytes"):
        cron(Programs()).to_install(Job("/" + "é" * 470, JOB.program))


@pytest.mark.parametrize(
    ("platform", "said", "warned"),
    [("linux", FAILS, True), ("linux", OK, False), ("darwin", FAILS, False)],
)
def test_a_daemon_that_does_not_run_is_told(
    platform: str, said: ProgramResult, warned: bool
) -> None:
    notices = cron(Programs({"pgrep": said}), platform).notices()
    assert bool(notices) == warned


LINES = st.lists(st.text(st.characters(exclude_characters="\n"), max_size=12), max_size=6)


@given(LINES)
def test_what_comes_goes_again_and_nothing_else(lines: list[str]) -> None:
    before = "".join(f"{line}\n" for line in lines)
    after = with_lines(before, "n", ["y"])
    assert after != before
    assert with_lines(after, "n", ["y"]) == after
    assert with_lines(after, "n", []) == before


@given(LINES, LINES)
def test_a_block_is_renewed_in_its_place(above: list[str], below: list[str]) -> None:
    head, tail = ("".join(f"{line}\n" for line in lines) for lines in (above, below))
    assume("hippo:" not in head + tail)
    renewed = with_lines(with_lines(head, "n", ["old", "older"]) + tail, "n", ["new"])
    assert renewed == f"{head}# hippo:begin n\nnew\n# hippo:end n\n{tail}"


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
    for change in (lambda: with_lines(crontab, "n", ["y"]), lambda: with_lines(crontab, "n", [])):
        with pytest.raises(ScheduleRefused) as refused:
            change()
        assert refused.value.where == f"crontab:{line}"
