"""The state of a schedule and changes to it, on a terminal and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from hippocampus_cli.cli.render.cycle import document_of, print_changes
from hippocampus_cli.cli.render.layout import label
from hippocampus_cli.cli.render.output import Output, Styled
from hippocampus_cli.markdown.safe import safe_line

if TYPE_CHECKING:
    from hippocampus_cli.schedule.plan import Installed, Plan, ScheduleStatus

_LABEL = 11


def print_plan(output: Output, planned: Plan) -> None:
    """What each scheduler would do, and every line that is added or removed."""
    verb = _verb(planned)
    for step in planned.steps:
        title = Styled(f"{verb} with {step.scheduler.name}", "bold")
        output.line(title, Styled(f"  {step.scheduler.rhythm}", "dim"))
        print_changes(output, step.changes)


def print_outcome(output: Output, planned: Plan, *, written: bool) -> None:
    """What has been done, in a line or two."""
    root = safe_line(planned.job.root)
    if planned.scheduler is None and not planned.steps:
        output.line(f"nothing is scheduled for {root}")
    elif planned.scheduler is None:
        output.line(f"removed; nothing is scheduled for {root}" if written else _NOTHING)
    elif planned.steps and not written:
        output.line(_NOTHING)
    else:
        state = "installed" if written else "already installed"
        output.line(f"{state}; runs {planned.scheduler.rhythm}")
        output.line(Styled("show its state: hippo schedule show", "dim"))


def print_status(output: Output, found: ScheduleStatus) -> None:
    """What is installed, and when upkeep last ran."""
    if not found.installed:
        output.line(f"nothing is scheduled for {safe_line(found.job.root)}")
        for name, why in found.refusals.items():
            output.line(Styled(f"  {name}: {safe_line(why)}", "dim"))
        output.line(Styled("schedule it: hippo schedule install", "dim"))
    for installed in found.installed:
        _installed(output, installed)
    last = ", ".join(f"{cycle} {_moment(moment)}" for cycle, moment in found.last.items())
    _row(output, "last", last)
    _row(output, "log", found.log or "none yet")
    for notice in found.notices:
        output.note(f"hippo: {notice}")


def plan_document(planned: Plan, *, written: bool, notices: Sequence[str]) -> dict[str, object]:
    """The ``--json`` of install and remove."""
    return {
        "workspace": planned.job.root,
        "name": planned.job.name,
        "command": planned.job.command,
        "scheduler": planned.scheduler.name if planned.scheduler else None,
        "written": written,
        "steps": [
            {
                "scheduler": step.scheduler.name,
                "action": _verb(planned),
                "changes": document_of(step.changes),
            }
            for step in planned.steps
        ],
        "notices": notices,
    }


def status_document(found: ScheduleStatus) -> dict[str, object]:
    """The ``--json`` of show."""
    from dataclasses import asdict

    return {
        "workspace": found.job.root,
        "name": found.job.name,
        "installed": [asdict(installed) for installed in found.installed],
        "last": found.last,
        "log": found.log,
        "refusals": found.refusals,
        "notices": found.notices,
    }


_NOTHING = "nothing was written"


def _verb(planned: Plan) -> str:
    return "install" if planned.scheduler else "remove"


def _installed(output: Output, installed: Installed) -> None:
    _row(output, "scheduler", installed.scheduler)
    for place in installed.places:
        _row(output, "in", place)
    _row(output, "runs", installed.rhythm)
    if not installed.current:
        _row(output, "state", "out of date: hippo schedule install updates it", "yellow")
    if not installed.active:
        _row(output, "state", "switched off: hippo schedule install switches it on", "yellow")


def _row(output: Output, name: str, text: str, style: str = "") -> None:
    output.line(label(name, _LABEL), Styled(safe_line(text), style))


def _moment(text: str | None) -> str:
    """A moment of a file; other text unchanged."""
    try:
        return f"{datetime.fromisoformat(text):%Y-%m-%d %H:%M}" if text else "never"
    except ValueError:
        return text or "never"
