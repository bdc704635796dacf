"""``hippo replay``."""

from __future__ import annotations

from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.parameters import DRY_RUN, SHARED, takes
from hippocampus_cli.cli.upkeep import run_cycle


@takes(DRY_RUN, *SHARED)
def command(session: CommandContext, dry_run: bool) -> None:
    """Strengthen what the last defrag cycle reviewed.

    The cycles are read from memory/defrag-log.md and memory/defrag-history.jsonl. Every entry whose target
    was changed since the cycle before is strengthened as by one retrieval, once; it does not count as a hit.
    Daily upkeep does this too.

    Examples:
      hippo replay --dry-run
      hippo replay
    """
    run_cycle(session, "replay", dry_run=dry_run, force=False)
