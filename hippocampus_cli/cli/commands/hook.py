"""``hippo hook``, as it is explained; ``cli/hook.py`` is what an agent runs."""

from __future__ import annotations

from hippocampus_cli.cli import hook
from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.parameters import WORKSPACE, argument, takes


@takes(
    argument(
        "event",
        "EVENT",
        "PreCompact, SessionStart, PostToolUse or Stop.",
        required=False,
        default="",
    ),
    WORKSPACE,
)
def command(session: CommandContext, event: str) -> int:
    """Answer a hook of Claude Code; what `hippo install claude-code` arranges.

    Reads the hook's JSON from standard input. PreCompact scores and saves the session, SessionStart gives its sparse
    index back after a compaction, PostToolUse puts an entry in the place of a large output, Stop counts a turn. The
    exit code is always 0: what goes wrong is told on standard error and never holds the agent up.

    Examples:
      hippo hook PostToolUse < event.json
      hippo hook PreCompact --workspace ~/agent < event.json
    """
    named = session.workspace
    return hook.run([event, *(("--workspace", str(named)) if named else ())])
