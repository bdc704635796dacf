"""The machine's programs, and the files that schedulers change."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from hippocampus_cli.errors import ScheduleRefused
from hippocampus_cli.schedule.jobs import Job
from hippocampus_cli.schedule.scheduler import (
    MISSING,
    Machine,
    ProgramResult,
    Scheduler,
    run_program,
)
from hippocampus_cli.workspace.external_files import Change

JOB = Job("/notes", ("hippo",))


class Written(Scheduler):
    """One file, which stands where the machine's settings are."""

    def files(self, job: Job) -> dict[Path, str]:
        return {self.machine.config: "a\n"}


def test_what_cannot_be_written_or_read(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "file/x", tmp_path):
        scheduler = Written(Machine(run_program, "linux", Path(), path, 1))
        with pytest.raises(ScheduleRefused):
            scheduler.install(JOB, [Change(str(path), "", "a\n")])
        with pytest.raises(ScheduleRefused):
            scheduler.to_install(JOB)


ECHO = "import sys; sys.stdout.buffer.write(sys.stdin.buffer.read()); sys.exit(3)"


def test_any_byte_goes_in_and_comes_out() -> None:
    ran = run_program([sys.executable, "-c", ECHO], "é\udcff\r\n")
    assert (ran.code, ran.out) == (3, "é\udcff\r\n")


def test_a_program_that_is_not_there() -> None:
    assert run_program(["no-such-program"]) == ProgramResult(
        MISSING, "", "no-such-program is not installed"
    )


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such permission")
def test_a_program_that_cannot_be_run(tmp_path: Path) -> None:
    assert run_program([str(tmp_path)]).code == MISSING


@pytest.mark.parametrize(
    ("ran", "reason"),
    [
        (ProgramResult(1, "a\n", " b\n"), "b"),
        (ProgramResult(1, "a\n", ""), "a"),
        (ProgramResult(7, "", ""), "exit code 7"),
    ],
)
def test_a_failure_is_told_in_the_programs_words(ran: ProgramResult, reason: str) -> None:
    machine = Machine(lambda args, given="": ran, "linux", Path(), Path(), 1)
    with pytest.raises(ScheduleRefused, match=f"`x y` failed: {reason}$"):
        machine.must(["x", "y"])
