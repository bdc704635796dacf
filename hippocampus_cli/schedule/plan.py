"""Which scheduler runs a job, what that would change, applying it, and the state of a job in every scheduler."""

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
    """What one scheduler would do: install the job (again), or remove it."""

    scheduler: Scheduler
    installs: bool
    changes: tuple[Change, ...]

    def undone(self) -> Step:
        """The opposite step."""
        back = (Change(one.place, one.after, one.before) for one in self.changes)
        return Step(self.scheduler, not self.installs, tuple(back))


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


def plan_install(
    job: Job, schedulers: Sequence[Scheduler], named: Name | None, now: datetime
) -> Plan:
    """Install the job in one scheduler: the one ``named``, else the present one, else the first that works.

    Raises NoScheduler, ScheduleRefused.
    """
    held = holders(job, schedulers)
    chosen = _choose(job, schedulers, held, named)
    changes = tuple(chosen.to_install(job))
    steps = []
    if changes or not chosen.timer(job, now).active:
        steps.append(Step(chosen, True, changes))
    others = (other for other in held if other is not chosen)
    return Plan(job, (*steps, *(_removal(job, other) for other in others)), chosen)


def plan_remove(job: Job, schedulers: Sequence[Scheduler], named: Name | None) -> Plan:
    """Remove the job from every scheduler, or from the one ``named``. Raises ScheduleRefused."""
    held = (one for one in holders(job, schedulers) if named in (None, one.name))
    return Plan(job, tuple(_removal(job, one) for one in held), None)


def carry_out(plan: Plan) -> None:
    """Do what the plan says, or nothing. Raises ScheduleRefused, FileUnwritable, OutsideWorkspace."""
    if plan.scheduler is not None:
        ensure_ignored(Path(plan.job.root))
    done: list[Step] = []
    try:
        for step in plan.steps:
            _do(plan.job, step)
            done.append(step)
    except ScheduleRefused:
        for step in reversed(done):
            _do(plan.job, step.undone())
        raise


def _do(job: Job, step: Step) -> None:
    act = step.scheduler.install if step.installs else step.scheduler.remove
    act(job, step.changes)


def _removal(job: Job, scheduler: Scheduler) -> Step:
    return Step(scheduler, False, tuple(scheduler.to_remove(job)))


def _choose(
    job: Job, schedulers: Sequence[Scheduler], held: Sequence[Scheduler], named: Name | None
) -> Scheduler:
    asked = [one for one in schedulers if one.name == named] if named else held or schedulers
    refusals: dict[str, str] = {}
    for scheduler in asked:
        reason = scheduler.unavailable()
        if not reason:
            return scheduler
        refusals[scheduler.name] = reason
    said = "; ".join(f"{name}: {reason}" for name, reason in refusals.items())
    raise NoScheduler(reason=said, line_to_run=shlex.join(job.command))


@dataclass(frozen=True)
class Installed:
    """A job in one scheduler: in which ``places``, and whether it is as an install now would make it."""

    scheduler: Name
    rhythm: str
    places: tuple[str, ...]
    current: bool
    active: bool
    next_run: datetime | None


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


def status_of(job: Job, schedulers: Sequence[Scheduler], now: datetime) -> ScheduleStatus:
    """Ask all of ``schedulers``. Raises ScheduleRefused."""
    held = holders(job, schedulers)
    cycles = read_meta(Path(job.root)).cycles
    return ScheduleStatus(
        job,
        tuple(_installed(job, one, now) for one in held),
        {name: _text(cycles.get(name)) for name in PERIODS},
        LOG if (Path(job.root) / LOG).is_file() else None,
        {} if held else {one.name: why for one in schedulers if (why := one.unavailable())},
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
