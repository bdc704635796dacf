"""What the three schedulers have in common."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Literal, NamedTuple, Protocol

from hippocampus_cli.scheduling.job import Job
from hippocampus_cli.workspace.changes import Change

Name = Literal["cron", "systemd", "launchd"]


class Timer(NamedTuple):
    """Whether the scheduler has taken the job up, and when it runs next (None: it does not say)."""

    active: bool
    next_run: datetime | None


class Scheduler(Protocol):
    """One way to run a job again and again. Every method may raise ScheduleRefused."""

    @property
    def name(self) -> Name:
        """Its name on the command line."""

    @property
    def rhythm(self) -> str:
        """When it runs a job, in words."""

    def why_not(self) -> str:
        """Why it cannot be used here; empty where it can."""

    def notices(self) -> list[str]:
        """What could keep its jobs from running."""

    def to_install(self, job: Job) -> list[Change]:
        """What installing ``job`` would change; nothing where it is installed just so."""

    def to_remove(self, job: Job) -> list[Change]:
        """What removing ``job`` would change; nothing where it is not installed."""

    def install(self, job: Job, changes: Sequence[Change]) -> None:
        """Make ``changes`` and take the job up; where that fails all is as it was."""

    def remove(self, job: Job, changes: Sequence[Change]) -> None:
        """Let the job go and make ``changes``; where that fails all is as it was."""

    def timer(self, job: Job, now: datetime) -> Timer:
        """How an installed ``job`` stands."""
