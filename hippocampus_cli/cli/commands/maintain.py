"""``hippo maintain``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import DRY_RUN, FORCE, SHARED, flag, takes
from hippocampus_cli.errors import LossRefused, UsageError

if TYPE_CHECKING:
    from hippocampus_cli.api import Outcome


@takes(
    flag("--daily", "The daily cycle."),
    flag("--weekly", "The weekly cycle, daily included."),
    flag("--monthly", "The monthly cycle, weekly included."),
    flag(
        "--replay",
        "Strengthen what the last defrag cycle reviewed, once; daily upkeep does it, too.",
    ),
    flag("--due", "Whatever is due since it last ran (the default)."),
    DRY_RUN,
    FORCE,
    *SHARED,
)
def command(
    session: CommandContext,
    daily: bool,
    weekly: bool,
    monthly: bool,
    replay: bool,
    due: bool,
    dry_run: bool,
    force: bool,
) -> None:
    """Maintain the index: what is due, or one cycle.

    Nothing is ever deleted: what fades moves to the Decay Queue, then to the archive. A cycle that would
    archive, merge or re-point more than a fifth of the entries stops and asks for --force. hippo undo takes
    a cycle back. `hippo daily`, `hippo weekly` and `hippo monthly` are short for an option each.

    Examples:
      hippo maintain --weekly --dry-run
      hippo maintain --due
    """
    wanted = {
        "daily": daily,
        "weekly": weekly,
        "monthly": monthly,
        "replay": replay,
        "due": due,
    }
    named = [name for name, given in wanted.items() if given]
    if len(named) > 1:
        flags = " and ".join(f"--{name}" for name in named)
        raise UsageError(reason=f"{flags} exclude each other", advice="name one of them")
    cycle = named[0] if named else "due"
    run = _run_due if cycle == "due" else _run
    run(session, cycle, dry_run, force)


def _run_due(session: CommandContext, cycle: str, dry_run: bool, force: bool) -> None:
    """Run the largest cycle that is due; it includes the others.

    Where the loss limit stops it, the next smaller one that is due runs all the same, so that a machine on
    its own still looks after what it may; the refusal is raised in the end.
    """
    with session.open_as_is() as opened:
        opened.index()  # no index: say so, rather than that nothing is due
        waiting = opened.upkeep.due(now=session.now)
        if not waiting and not dry_run:
            session.print_notices(opened.upkeep.write_waiting(now=session.now))
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
        outcome = opened.upkeep.run(
            cycle, dry_run=dry_run, force=force, now=session.now, progress=advance
        )
        monthly = cycle == "monthly"
        sessions = (
            opened.upkeep.tidy_sessions(dry_run=dry_run, now=session.now) if monthly else ([], [])
        )
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
