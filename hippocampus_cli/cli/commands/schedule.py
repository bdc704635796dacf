"""``hippo schedule``."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from hippocampus_cli import api
from hippocampus_cli.cli.consent import changes_document, print_changes, with_consent
from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import DRY_RUN, YES, argument, option, takes
from hippocampus_cli.cli.output import Output, dim, row, yellow
from hippocampus_cli.errors import WorkspaceUnusable


@takes(
    argument("action", "ACTION", "What to do.", choices=("show", "install", "remove")),
    option(
        "--with",
        "The scheduler, instead of what fits.",
        name="named",
        choices=("cron", "systemd", "launchd"),
    ),
    YES,
    DRY_RUN,
)
def command(
    session: CommandContext,
    *,
    action: str = "show",
    named: api.Scheduler | None,
    yes: bool,
    dry_run: bool,
) -> int:
    """Let upkeep run by itself: cron, systemd or launchd does what is due, each day.

    What is to be written or taken back is shown first, and you are asked. A second install brings it up to date.
    Every workspace has a schedule of its own, which can be removed when the workspace is gone. What a run of `hippo
    maintain --due` says goes to .hippocampus/upkeep.log. Without an action: what is installed, and when upkeep last
    ran.

    Examples:
      hippo schedule
      hippo schedule install --dry-run
      hippo schedule install --with cron --yes
      hippo schedule remove --workspace ~/old-agent --yes
    """
    try:
        root = session.root()
    except WorkspaceUnusable as error:
        if action == "install":
            raise
        root = Path(str(error.path))
    schedule = api.schedule.Schedule(root, session.environ)
    if action == "show":
        _print_status(session.output, schedule.status())
        return 0
    plan = schedule.install(named) if action == "install" else schedule.remove(named)
    return _carry_out(session.output, schedule, plan, yes=yes, dry_run=dry_run)


def _carry_out(
    output: Output, schedule: api.Schedule, plan: api.SchedulePlan, *, yes: bool, dry_run: bool
) -> int:
    """Show the plan, ask, do it; the exit code."""
    notices = schedule.notices(plan)
    verb = "install" if plan.scheduler else "remove"

    plans = {
        f"{verb} with {step.scheduler.name}  {step.scheduler.rhythm}": step.changes
        for step in plan.steps
    }
    output.notices(dict.fromkeys(notices))
    show = partial(print_changes, output, plans)
    question = "Write this?" if plan.scheduler else "Take this back?"
    act = partial(schedule.carry_out, plan)
    code = with_consent(output, question, show, act, yes=yes, dry_run=dry_run or not plan.steps)
    written = bool(plan.steps) and not dry_run and code == 0
    steps = [
        {
            "scheduler": step.scheduler.name,
            "action": verb,
            "changes": changes_document(step.changes),
        }
        for step in plan.steps
    ]
    scheduler = plan.scheduler and plan.scheduler.name
    done = {"scheduler": scheduler, "written": written, "steps": steps, "notices": notices}
    output.json(row(plan.job, "name command", workspace=plan.job.root, **done))
    if code:
        return code  # why nothing was written is said
    if plan.steps and not written:
        output.line("nothing was written")
    elif plan.scheduler is None:
        output.line(f"{'removed; ' if written else ''}nothing is scheduled for {plan.job.root}")
    else:
        state = "installed" if written else "already installed"
        output.line(f"{state}; runs {plan.scheduler.rhythm}")
    return code


def _facts(status: api.ScheduleStatus) -> Iterator[tuple[str, str]]:
    yield "workspace", status.job.root
    for installed in status.installed:
        yield installed.scheduler, f"{installed.rhythm}: {', '.join(installed.places)}"
    yield "last ran", ", ".join(f"{name} {day or 'never'}" for name, day in status.last.items())
    yield "log", status.log or ""
    for name, why in status.refusals.items():
        yield name, f"not used: {why}"
    for notice in status.notices:
        yield "note", notice


def _print_status(output: Output, status: api.ScheduleStatus) -> None:
    """What is installed, and when upkeep last ran."""
    job = {"workspace": status.job.root, "name": status.job.name}
    output.json(row(status, "installed last log refusals notices", **job))
    output.facts(_facts(status), 10)
    if not status.installed:
        output.line(dim("nothing is scheduled; schedule it: hippo schedule install"))
    elif not all(installed.current and installed.active for installed in status.installed):
        output.line(yellow("out of date, or switched off: hippo schedule install mends it"))
