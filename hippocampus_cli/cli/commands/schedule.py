"""``hippo schedule``."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from hippocampus_cli.cli.consent import explain_refusal, with_consent
from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.parameters import DRY_RUN, SHARED, YES, Group, option, takes
from hippocampus_cli.errors import WorkspaceUnusable

if TYPE_CHECKING:
    from hippocampus_cli.schedule.jobs import Job
    from hippocampus_cli.schedule.plan import Plan
    from hippocampus_cli.schedule.scheduler import Name, Scheduler

_PASSED_ON = ("HIPPO_WORKSPACE", "HIPPO_NOW")


HELP = """Let upkeep run by itself: cron, systemd or launchd does what is due, each day.

Examples:
  hippo schedule install
  hippo schedule show
  hippo schedule remove
"""


@takes(
    option(
        "--with",
        "The scheduler, instead of what fits.",
        name="named",
        choices=("cron", "systemd", "launchd"),
    ),
    YES,
    DRY_RUN,
    *SHARED,
)
def install(session: CommandContext, named: Name | None, yes: bool, dry_run: bool) -> int:
    """Schedule `hippo maintain --due` for this workspace.

    What is to be written is shown first, and you are asked. A second time brings it up to date. Every workspace has
    a schedule of its own. What a run says goes to .hippocampus/upkeep.log.

    Examples:
      hippo schedule install --dry-run
      hippo schedule install --with cron --yes
    """
    from hippocampus_cli.schedule.plan import plan_install

    session.root()
    job, schedulers = _job(session), _schedulers(session.environ)
    plan = plan_install(job, schedulers, named, session.now)
    return _carry_out(session, plan, yes=yes, dry_run=dry_run)


@takes(*SHARED)
def show(
    session: CommandContext,
) -> None:
    """Show what is installed, its next run and its last.

    Examples:
      hippo schedule show
      hippo schedule show --json
    """
    from hippocampus_cli.cli.render import schedule as render
    from hippocampus_cli.schedule.plan import status_of

    found = status_of(_job(session), _schedulers(session.environ), session.now)
    if session.output.as_json:
        session.output.json(render.status_document(found))
    else:
        render.print_status(session.output, found)


@takes(
    option(
        "--with",
        "The scheduler, instead of what fits.",
        name="named",
        choices=("cron", "systemd", "launchd"),
    ),
    YES,
    DRY_RUN,
    *SHARED,
)
def remove(session: CommandContext, named: Name | None, yes: bool, dry_run: bool) -> int:
    """Take back what install wrote, and nothing else.

    It is shown first, and you are asked. The log stays. The workspace need not exist any more.

    Examples:
      hippo schedule remove
      hippo schedule remove --workspace ~/old-agent --yes
    """
    from hippocampus_cli.schedule.plan import plan_remove

    plan = plan_remove(_job(session), _schedulers(session.environ), named)
    return _carry_out(session, plan, yes=yes, dry_run=dry_run)


def _job(session: CommandContext) -> Job:
    """Upkeep of the workspace, one job however its path is written; run by what runs now."""
    from hippocampus_cli.schedule.jobs import Job

    try:
        root = session.root()
    except WorkspaceUnusable as error:
        root = Path(str(error.path))  # gone, and yet its schedule may have stayed
    program = (sys.executable, "-X", "utf8", "-P", "-m", "hippocampus_cli.cli.logged")
    return Job(os.path.realpath(root), program)


def _schedulers(environ: Mapping[str, str]) -> tuple[Scheduler, ...]:
    from hippocampus_cli.schedule.plan import schedulers_of
    from hippocampus_cli.schedule.scheduler import Machine, run_program

    home = Path("~").expanduser()
    config = Path(environ.get("XDG_CONFIG_HOME") or home / ".config")
    uid = os.getuid() if sys.platform != "win32" else -1
    return schedulers_of(Machine(run_program, sys.platform, home, config, uid))


def _carry_out(session: CommandContext, plan: Plan, *, yes: bool, dry_run: bool) -> int:
    """Show the plan, ask, do it; the exit code."""
    from hippocampus_cli.cli.render import schedule as render
    from hippocampus_cli.schedule.plan import carry_out

    output = session.output
    notices = _notices(session, plan)
    render.print_plan(output, plan)
    for notice in notices:
        output.note(f"hippo: {notice}")
    code = 0
    if plan.steps:
        question = "Write this?" if plan.scheduler else "Take this back?"
        code = with_consent(output, question, lambda: carry_out(plan), yes=yes, dry_run=dry_run)
    writes = bool(plan.steps) and not dry_run and code == 0
    if output.as_json:
        output.json(render.plan_document(plan, written=writes, notices=notices))
    render.print_outcome(output, plan, written=writes, now=session.now)
    explain_refusal(output, code)
    return code


def _notices(session: CommandContext, plan: Plan) -> list[str]:
    """What could keep an installed job from doing its work."""
    from hippocampus_cli.workspace.own_files import INDEX

    if plan.scheduler is None:
        return []
    told = plan.scheduler.notices()
    if not os.path.lexists(Path(plan.job.root) / INDEX):
        told.append("there is no index yet; run `hippo bootstrap`, or every run will fail")
    mine = [
        name
        for name in sorted(session.environ)
        if name == "PYTHONPATH" or (name.startswith("HIPPO_") and name not in _PASSED_ON)
    ]
    if mine:
        told.append(f"{', '.join(mine)} will not be set when it runs")
    return told


group = Group(
    HELP,
    (
        install,
        show,
        remove,
    ),
)
