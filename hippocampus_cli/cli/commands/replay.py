"""``hippo replay``."""

from __future__ import annotations

import typer

from hippocampus_cli.cli import options
from hippocampus_cli.cli.upkeep import run_cycle


def command(
    ctx: typer.Context,
    dry_run: options.DryRun = False,
    workspace: options.Workspace = None,
    as_json: options.Json = False,
) -> None:
    """Strengthen what the last defrag cycle reviewed.

    The cycles are read from memory/defrag-log.md and memory/defrag-history.jsonl. Every entry whose target
    was changed since the cycle before is strengthened as by one retrieval, once; it does not count as a hit.
    Daily upkeep does this too.

    Examples:
      hippo replay --dry-run
      hippo replay
    """
    run_cycle(ctx, "replay", dry_run=dry_run, force=False, workspace=workspace, as_json=as_json)
