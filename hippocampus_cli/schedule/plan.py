"""Which scheduler takes a job, what it would change, doing it, and how a job is scheduled now.

Which scheduler takes a job, and what it would change; then doing it.

How a job stands with every scheduler of the machine.
"""

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
    """What one scheduler would do: take the job up (again), or let it go."""

    scheduler: Scheduler
    installs: bool
    changes: tuple[Change, ...]

    def undone(self) -> Step:
        """The step back."""
        back = (Change(one.place, one.after, one.before) for one in self.changes)
        return Step(self.scheduler, not self.installs, tuple(back))


@dataclass(frozen=True)
class Plan:
    """What installing or removing ``job`` means. No steps: all is as it should be already."""

    job: Job
    steps: tuple[Step, ...]
    scheduler: Scheduler | None
    """The one that will have the job; None when it is removed."""


def schedulers_of(machine: Machine) -> tuple[Scheduler, ...]:
    """Every scheduler there is, the one that fits its machine best first."""
    return Launchd(machine), Systemd(machine), Cron(machine)


def holders(job: Job, schedulers: Sequence[Scheduler]) -> list[Scheduler]:
    """Those that have the job, as it should be or otherwise."""
    return [scheduler for scheduler in schedulers if scheduler.to_remove(job)]


def plan_install(
    job: Job, schedulers: Sequence[Scheduler], named: Name | None, now: datetime
) -> Plan:
    """One scheduler has the job: the one ``named``, else the one that has it, else the first that answers.

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
    """Nobody has the job, or not the one ``named``. Raises ScheduleRefused."""
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
        reason = scheduler.why_not()
        if not reason:
            return scheduler
        refusals[scheduler.name] = reason
    said = "; ".join(f"{name}: {reason}" for name, reason in refusals.items())
    raise NoScheduler(reason=said, line_to_run=shlex.join(job.command))


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
