"""The machine's programs, and the files that schedulers change."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from hippocampus_cli.errors import FileUnreadable, FileUnwritable, ScheduleRefused
from hippocampus_cli.schedule.jobs import Job
from hippocampus_cli.schedule.scheduler import (
    MISSING,
    Machine,
    ProgramResult,
    Scheduler,
    run_program,
)
from hippocampus_cli.workspace.external_files import Change
from tests.schedule.fakes import JOB, NAME


class Written(Scheduler):
    """One file, which stands where the machine's settings are."""

    def files(self, job: Job) -> dict[Path, str]:
        return {self.machine.config: "a\n"}


def test_what_cannot_be_written_or_read(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "file/x", tmp_path):
        scheduler = Written(Machine(run_program, "linux", Path(), path, 1))
        with pytest.raises((FileUnwritable, FileUnreadable)):
            scheduler.install(JOB, [Change(str(path), "", "a\n")])
    with pytest.raises(FileUnreadable):
        scheduler.to_install(JOB)


ECHO = "import sys; sys.stdout.buffer.write(sys.stdin.buffer.read()); sys.exit(3)"


def test_any_byte_goes_in_and_comes_out() -> None:
    ran = run_program([sys.executable, "-c", ECHO], "é\udcff\r\n")
    assert (ran.code, ran.out) == (3, "é\udcff\r\n")


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


def test_a_name_tells_folders_apart_also_where_they_are_called_the_same() -> None:
    assert JOB.name == NAME
    other = Job("/srv/my agent", JOB.program)
    assert other.name.startswith("hippo-my-agent-") and other.name != NAME


@pytest.mark.parametrize("root", ["/", "/日本", "/---"])
def test_a_folder_without_plain_letters_has_a_name_too(root: str) -> None:
    assert Job(root, ()).name.startswith("hippo-workspace-")


def test_a_long_name_is_cut() -> None:
    assert len(Job("/" + "long-" * 40, ()).name) <= len("hippo-") + 24 + len("-12345678")


@pytest.mark.parametrize("sign", [*"\n\x1b\udcff", "%", "$", "\\", '"'])
def test_a_path_that_no_scheduler_can_hold(sign: str) -> None:
    for job in (Job(f"/a{sign}b", ("python",)), Job("/a", (f"{sign}python",))):
        with pytest.raises(ScheduleRefused) as refused:
            job.check()
        assert f"no scheduler accepts {sign!a} in a path" in refused.value.message
        assert refused.value.advice == "rename the folder"
