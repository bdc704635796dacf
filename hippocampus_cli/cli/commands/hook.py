"""``hippo hook``, as it is explained; ``cli/hook.py`` is what an agent runs."""

from __future__ import annotations

from hippocampus_cli.cli import hook
from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import WORKSPACE, takes


@takes(*hook.PARAMETERS, shared=(WORKSPACE,))
def command(session: CommandContext, *, event: str, agent: str) -> int:
    """Answer a hook of an agent; what `hippo install` arranges.

    Reads the hook's JSON from standard input. SessionStart gives a brief of the memory, and after a compaction what
    PreCompact scored and saved; UserPromptSubmit gives what is likely to answer the prompt, once a session;
    PostToolUse puts an entry in the place of a large output, Stop counts a turn, SessionEnd writes what is to persist
    to MEMORY.md. The exit code is always 0: what goes wrong is told on standard error and never holds the agent up.

    Examples:
      hippo hook PostToolUse < event.json
      hippo hook BeforeAgent --agent gemini < event.json
      hippo hook PreCompact --workspace ~/agent < event.json
    """
    named = ("--workspace", str(session.workspace)) if session.workspace else ()
    return hook.run([event, "--agent", agent, *named])
