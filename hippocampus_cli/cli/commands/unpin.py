"""``hippo unpin``."""

from __future__ import annotations

import typer

from hippocampus_cli.cli import options
from hippocampus_cli.cli.context import begin
from hippocampus_cli.cli.render.entries import print_pinned


def command(
    ctx: typer.Context,
    entries: options.EntryIds,
    workspace: options.Workspace = None,
    as_json: options.Json = False,
) -> None:
    """Let entries fade again: priority normal.

    Examples:
      hippo unpin acme-deploy
    """
    from hippocampus_cli.api import Workspace

    session = begin(ctx, workspace=workspace, as_json=as_json)
    with Workspace(session.root(), session.config()) as opened:
        print_pinned(session.output, opened.unpin(*entries))
