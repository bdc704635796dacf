"""``hippo schedule``."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from hippocampus_cli.cli.consent import changes_document, print_changes, with_consent
from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import DRY_RUN, YES, argument, option, takes
from hippocampus_cli.cli.output import Output, Styled, label, safe_line
from hippocampus_cli.errors import WorkspaceUnusable

if TYPE_CHECKING:
    from hippocampus_cli.api import Schedule, SchedulePlan, Scheduler, ScheduleStatus

_LABEL = 11


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
    named: Scheduler | None,
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
    from hippocampus_cli.api.schedule import Schedule

    try:
        root = session.root()
    except WorkspaceUnusable as error:
        if action == "install":
            raise
        root = Path(str(error.path))
    schedule = Schedule(root, session.environ)
    if action == "show":
        status = schedule.status()
        session.show(_status_document(status), lambda output, _: _print_status(output, status))
        return 0
    plan = schedule.install(named) if action == "install" else schedule.remove(named)
    return _carry_out(session, schedule, plan, yes=yes, dry_run=dry_run)


def _carry_out(
    session: CommandContext, schedule: Schedule, plan: SchedulePlan, *, yes: bool, dry_run: bool
) -> int:
    """Show the plan, ask, do it; the exit code."""
    output, notices = session.output, schedule.notices(plan)
    verb = "install" if plan.scheduler else "remove"

    def show() -> None:
        for step in plan.steps:
            title = Styled(f"{verb} with {step.scheduler.name}", "bold")
            output.line(title, Styled(f"  {step.scheduler.rhythm}", "dim"))
            print_changes(output, step.changes)
        output.notices(notices)

    act = partial(schedule.carry_out, plan)
    question = "Write this?" if plan.scheduler else "Take this back?"
    dry_run = dry_run or not plan.steps
    code = with_consent(output, question, show, act, yes=yes, dry_run=dry_run)
    written = not dry_run and code == 0
    if output.as_json:
        output.json(_document(plan, verb, notices, written=written))
    root = safe_line(plan.job.root)
    if plan.steps and not written:
        output.line("nothing was written")
    elif plan.scheduler is None:
        output.line(f"{'removed; ' if written else ''}nothing is scheduled for {root}")
    else:
        state = "installed" if written else "already installed"
        output.line(f"{state}; runs {plan.scheduler.rhythm}")
        output.line(Styled("show its state: hippo schedule", "dim"))
    return code


def _document(
    plan: SchedulePlan, verb: str, notices: Sequence[str], *, written: bool
) -> dict[str, object]:
    steps = [
        {
            "scheduler": step.scheduler.name,
            "action": verb,
            "changes": changes_document(step.changes),
        }
        for step in plan.steps
    ]
    return {
        "workspace": plan.job.root,
        "name": plan.job.name,
        "command": plan.job.command,
        "scheduler": plan.scheduler.name if plan.scheduler else None,
        "written": written,
        "steps": steps,
        "notices": notices,
    }


def _status_document(status: ScheduleStatus) -> dict[str, object]:
    return {
        "workspace": status.job.root,
        "name": status.job.name,
        "installed": status.installed,
        "last": status.last,
        "log": status.log,
        "refusals": status.refusals,
        "notices": status.notices,
    }


def _print_status(output: Output, status: ScheduleStatus) -> None:
    """What is installed, and when upkeep last ran."""
    rows: list[tuple[str, str]] = []
    if not status.installed:
        output.line(f"nothing is scheduled for {safe_line(status.job.root)}")
        for name, why in status.refusals.items():
            output.line(Styled(f"  {name}: {safe_line(why)}", "dim"))
        output.line(Styled("schedule it: hippo schedule install", "dim"))
    for installed in status.installed:
        rows += [("scheduler", installed.scheduler), *(("in", one) for one in installed.places)]
        rows.append(("runs", installed.rhythm))
        if not installed.current:
            rows.append(("state", "out of date: hippo schedule install updates it"))
        if not installed.active:
            rows.append(("state", "switched off: hippo schedule install switches it on"))
    rows.append(("last", ", ".join(f"{one} {_minute(at)}" for one, at in status.last.items())))
    rows.append(("log", status.log or "none yet"))
    for title, text in rows:
        output.line(label(title, _LABEL), Styled(safe_line(text), "yellow" * (title == "state")))
    output.notices(status.notices)


def _minute(text: str | None) -> str:
    """A moment of a file; other text unchanged."""
    try:
        return f"{datetime.fromisoformat(text):%Y-%m-%d %H:%M}" if text else "never"
    except ValueError:
        return text or "never"
