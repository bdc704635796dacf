"""``hippo maintain``."""

from __future__ import annotations

from typing import Annotated

import typer

from hippocampus_cli.cli import options
from hippocampus_cli.cli.upkeep import run_cycle, run_due
from hippocampus_cli.errors import UsageError


def command(
    ctx: typer.Context,
    daily: Annotated[bool, typer.Option("--daily", help="The daily cycle.")] = False,
    weekly: Annotated[
        bool, typer.Option("--weekly", help="The weekly cycle, daily included.")
    ] = False,
    monthly: Annotated[
        bool, typer.Option("--monthly", help="The monthly cycle, weekly included.")
    ] = False,
    due: Annotated[
        bool, typer.Option("--due", help="Whatever is due since it last ran (the default).")
    ] = False,
    dry_run: options.DryRun = False,
    force: options.Force = False,
    workspace: options.Workspace = None,
    as_json: options.Json = False,
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
    run(ctx, cycle, dry_run=dry_run, force=force, workspace=workspace, as_json=as_json)
