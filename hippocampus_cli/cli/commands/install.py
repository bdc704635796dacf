"""``hippo install``."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.installing import (
    AGENT,
    BARE,
    FOR_USER,
    carry_out,
    in_git,
    loading_of,
    place_of,
    program,
)
from hippocampus_cli.cli.parameters import DRY_RUN, SHARED, YES, takes

if TYPE_CHECKING:
    from hippocampus_cli.integrations.install import Agent


@takes(AGENT, FOR_USER, YES, DRY_RUN, *SHARED)
def command(session: CommandContext, agent: Agent, for_user: bool, yes: bool, dry_run: bool) -> int:
    """Put hippo into an agent (pi, claude-code, openclaw), or its merge driver into git.

    Pi and OpenClaw get an extension that hands compaction to hippo, Claude Code gets hooks in its settings.json; git
    gets lines in .gitattributes and a section in the repository's config, so that branches merge entry by entry. The
    change is shown first, and you are asked. A second time brings it up to date; `hippo uninstall` takes back exactly
    that. Where its settings or its version keep the agent from loading it, that is said, with exit code 1.

    Examples:
      hippo install claude-code --dry-run
      hippo install pi --user
      hippo install git
      hippo install openclaw --workspace ~/.openclaw/workspace
    """
    from hippocampus_cli.integrations.install import plan_install

    if agent == "git":
        return in_git(session, for_user=for_user, installs=True, yes=yes, dry_run=dry_run)
    place = place_of(session, agent, for_user=for_user, needs_agent=True)
    words = program()
    plan = plan_install(agent, place, words)
    notices = _notices(session, agent, for_user)
    if words != BARE:
        notices.append("`hippo` is not on the PATH here; agents are told to run it by that name")
    return carry_out(
        session,
        plan,
        yes=yes,
        dry_run=dry_run,
        notices=notices,
        check=lambda: loading_of(session, agent, plan, for_user=for_user),
    )


def _notices(session: CommandContext, agent: Agent, for_user: bool) -> list[str]:
    """What could keep an installed hippo from doing its work."""
    from hippocampus_cli.workspace.own_files import FOLDER, INDEX

    if agent != "claude-code" or for_user:
        return []
    root = session.root()
    if any(os.path.lexists(root / name) for name in (INDEX, FOLDER)):
        return []
    return ["there is no index yet; run `hippo bootstrap`, for without one the hooks do nothing"]
