"""``hippo uninstall``."""

from __future__ import annotations

import typer

from hippocampus_cli.cli import options
from hippocampus_cli.cli.context import begin
from hippocampus_cli.cli.installing import AgentName, ForUser, carry_out, in_git, place_of


def command(
    ctx: typer.Context,
    agent: AgentName,
    for_user: ForUser = False,
    yes: options.Yes = False,
    dry_run: options.DryRun = False,
    workspace: options.Workspace = None,
    as_json: options.Json = False,
) -> int:
    """Take hippo out of an agent or of git again, and nothing else.

    It is shown first, and you are asked. Everything that install did not write stays as it is, byte for byte. An
    extension that was edited is left alone.

    Examples:
      hippo uninstall claude-code
      hippo uninstall pi --user --yes
    """
    from hippocampus_cli.integrations.install import plan_remove

    session = begin(ctx, workspace=workspace, as_json=as_json)
    if agent == "git":
        return in_git(session, for_user=for_user, installs=False, yes=yes, dry_run=dry_run)
    place = place_of(session, agent, for_user=for_user, needs_agent=False)
    return carry_out(session, plan_remove(agent, place), yes=yes, dry_run=dry_run, notices=[])
