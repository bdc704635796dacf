"""``hippo uninstall``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.installing import AGENT, FOR_USER, carry_out, in_git, place_of
from hippocampus_cli.cli.parameters import DRY_RUN, SHARED, YES, takes

if TYPE_CHECKING:
    from hippocampus_cli.integrations.install import Agent


@takes(AGENT, FOR_USER, YES, DRY_RUN, *SHARED)
def command(session: CommandContext, agent: Agent, for_user: bool, yes: bool, dry_run: bool) -> int:
    """Take hippo out of an agent or of git again, and nothing else.

    It is shown first, and you are asked. Everything that install did not write stays as it is, byte for byte. An
    extension that was edited is left alone.

    Examples:
      hippo uninstall claude-code
      hippo uninstall pi --user --yes
    """
    from hippocampus_cli.integrations.install import plan_remove

    if agent == "git":
        return in_git(session, for_user=for_user, installs=False, yes=yes, dry_run=dry_run)
    place = place_of(session, agent, for_user=for_user, needs_agent=False)
    return carry_out(session, plan_remove(agent, place), yes=yes, dry_run=dry_run, notices=[])
