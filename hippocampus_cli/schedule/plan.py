"""Which scheduler runs a job, what that would change, applying it, and where a job is installed."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from hippocampus_cli.errors import NoScheduler, ScheduleRefused
from hippocampus_cli.schedule.cron import Cron
from hippocampus_cli.schedule.jobs import Job
from hippocampus_cli.schedule.launchd import Launchd
from hippocampus_cli.schedule.scheduler import Machine, Name, Scheduler
from hippocampus_cli.schedule.systemd import Systemd
from hippocampus_cli.workspace.external_files import Change
from hippocampus_cli.workspace.meta import PERIODS, read_meta
from hippocampus_cli.workspace.own_files import LOG, ensure_ignored


@dataclass(frozen=True)
class Step:
    """What changes for one scheduler."""

    scheduler: Scheduler
    changes: tuple[Change, ...]


@dataclass(frozen=True)
class Plan:
    """What installing or removing ``job`` changes. No steps: nothing is to be done."""

    job: Job
    steps: tuple[Step, ...]
    scheduler: Scheduler | None
    """The one that will run the job; None when it is removed."""


def schedulers_of(machine: Machine) -> tuple[Scheduler, ...]:
    """Every scheduler, the most suitable for its machine first."""
    return Launchd(machine), Systemd(machine), Cron(machine)


def holders(job: Job, schedulers: Sequence[Scheduler]) -> list[Scheduler]:
    """Those in which the job is installed, up to date or not."""
    return [scheduler for scheduler in schedulers if scheduler.to_remove(job)]


def plan_install(job: Job, schedulers: Sequence[Scheduler], named: Name | None) -> Plan:
    """Install the job in one scheduler: the present one, else the one ``named``, else the first that works.

    Raises NoScheduler, ScheduleRefused.
    """
    present = holders(job, schedulers)
    if named and any(scheduler.name != named for scheduler in present):
        reason = f"it is already scheduled with {present[0].name}"
        raise ScheduleRefused(reason=reason, advice="remove that first: hippo schedule remove")
    wanted = [scheduler for scheduler in schedulers if named in (None, scheduler.name)]
    chosen = _first_available(job, present or wanted)
    changes = tuple(chosen.to_install(job))
    is_done = not changes and chosen.is_active(job)
    return Plan(job, () if is_done else (Step(chosen, changes),), chosen)


def plan_remove(job: Job, schedulers: Sequence[Scheduler], named: Name | None) -> Plan:
    """Remove the job from every scheduler, or from the one ``named``. Raises ScheduleRefused."""
    present = [
        scheduler for scheduler in holders(job, schedulers) if named in (None, scheduler.name)
    ]
    steps = (Step(scheduler, tuple(scheduler.to_remove(job))) for scheduler in present)
    return Plan(job, tuple(steps), None)


def carry_out(plan: Plan) -> None:
    """Do what the plan says. Raises ScheduleRefused, FileUnwritable, OutsideWorkspace."""
    if plan.scheduler is not None:
        ensure_ignored(Path(plan.job.root))
    for step in plan.steps:
        act = step.scheduler.install if plan.scheduler else step.scheduler.remove
        act(plan.job, step.changes)


def _first_available(job: Job, schedulers: Sequence[Scheduler]) -> Scheduler:
    refusals: list[str] = []
    for scheduler in schedulers:
        reason = scheduler.unavailable()
        if not reason:
            return scheduler
        refusals.append(f"{scheduler.name}: {reason}")
    raise NoScheduler(reason="; ".join(refusals), line_to_run=shlex.join(job.command))


@dataclass(frozen=True)
class Installed:
    """A job in one scheduler: in which ``places``, and whether it is as an install now would make it."""

    scheduler: Name
    rhythm: str
    places: tuple[str, ...]
    current: bool
    active: bool


@dataclass(frozen=True)
class ScheduleStatus:
    """Where a job is installed; else ``refusals`` says why each scheduler cannot be used.

    ``last`` has each cycle's last moment in ISO 8601; ``log`` is relative to the workspace.
    """

    job: Job
    installed: tuple[Installed, ...]
    last: dict[str, str | None]
    log: str | None
    refusals: dict[Name, str]
    notices: tuple[str, ...]


def status_of(job: Job, schedulers: Sequence[Scheduler]) -> ScheduleStatus:
    """Ask all of ``schedulers``. Raises ScheduleRefused."""
    holding = holders(job, schedulers)
    cycles = read_meta(Path(job.root)).cycles
    return ScheduleStatus(
        job,
        tuple(_installed(job, scheduler) for scheduler in holding),
        {name: _text(cycles.get(name)) for name in PERIODS},
        LOG if (Path(job.root) / LOG).is_file() else None,
        {}
        if holding
        else {scheduler.name: why for scheduler in schedulers if (why := scheduler.unavailable())},
        tuple(notice for scheduler in holding for notice in scheduler.notices()),
    )


def _installed(job: Job, scheduler: Scheduler) -> Installed:
    places = tuple(change.place for change in scheduler.to_remove(job))
    current = not scheduler.to_install(job)
    return Installed(scheduler.name, scheduler.rhythm, places, current, scheduler.is_active(job))


def _text(moment: datetime | None) -> str | None:
    return moment.isoformat("T", "seconds") if moment else None
