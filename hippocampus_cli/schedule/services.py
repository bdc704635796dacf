"""The services of a user's own manager: systemd's on Linux, launchd's on macOS."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from hippocampus_cli.schedule.jobs import HOUR, MINUTE, Job
from hippocampus_cli.schedule.scheduler import MISSING, Name, ProgramResult, Scheduler
from hippocampus_cli.workspace.external_files import Change

_SYSTEMCTL = ("systemctl", "--user")
_SYSTEMD = """\
# Written by `hippo schedule install`; `hippo schedule remove` takes it back.
[Unit]
Description={what} of {root} by hippo

"""
_SERVICE = """\
[Service]
Type=oneshot
Nice=10
ExecStart={command}
"""
_TIMER = """\
[Timer]
OnCalendar=*-*-* {hour:02}:{minute:02}:00
Persistent=true

[Install]
WantedBy=timers.target
"""


class Systemd(Scheduler):
    """Two units in the user's folder; ``Persistent`` runs later what was missed while the machine was off."""

    name: Name = "systemd"
    rhythm = "daily at 02:30, or when the machine is next awake"

    def unavailable(self) -> str:
        ran = self._systemctl("show", "--property=Version")
        return "" if ran.code == 0 else ran.reason

    def notices(self) -> list[str]:
        user = str(self.machine.uid)
        ran = self.machine.run(["loginctl", "show-user", user, "--property=Linger"])
        if ran.out.strip() == "Linger=no":
            return ["it runs only while you are logged in; `loginctl enable-linger` changes that"]
        return []

    def files(self, job: Job) -> dict[Path, str]:
        command = " ".join(f'"{word}"' for word in job.command)
        texts = {
            "service": _SYSTEMD.format(what="Upkeep", root=job.root)
            + _SERVICE.format(command=command),
            "timer": _SYSTEMD.format(what="Daily upkeep", root=job.root)
            + _TIMER.format(hour=HOUR, minute=MINUTE),
        }
        folder = self.machine.config / "systemd/user"
        return {folder / f"{job.name}.{ending}": text for ending, text in texts.items()}

    def start(self, job: Job) -> None:
        timer = f"{job.name}.timer"
        for words in (("daemon-reload",), ("enable", timer), ("restart", timer)):
            self._must(*words)

    def stop(self, job: Job) -> None:
        self._must("daemon-reload")

    def is_active(self, job: Job) -> bool:
        return self._systemctl("is-active", "--quiet", f"{job.name}.timer").code == 0

    def install(self, job: Job, changes: Sequence[Change]) -> None:
        try:
            super().install(job, changes)
        except BaseException:
            if changes and not any(change.before for change in changes):
                self._systemctl("disable", "--now", f"{job.name}.timer")
            self._systemctl("daemon-reload")
            raise

    def remove(self, job: Job, changes: Sequence[Change]) -> None:
        timer = f"{job.name}.timer"
        self._must("disable", "--now", timer)  # as long as its file is there
        super().remove(job, changes)

    def _must(self, *words: str) -> None:
        self.machine.must([*_SYSTEMCTL, *words])

    def _systemctl(self, *words: str) -> ProgramResult:
        return self.machine.run([*_SYSTEMCTL, *words])


class Launchd(Scheduler):
    """A property list among the user's agents.

    After sleep launchd runs what it missed, after being switched off it does not: so the job runs at login too.
    """

    name: Name = "launchd"
    rhythm = "daily at 02:30 or on waking, and at login"

    def unavailable(self) -> str:
        ran = self.machine.run(["launchctl", "print", self._domain])
        if ran.code == MISSING:
            return ran.reason
        return "" if ran.code == 0 else f"user {self.machine.uid} has no graphical login session"

    def files(self, job: Job) -> dict[Path, str]:
        import plistlib

        described = {
            "Label": job.name,
            "ProgramArguments": list(job.command),
            "StartCalendarInterval": {"Hour": HOUR, "Minute": MINUTE},
            "RunAtLoad": True,
            "ProcessType": "Background",
        }
        path = self.machine.home / "Library/LaunchAgents" / f"{job.name}.plist"
        return {path: plistlib.dumps(described, sort_keys=False).decode("utf-8")}

    def start(self, job: Job) -> None:
        self.stop(job)
        self.machine.must(["launchctl", "bootstrap", self._domain, *map(str, self.files(job))])

    def stop(self, job: Job) -> None:
        if self.is_active(job):
            self.machine.must(["launchctl", "bootout", f"{self._domain}/{job.name}"])

    def is_active(self, job: Job) -> bool:
        return self.machine.run(["launchctl", "print", f"{self._domain}/{job.name}"]).code == 0

    @property
    def _domain(self) -> str:
        return f"gui/{self.machine.uid}"
