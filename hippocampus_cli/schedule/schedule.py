"""Upkeep that a scheduler of the machine runs by itself: which one runs it, what that would change, and its state."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from hippocampus_cli.errors import NoScheduler, ScheduleRefused
from hippocampus_cli.schedule.cron import Cron
from hippocampus_cli.schedule.jobs import Job
from hippocampus_cli.schedule.scheduler import Machine, Name, Scheduler, run_program
from hippocampus_cli.schedule.services import Launchd, Systemd
from hippocampus_cli.workspace.external_files import Change
from hippocampus_cli.workspace.meta import PERIODS, read_meta
from hippocampus_cli.workspace.own_files import INDEX, LOG, ensure_folder

_PROGRAM = (sys.executable, "-X", "utf8", "-P", "-m", "hippocampus_cli.cli.logged")


@dataclass(frozen=True)
class Step:
    """What changes for one scheduler."""

    scheduler: Scheduler
    changes: tuple[Change, ...]


@dataclass(frozen=True)
class SchedulePlan:
    """What installing or removing ``job`` changes. No steps: nothing is to be done."""

    job: Job
    steps: tuple[Step, ...]
    scheduler: Scheduler | None = None
    """The one that will run the job; None when it is removed."""


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


class Schedule:
    """What ``workspace.schedule`` can do; the folder may be gone, and yet its schedule may have stayed.

    Nothing is changed but by :meth:`carry_out`. Every call raises :class:`ScheduleRefused` where a scheduler fails.
    """

    def __init__(
        self,
        root: Path,
        environ: Mapping[str, str],
        machine: Machine | None = None,
        program: tuple[str, ...] = _PROGRAM,
    ) -> None:
        self._job = Job(os.path.realpath(root), program)  # one job, however its path is written
        machine = machine or _this_machine(environ)
        # the most suitable for its machine first
        self._schedulers = (Launchd(machine), Systemd(machine), Cron(machine))

    def install(self, named: Name | None = None) -> SchedulePlan:
        """What would schedule `hippo maintain --due`: with the present scheduler, else the one ``named``, else the
        first that works.

        Raises :class:`NoScheduler`.
        """
        job, present = self._job, self._holders()
        if named and any(scheduler.name != named for scheduler in present):
            raise ScheduleRefused(
                reason=f"it is already scheduled with {present[0].name}",
                advice="remove that first: hippo schedule remove",
            )
        wanted = [scheduler for scheduler in self._schedulers if named in (None, scheduler.name)]
        chosen = self._first_available(present or wanted)
        job.check()
        changes = tuple(chosen.to_install(job))
        is_done = not changes and chosen.is_active(job)
        return SchedulePlan(job, () if is_done else (Step(chosen, changes),), chosen)

    def remove(self, named: Name | None = None) -> SchedulePlan:
        """What would undo all that :meth:`install` wrote, and nothing else."""
        present = [scheduler for scheduler in self._holders() if named in (None, scheduler.name)]
        steps = (Step(scheduler, tuple(scheduler.to_remove(self._job))) for scheduler in present)
        return SchedulePlan(self._job, tuple(steps))

    def carry_out(self, plan: SchedulePlan) -> None:
        """Do what the plan says. Raises :class:`FileUnwritable`, :class:`OutsideWorkspace`."""
        if plan.scheduler:
            ensure_folder(Path(plan.job.root), LOG)
        for step in plan.steps:
            act = step.scheduler.install if plan.scheduler else step.scheduler.remove
            act(plan.job, step.changes)

    def status(self) -> ScheduleStatus:
        """What is installed, and when upkeep last ran."""
        holding, root = self._holders(), Path(self._job.root)
        cycles = read_meta(root).cycles
        refusals = {scheduler.name: scheduler.unavailable() for scheduler in self._schedulers}
        return ScheduleStatus(
            self._job,
            tuple(self._installed(scheduler) for scheduler in holding),
            {
                name: cycles[name].isoformat("T", "seconds") if name in cycles else None
                for name in PERIODS
            },
            LOG if (root / LOG).is_file() else None,
            {} if holding else {name: why for name, why in refusals.items() if why},
            tuple(notice for scheduler in holding for notice in scheduler.notices()),
        )

    def notices(self, plan: SchedulePlan) -> list[str]:
        """What could keep an installed job from doing its work."""
        if plan.scheduler is None:
            return []
        notices = plan.scheduler.notices()
        if not os.path.lexists(Path(plan.job.root) / INDEX):
            notices.append("there is no index yet; run `hippo bootstrap`, or every run will fail")
        return notices

    def _holders(self) -> list[Scheduler]:
        """Those in which the job is installed, up to date or not."""
        return [scheduler for scheduler in self._schedulers if scheduler.to_remove(self._job)]

    def _first_available(self, schedulers: Sequence[Scheduler]) -> Scheduler:
        refusals: list[str] = []
        for scheduler in schedulers:
            reason = scheduler.unavailable()
            if not reason:
                return scheduler
            refusals.append(f"{scheduler.name}: {reason}")
        line = shlex.join(self._job.command)
        raise NoScheduler(reason="; ".join(refusals), line_to_run=line)

    def _installed(self, scheduler: Scheduler) -> Installed:
        return Installed(
            scheduler.name,
            scheduler.rhythm,
            tuple(change.place for change in scheduler.to_remove(self._job)),
            not scheduler.to_install(self._job),
            scheduler.is_active(self._job),
        )


def _this_machine(environ: Mapping[str, str]) -> Machine:
    home = Path("~").expanduser()
    config = Path(environ.get("XDG_CONFIG_HOME") or home / ".config")
    uid = os.getuid() if sys.platform != "win32" else -1
    return Machine(run_program, sys.platform, home, config, uid)
