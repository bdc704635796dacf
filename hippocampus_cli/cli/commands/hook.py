"""``hippo hook``, as it is explained; ``cli/hook.py`` is what an agent runs."""

from __future__ import annotations

from typing import Annotated

import typer

from hippocampus_cli.cli import hook, options
from hippocampus_cli.cli.context import Globals


def command(
    ctx: typer.Context,
    event: Annotated[
        str,
        typer.Argument(
            metavar="EVENT",
            help="PreCompact, SessionStart, PostToolUse or Stop.",
            show_default=False,
        ),
    ] = "",
    workspace: options.Workspace = None,
) -> int:
    """Answer a hook of Claude Code; what `hippo install claude-code` arranges.

    Reads the hook's JSON from standard input. PreCompact scores and saves the session, SessionStart gives its sparse
    index back after a compaction, PostToolUse puts an entry in the place of a large output, Stop counts a turn. The
    exit code is always 0: what goes wrong is told on standard error and never holds the agent up.

    Examples:
      hippo hook PostToolUse < event.json
      hippo hook PreCompact --workspace ~/agent < event.json
    """
    outer = ctx.find_root().obj
    named = workspace or (outer.workspace if isinstance(outer, Globals) else None)
    return hook.run([event, *(("--workspace", str(named)) if named else ())])
