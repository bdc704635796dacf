"""``hippo weekly``."""

from __future__ import annotations

from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.parameters import DRY_RUN, FORCE, SHARED, takes
from hippocampus_cli.cli.upkeep import run_cycle


@takes(DRY_RUN, FORCE, *SHARED)
def command(session: CommandContext, dry_run: bool, force: bool) -> None:
    """Also pointers, duplicates, relations, size: `maintain --weekly`.

    Examples:
      hippo weekly --dry-run
      hippo weekly
    """
    run_cycle(session, "weekly", dry_run=dry_run, force=force)
