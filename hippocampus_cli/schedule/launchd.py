"""launchd: an agent of the user's, on macOS."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from hippocampus_cli.schedule import scheduler
from hippocampus_cli.schedule.jobs import HOUR, MINUTE, Job
from hippocampus_cli.schedule.scheduler import MISSING, Machine, Name, ProgramResult
from hippocampus_cli.workspace.external_files import Change


class Launchd:
    """A property list among the user's agents.

    After sleep launchd runs what it missed, after being switched off it does not: so the job runs at login too.
    """

    name: Name = "launchd"
    rhythm = "daily at 02:30 or on waking, and at login"

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._domain = f"gui/{machine.uid}"

    def unavailable(self) -> str:
        ran = self._launchctl("print", self._domain)
        if ran.code == MISSING:
            return ran.reason
        return "" if ran.code == 0 else f"user {self._machine.uid} has no graphical login session"

    def notices(self) -> list[str]:
        return []

    def to_install(self, job: Job) -> list[Change]:
        return scheduler.difference(self._path(job), plist_of(job))

    def to_remove(self, job: Job) -> list[Change]:
        return scheduler.difference(self._path(job), "")

    def install(self, job: Job, changes: Sequence[Change]) -> None:
        with scheduler.made(changes):
            self._unload(job)
            self._must("bootstrap", self._domain, str(self._path(job)))

    def remove(self, job: Job, changes: Sequence[Change]) -> None:
        with scheduler.made(changes):
            self._unload(job)

    def is_active(self, job: Job) -> bool:
        return self._launchctl("print", f"{self._domain}/{job.name}").code == 0

    def _path(self, job: Job) -> Path:
        return self._machine.home / "Library/LaunchAgents" / f"{job.name}.plist"

    def _unload(self, job: Job) -> None:
        if self.is_active(job):
            self._must("bootout", f"{self._domain}/{job.name}")

    def _must(self, *words: str) -> None:
        self._machine.must(["launchctl", *words])

    def _launchctl(self, *words: str) -> ProgramResult:
        return self._machine.run(["launchctl", *words])


def plist_of(job: Job) -> str:
    """The property list that runs ``job``."""
    import plistlib

    described = {
        "Label": job.name,
        "ProgramArguments": list(job.command),
        "StartCalendarInterval": {"Hour": HOUR, "Minute": MINUTE},
        "RunAtLoad": True,
        "ProcessType": "Background",
    }
    return plistlib.dumps(described, sort_keys=False).decode("utf-8")
