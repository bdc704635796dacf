"""``hippo brief``."""

from __future__ import annotations

from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import FENCE, SHARED, option, takes


@takes(
    option("--for", "Also what the memory has on this prompt.", metavar="PROMPT", name="asked"),
    FENCE,
    *SHARED,
)
def command(session: CommandContext, asked: str | None, fence: bool) -> None:
    """Say what an agent should know at the start of a session.

    At most 400 tokens: how to ask, rules, what is held, open tasks, the first subjects. The same text until the
    notes, the index or the beliefs say something else; nothing is written, and nothing counts as a retrieval.

    Examples:
      hippo brief
      hippo brief --for "deploy the site" --json
    """
    from hippocampus_cli.cli.render.entries import fenced_brief, print_brief

    with session.open_as_is() as opened:
        found = opened.brief(asked or "", now=session.now)
    if session.output.as_json:
        session.output.json(found._asdict())
    elif fence:
        session.print_fenced(fenced_brief(found))
    else:
        print_brief(session.output, found)
