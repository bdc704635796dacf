"""``hippo daily``."""

from __future__ import annotations

import typer

from hippocampus_cli.cli import options
from hippocampus_cli.cli.upkeep import run_cycle


def command(
    ctx: typer.Context,
    dry_run: options.DryRun = False,
    force: options.Force = False,
    workspace: options.Workspace = None,
    as_json: options.Json = False,
) -> None:
    """Strengths, new notes, the Decay Queue: `maintain --daily`.

    Examples:
      hippo daily --dry-run
      hippo daily
    """
    run_cycle(ctx, "daily", dry_run=dry_run, force=force, workspace=workspace, as_json=as_json)
