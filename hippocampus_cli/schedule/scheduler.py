"""What the schedulers have in common: the machine and its programs, the files they read, and their interface."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, NamedTuple, Protocol

from hippocampus_cli.errors import ScheduleRefused
from hippocampus_cli.markdown.lines import decode, encode
from hippocampus_cli.schedule.jobs import Job
from hippocampus_cli.workspace.external_files import Change, difference, made

MISSING = 127
_TIMEOUT = 30.0


class ProgramResult(NamedTuple):
    """The result of a program: its exit code (``MISSING`` where there is no such program), and its output."""

    code: int
    out: str
    err: str

    @property
    def reason(self) -> str:
        """Its own error message."""
        return (self.err or self.out).strip() or f"exit code {self.code}"


class Runner(Protocol):
    """Runs a program, ``given`` on its standard input."""

    def __call__(self, args: Sequence[str], given: str = "") -> ProgramResult:
        """The exit code and both outputs; never raises for what the program does."""


class Machine(NamedTuple):
    """``platform`` as in ``sys.platform``; ``config`` is the folder of the user's settings; ``uid`` -1: none."""

    run: Runner
    platform: str
    home: Path
    config: Path
    uid: int

    def must(self, args: Sequence[str], given: str = "") -> str:
        """What the program prints; raises ScheduleRefused where it fails."""
        ran = self.run(args, given)
        if ran.code != 0:
            raise refused(args, ran)
        return ran.out


def refused(args: Sequence[str], ran: ProgramResult) -> ScheduleRefused:
    """The error for a failed program."""
    advice = "correct that, or choose another scheduler with --with"
    return ScheduleRefused(reason=f"`{' '.join(args)}` failed: {ran.reason}", advice=advice)


def run_program(args: Sequence[str], given: str = "") -> ProgramResult:
    """The :class:`Runner` of the real machine; any byte of an output survives."""
    try:
        done = subprocess.run(args, input=encode(given), capture_output=True, timeout=_TIMEOUT)
    except FileNotFoundError:
        return ProgramResult(MISSING, "", f"{args[0]} is not installed")
    except OSError as error:
        return ProgramResult(MISSING, "", error.strerror or str(error))
    except subprocess.TimeoutExpired:
        return ProgramResult(MISSING, "", f"{args[0]} did not answer within {_TIMEOUT:g} s")
    return ProgramResult(done.returncode, decode(done.stdout), decode(done.stderr))


Name = Literal["cron", "systemd", "launchd"]


class Scheduler:
    """One way to run a job again and again: by default some files, and programs that are told of them.

    Whatever asks programs may raise :class:`ScheduleRefused`, and whatever asks files :class:`FileUnreadable` and
    :class:`FileUnwritable`.
    """

    name: Name
    rhythm: str
    """When it runs a job, in words."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine

    def unavailable(self) -> str:
        """Why it cannot be used here; empty where it can."""
        return ""

    def notices(self) -> list[str]:
        """What could prevent its jobs from running."""
        return []

    def files(self, job: Job) -> dict[Path, str]:
        """The files that make a job known, and their texts."""
        return {}

    def start(self, job: Job) -> None:
        """Activate a job whose files are written."""

    def stop(self, job: Job) -> None:
        """Deactivate a job whose files are gone."""

    def is_active(self, job: Job) -> bool:
        """Whether it runs an installed ``job``; someone may have switched it off."""
        return True

    def to_install(self, job: Job) -> list[Change]:
        """What installing ``job`` would change; nothing where it is up to date."""
        files = self.files(job).items()
        return [change for file in files for change in difference(*file)]

    def to_remove(self, job: Job) -> list[Change]:
        """What removing ``job`` would change; nothing where it is not installed."""
        return [change for path in self.files(job) for change in difference(path, "")]

    def install(self, job: Job, changes: Sequence[Change]) -> None:
        """Make ``changes`` and activate the job; a failure restores everything."""
        with made(changes):
            self.start(job)

    def remove(self, job: Job, changes: Sequence[Change]) -> None:
        """Deactivate the job and make ``changes``; a failure restores everything."""
        with made(changes):
            self.stop(job)
