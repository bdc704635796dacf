"""What the commands that run a cycle share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.errors import LossRefused

if TYPE_CHECKING:
    from hippocampus_cli.api import Outcome


def run_cycle(session: CommandContext, cycle: str, *, dry_run: bool, force: bool) -> None:
    """Run one cycle and show what it did."""
    _run(session, cycle, dry_run, force)


def run_due(session: CommandContext, cycle: str, *, dry_run: bool, force: bool) -> None:
    """Run the largest cycle that is due; it includes the others.

    Where the loss limit stops it, the next smaller one that is due runs all the same, so that a machine on
    its own still looks after what it may; the refusal is raised in the end.
    """
    with session.open_as_is() as opened:
        opened.index()  # no index: say so, rather than that nothing is due
        waiting = opened.due(now=session.now)
    if waiting:
        _run_largest(session, waiting, dry_run, force)
    elif session.output.as_json:
        session.output.json(
            {"cycle": None, "dry_run": dry_run, "changed": False, "actions": [], "remarks": []}
        )
    else:
        session.output.line("nothing is due")


def _run_largest(
    session: CommandContext, waiting: Sequence[str], dry_run: bool, force: bool
) -> None:
    *smaller, largest = waiting
    try:
        _run(session, largest, dry_run, force)
    except LossRefused:
        if smaller:
            _run_largest(session, smaller, dry_run, force)
        raise


def _run(session: CommandContext, cycle: str, dry_run: bool, force: bool) -> None:
    from hippocampus_cli.cli.render.cycle import print_outcome, print_sessions

    with (
        session.open() as opened,
        session.output.progress("reading notes") as advance,
    ):
        outcome = opened.maintain(
            cycle, dry_run=dry_run, force=force, now=session.now, progress=advance
        )
        monthly = cycle == "monthly"
        sessions = opened.tidy_sessions(dry_run=dry_run, now=session.now) if monthly else ([], [])
    session.print_notices(outcome.notices)
    if session.output.as_json:
        session.output.json(_document(outcome, sessions, dry_run))
    else:
        print_outcome(session.output, outcome, session.now, dry_run)
        print_sessions(session.output, *sessions)


def _document(
    outcome: Outcome, sessions: tuple[list[str], list[str]], dry_run: bool
) -> dict[str, object]:
    plan = outcome.plan
    return {
        "cycle": plan.cycle,
        "dry_run": dry_run,
        "changed": plan.changes,
        "number": outcome.number,
        "actions": [one._asdict() for one in plan.actions],
        "remarks": [one._asdict() for one in plan.remarks],
        "index": dict(outcome.stats),
        "sessions": dict(zip(("ended", "archived"), sessions, strict=True)),
    }
