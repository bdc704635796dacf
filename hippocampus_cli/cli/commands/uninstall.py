"""``hippo uninstall``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hippocampus_cli.cli.commands.install import AGENT, FOR_USER, agents_of, carry_out
from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.parameters import DRY_RUN, SHARED, YES, takes

if TYPE_CHECKING:
    from hippocampus_cli.api import Agent


@takes(AGENT, FOR_USER, YES, DRY_RUN, *SHARED)
def command(session: CommandContext, agent: Agent, for_user: bool, yes: bool, dry_run: bool) -> int:
    """Take hippo out of an agent or of git again, and nothing else.

    It is shown first, and you are asked. Everything that install did not write stays as it is, byte for byte. An
    extension that was edited is left alone.

    Examples:
      hippo uninstall claude-code
      hippo uninstall pi --user --yes
    """
    agents = agents_of(session)
    plan = agents.remove(agent, for_user=for_user)
    return carry_out(session, agents, plan, for_user=for_user, yes=yes, dry_run=dry_run)
