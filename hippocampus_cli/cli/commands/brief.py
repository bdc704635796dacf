"""``hippo brief``."""

from __future__ import annotations

from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import FENCE, option, takes
from hippocampus_cli.cli.output import fit


@takes(
    option("--for", "Also what the memory has on this prompt.", metavar="PROMPT", name="asked"),
    FENCE,
)
def command(session: CommandContext, *, asked: str = "", fence: bool) -> None:
    """Say what an agent should know at the start of a session.

    At most 400 tokens: how to ask, rules, what is held, open tasks, the first subjects. The same text until the
    notes, the index or the beliefs say something else; nothing is written, and nothing counts as a retrieval.

    Examples:
      hippo brief
      hippo brief --for "deploy the site" --json
    """
    output = session.output
    brief = session.open().brief(asked)
    output.json(brief)
    if fence:
        output.text(brief.fenced(session.random))
    else:
        for line in brief.text.splitlines():
            output.line(fit(line, output.width) if output.terminal else line)
