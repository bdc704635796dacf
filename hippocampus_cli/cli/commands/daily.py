"""``hippo daily``."""

from __future__ import annotations

from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.parameters import DRY_RUN, FORCE, SHARED, takes
from hippocampus_cli.cli.upkeep import run_cycle


@takes(DRY_RUN, FORCE, *SHARED)
def command(session: CommandContext, dry_run: bool, force: bool) -> None:
    """Strengths, new notes, the Decay Queue: `maintain --daily`.

    Examples:
      hippo daily --dry-run
      hippo daily
    """
    run_cycle(session, "daily", dry_run=dry_run, force=force)
