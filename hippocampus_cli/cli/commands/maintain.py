"""``hippo maintain``."""

from __future__ import annotations

from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.parameters import DRY_RUN, FORCE, SHARED, flag, takes
from hippocampus_cli.cli.upkeep import run_cycle, run_due
from hippocampus_cli.errors import UsageError


@takes(
    flag("--daily", "The daily cycle."),
    flag("--weekly", "The weekly cycle, daily included."),
    flag("--monthly", "The monthly cycle, weekly included."),
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
    due: bool,
    dry_run: bool,
    force: bool,
) -> None:
    """Maintain the index: what is due, or one cycle.

    Nothing is ever deleted: what fades moves to the Decay Queue, then to the archive. A cycle that would
    archive, merge or re-point more than a fifth of the entries stops and asks for --force. hippo undo takes
    a cycle back.

    Examples:
      hippo maintain --weekly --dry-run
      hippo maintain --due
    """
    wanted = {"daily": daily, "weekly": weekly, "monthly": monthly, "due": due}
    named = [name for name, given in wanted.items() if given]
    if len(named) > 1:
        flags = " and ".join(f"--{name}" for name in named)
        raise UsageError(reason=f"{flags} exclude each other", advice="name one of them")
    cycle = named[0] if named else "due"
    run = run_due if cycle == "due" else run_cycle
    run(session, cycle, dry_run=dry_run, force=force)
