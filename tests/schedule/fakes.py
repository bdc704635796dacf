"""A machine made up for tests: it answers as told, remembers what it was asked, and has a crontab."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from hippocampus_cli.schedule.jobs import Job
from hippocampus_cli.schedule.scheduler import MISSING, Machine, ProgramResult

OK = ProgramResult(0, "", "")
FAILS = ProgramResult(1, "", "it is broken\n")
JOB = Job("/home/me/my agent", ("/opt/venv/bin/python", "-m", "hippo"))
NAME = "hippo-my-agent-d7ec4917"


@dataclass
class Programs:
    """The :class:`Runner` of tests. ``answers``: the first words of a command, and what it says."""

    answers: dict[str, ProgramResult] = field(default_factory=dict)
    crontab: str | None = None
    calls: list[str] = field(default_factory=list)

    def __call__(self, args: Sequence[str], given: str = "") -> ProgramResult:
        line = " ".join(args)
        self.calls.append(line)
        told = [words for words in self.answers if f"{line} ".startswith(f"{words} ")]
        if told:
            return self.answers[max(told, key=len)]
        return (
            self._crontab(args[1], given)
            if args[0] == "crontab"
            else ProgramResult(MISSING, "", "gone")
        )

    def _crontab(self, what: str, given: str) -> ProgramResult:
        if what == "-l" and self.crontab is None:
            return ProgramResult(1, "", "no crontab for me\n")
        if what == "-l":
            return ProgramResult(0, self.crontab or "", "")
        self.crontab = given if what == "-" else None
        return OK


def machine(programs: Programs, home: Path, platform: str = "linux") -> Machine:
    return Machine(programs, platform, home, home / "config", 1000)
