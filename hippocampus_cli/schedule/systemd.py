"""systemd: a timer and its service under the user's own manager."""

from __future__ import annotations

from collections.abc import Sequence

from hippocampus_cli.schedule import jobs, scheduler
from hippocampus_cli.schedule.jobs import HOUR, MINUTE, Job
from hippocampus_cli.schedule.scheduler import Machine, Name, ProgramResult
from hippocampus_cli.workspace.external_files import Change

_SYSTEMCTL = ("systemctl", "--user")
_HEAD = "# Written by `hippo schedule install`; `hippo schedule remove` takes it back.\n"


class Systemd:
    """Two units in the user's folder; ``Persistent`` runs later what was missed while the machine was off."""

    name: Name = "systemd"
    rhythm = "daily at 02:30, or when the machine is next awake"

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._folder = machine.config / "systemd/user"

    def unavailable(self) -> str:
        ran = self._systemctl("show", "--property=Version")
        return "" if ran.code == 0 else ran.reason

    def notices(self) -> list[str]:
        user = str(self._machine.uid)
        ran = self._machine.run(["loginctl", "show-user", user, "--property=Linger"])
        if ran.out.strip() == "Linger=no":
            return ["it runs only while you are logged in; `loginctl enable-linger` changes that"]
        return []

    def to_install(self, job: Job) -> list[Change]:
        return self._changes(job, service_of(job), timer_of(job))

    def to_remove(self, job: Job) -> list[Change]:
        return self._changes(job, "", "")

    def install(self, job: Job, changes: Sequence[Change]) -> None:
        timer = f"{job.name}.timer"
        try:
            with scheduler.made(changes):
                for words in (("daemon-reload",), ("enable", timer), ("restart", timer)):
                    self._must(*words)
        except BaseException:
            if changes and not any(change.before for change in changes):
                self._systemctl("disable", "--now", timer)
            self._systemctl("daemon-reload")
            raise

    def remove(self, job: Job, changes: Sequence[Change]) -> None:
        timer = f"{job.name}.timer"
        self._must("disable", "--now", timer)
        self._systemctl("clean", "--what=state", timer)  # when it last ran; an older systemd cannot
        with scheduler.made(changes):
            self._must("daemon-reload")

    def is_active(self, job: Job) -> bool:
        return self._systemctl("is-active", "--quiet", f"{job.name}.timer").code == 0

    def _changes(self, job: Job, service: str, timer: str) -> list[Change]:
        service_file = self._folder / f"{job.name}.service"
        timer_file = self._folder / f"{job.name}.timer"
        return [
            *scheduler.difference(service_file, service),
            *scheduler.difference(timer_file, timer),
        ]

    def _must(self, *words: str) -> None:
        self._machine.must([*_SYSTEMCTL, *words])

    def _systemctl(self, *words: str) -> ProgramResult:
        return self._machine.run([*_SYSTEMCTL, *words])


def service_of(job: Job) -> str:
    """The unit that runs ``job`` once."""
    root = job.root.replace("%", "%%")
    return (
        f"{_HEAD}[Unit]\nDescription=Upkeep of {root} by hippo\n\n"
        f"[Service]\nType=oneshot\nNice=10\nExecStart={jobs.for_systemd(job.command)}\n"
    )


def timer_of(job: Job) -> str:
    """The unit with the time."""
    root = job.root.replace("%", "%%")
    return (
        f"{_HEAD}[Unit]\nDescription=Daily upkeep of {root} by hippo\n\n"
        f"[Timer]\nOnCalendar=*-*-* {HOUR:02}:{MINUTE:02}:00\nPersistent=true\n\n"
        "[Install]\nWantedBy=timers.target\n"
    )
