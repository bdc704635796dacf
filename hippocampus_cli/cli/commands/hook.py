"""``hippo hook``, as it is explained; ``cli/hook.py`` is what an agent runs."""

from __future__ import annotations

from hippocampus_cli.cli import hook
from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import WORKSPACE, argument, takes


@takes(
    argument(
        "event",
        "EVENT",
        "SessionStart, UserPromptSubmit, PostToolUse, PreCompact or Stop.",
        required=False,
        default="",
    ),
    WORKSPACE,
)
def command(session: CommandContext, event: str) -> int:
    """Answer a hook of Claude Code; what `hippo install claude-code` arranges.

    Reads the hook's JSON from standard input. SessionStart gives a brief of the memory, and after a compaction what
    PreCompact scored and saved; UserPromptSubmit gives what the memory is sure of on the prompt, once a session;
    PostToolUse puts an entry in the place of a large output, Stop counts a turn. The
    exit code is always 0: what goes wrong is told on standard error and never holds the agent up.

    Examples:
      hippo hook PostToolUse < event.json
      hippo hook PreCompact --workspace ~/agent < event.json
    """
    named = session.workspace
    return hook.run([event, *(("--workspace", str(named)) if named else ())])
