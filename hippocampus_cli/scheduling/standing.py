"""How a job stands with every scheduler of the machine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from hippocampus_cli.scheduling.job import Job
from hippocampus_cli.scheduling.planning import holders
from hippocampus_cli.scheduling.scheduler import Name, Scheduler
from hippocampus_cli.workspace.meta import PERIODS, read_meta
from hippocampus_cli.workspace.own_files import LOG


@dataclass(frozen=True)
class Installed:
    """A job in the hands of one scheduler: in which ``places``, and whether it is as install would have it."""

    scheduler: Name
    rhythm: str
    places: tuple[str, ...]
    current: bool
    active: bool
    next_run: datetime | None


@dataclass(frozen=True)
class Standing:
    """All that is installed; else ``refusals`` says of each scheduler that does not answer why.

    ``last`` has each cycle's last moment in ISO 8601; ``log`` is relative to the workspace.
    """

    job: Job
    installed: tuple[Installed, ...]
    last: dict[str, str | None]
    log: str | None
    refusals: dict[Name, str]
    notices: tuple[str, ...]


def standing(job: Job, schedulers: Sequence[Scheduler], now: datetime) -> Standing:
    """Ask all of ``schedulers``. Raises ScheduleRefused."""
    held = holders(job, schedulers)
    cycles = read_meta(Path(job.root)).cycles
    return Standing(
        job,
        tuple(_installed(job, one, now) for one in held),
        {name: _text(cycles.get(name)) for name in PERIODS},
        LOG if (Path(job.root) / LOG).is_file() else None,
        {} if held else {one.name: why for one in schedulers if (why := one.why_not())},
        tuple(notice for one in held for notice in one.notices()),
    )


def _installed(job: Job, scheduler: Scheduler, now: datetime) -> Installed:
    timer = scheduler.timer(job, now)
    places = tuple(change.place for change in scheduler.to_remove(job))
    current = not scheduler.to_install(job)
    return Installed(
        scheduler.name, scheduler.rhythm, places, current, timer.active, timer.next_run
    )


def _text(moment: datetime | None) -> str | None:
    return moment.isoformat("T", "seconds") if moment else None
