"""``hippo status``, as typer is told of it; `quick` understands its usual forms without typer."""

from __future__ import annotations

import typer

from hippocampus_cli.cli import options
from hippocampus_cli.cli.context import begin
from hippocampus_cli.cli.standing import take_stock


def command(
    ctx: typer.Context, workspace: options.Workspace = None, as_json: options.Json = False
) -> None:
    """Show how the index and the notes stand, and what is due.

    Entries by strength, the size of the index against its budget, notes and what was passed over.

    Examples:
      hippo status
      hippo status --json
    """
    take_stock(begin(ctx, workspace=workspace, as_json=as_json))
