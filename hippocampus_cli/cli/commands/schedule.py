"""``hippo schedule``."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from hippocampus_cli.cli.consent import explain_refusal, with_consent
from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import DRY_RUN, SHARED, YES, Group, option, takes
from hippocampus_cli.errors import WorkspaceUnusable

if TYPE_CHECKING:
    from hippocampus_cli.api import Schedule, SchedulePlan, Scheduler

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
def install(session: CommandContext, named: Scheduler | None, yes: bool, dry_run: bool) -> int:
    """Schedule `hippo maintain --due` for this workspace.

    What is to be written is shown first, and you are asked. A second time brings it up to date. Every workspace has
    a schedule of its own. What a run says goes to .hippocampus/upkeep.log.

    Examples:
      hippo schedule install --dry-run
      hippo schedule install --with cron --yes
    """
    session.root()
    schedule = _schedule(session)
    plan = schedule.install(named)
    return _carry_out(session, schedule, plan, yes=yes, dry_run=dry_run)


@takes(*SHARED)
def show(
    session: CommandContext,
) -> None:
    """Show what is installed, and when upkeep last ran.

    Examples:
      hippo schedule show
      hippo schedule show --json
    """
    from hippocampus_cli.cli.render import schedule as render

    found = _schedule(session).status()
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
def remove(session: CommandContext, named: Scheduler | None, yes: bool, dry_run: bool) -> int:
    """Take back what install wrote, and nothing else.

    It is shown first, and you are asked. The log stays. The workspace need not exist any more.

    Examples:
      hippo schedule remove
      hippo schedule remove --workspace ~/old-agent --yes
    """
    schedule = _schedule(session)
    return _carry_out(session, schedule, schedule.remove(named), yes=yes, dry_run=dry_run)


def _schedule(session: CommandContext) -> Schedule:
    """The schedule of the workspace, which may be gone."""
    from hippocampus_cli.api.schedule import Schedule

    try:
        root = session.root()
    except WorkspaceUnusable as error:
        root = Path(str(error.path))
    return Schedule(root, session.environ)


def _carry_out(
    session: CommandContext, schedule: Schedule, plan: SchedulePlan, *, yes: bool, dry_run: bool
) -> int:
    """Show the plan, ask, do it; the exit code."""
    from hippocampus_cli.cli.render import schedule as render

    output = session.output
    notices = schedule.notices(plan)

    def show() -> None:
        render.print_plan(output, plan)
        session.print_notices(notices)

    act = partial(schedule.carry_out, plan)
    question = "Write this?" if plan.scheduler else "Take this back?"
    dry_run = dry_run or not plan.steps
    code = with_consent(output, question, show, act, yes=yes, dry_run=dry_run)
    writes = not dry_run and code == 0
    if output.as_json:
        output.json(render.plan_document(plan, written=writes, notices=notices))
    render.print_outcome(output, plan, written=writes)
    explain_refusal(output, code)
    return code


command = Group(
    HELP,
    (
        install,
        show,
        remove,
    ),
)
