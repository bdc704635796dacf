"""Upkeep that a scheduler of the machine runs by itself."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from hippocampus_cli.schedule.jobs import Job
from hippocampus_cli.schedule.plan import (
    carry_out,
    plan_install,
    plan_remove,
    schedulers_of,
    status_of,
)
from hippocampus_cli.schedule.scheduler import Machine, run_program

if TYPE_CHECKING:
    from hippocampus_cli.schedule.plan import Plan, ScheduleStatus
    from hippocampus_cli.schedule.scheduler import Name

_PASSED_ON = ("HIPPO_WORKSPACE", "HIPPO_NOW")
_PROGRAM = (sys.executable, "-X", "utf8", "-P", "-m", "hippocampus_cli.cli.logged")


class Schedule:
    """What ``workspace.schedule`` can do; the folder may be gone, and yet its schedule may have stayed.

    Nothing is changed but by :meth:`carry_out`. Every call raises :class:`ScheduleRefused` where a scheduler fails.
    """

    def __init__(self, root: Path, environ: Mapping[str, str]) -> None:
        self._environ = environ
        self._job = Job(os.path.realpath(root), _PROGRAM)  # one job, however its path is written
        home = Path("~").expanduser()
        config = Path(environ.get("XDG_CONFIG_HOME") or home / ".config")
        uid = os.getuid() if sys.platform != "win32" else -1
        self._schedulers = schedulers_of(Machine(run_program, sys.platform, home, config, uid))

    def install(self, named: Name | None = None) -> Plan:
        """What would schedule `hippo maintain --due`, with the scheduler ``named`` or the one that fits.

        Raises :class:`NoScheduler`.
        """
        return plan_install(self._job, self._schedulers, named)

    def remove(self, named: Name | None = None) -> Plan:
        """What would undo all that :meth:`install` wrote, and nothing else."""
        return plan_remove(self._job, self._schedulers, named)

    def carry_out(self, plan: Plan) -> None:
        """Do what the plan says. Raises :class:`FileUnwritable`, :class:`OutsideWorkspace`."""
        carry_out(plan)

    def status(self) -> ScheduleStatus:
        """What is installed, and when upkeep last ran."""
        return status_of(self._job, self._schedulers)

    def notices(self, plan: Plan) -> list[str]:
        """What could keep an installed job from doing its work."""
        from hippocampus_cli.workspace.own_files import INDEX

        if plan.scheduler is None:
            return []
        told = plan.scheduler.notices()
        if not os.path.lexists(Path(plan.job.root) / INDEX):
            told.append("there is no index yet; run `hippo bootstrap`, or every run will fail")
        mine = [
            name
            for name in sorted(self._environ)
            if name == "PYTHONPATH" or (name.startswith("HIPPO_") and name not in _PASSED_ON)
        ]
        if mine:
            told.append(f"{', '.join(mine)} will not be set when it runs")
        return told
