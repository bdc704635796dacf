"""What the three schedulers have in common."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from difflib import unified_diff
from typing import Literal, NamedTuple, Protocol

from hippocampus_cli.scheduling.job import Job

Name = Literal["cron", "systemd", "launchd"]


class Change(NamedTuple):
    """A text that is to become another; empty where there is no such file."""

    place: str
    before: str
    after: str

    def diff(self) -> Iterator[str]:
        """The lines that go (``-``), come (``+``) and stand beside them, without their line endings."""
        before, after = _lines(self.before), _lines(self.after)
        yield from list(unified_diff(before, after, n=2, lineterm=""))[3:]


def _lines(text: str) -> list[str]:
    return text.removesuffix("\n").split("\n") if text else []


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
