"""``hippo sessions``: what agents recorded of their sessions, searched."""

from __future__ import annotations

from hippocampus_cli import api
from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import FENCE, argument, option, takes
from hippocampus_cli.cli.output import bold, dim, row, safe_line


@takes(
    argument("query", "WORDS", "What to look for."),
    option("--limit -n", "Messages at most.", low=1),
    option("--all -a", "Of every folder, not only of this workspace.", name="everywhere"),
    FENCE,
)
def command(
    session: CommandContext, *, query: list[str], limit: int = 10, everywhere: bool, fence: bool
) -> int:
    """Search the sessions that agents recorded.

    Messages of this workspace, whichever agent recorded them: the one with the most of the words comes first, then
    the newest. `hippo fetch` gives a message back as a whole. Nothing is indexed and nothing is written. The exit
    code is 1 where nothing is found.

    Examples:
      hippo sessions log rotation
      hippo sessions "owner_group" --all --limit 3 --json
    """
    output = session.output
    if not everywhere:
        session.root()  # raises where there is none
    hits = session.session_files().search(" ".join(query), limit=limit, everywhere=everywhere)
    fields = "agent session matched text"
    results = [{**hit.message.document(), **row(hit, fields)} for hit in hits]
    output.json({"results": results})
    if fence:
        session.print_fenced(api.sessions.pieces_of(hits))
    for hit in hits if not fence else ():
        message = hit.message
        head = (hit.agent, (message.timestamp or "")[:16], message.role, message.tool)
        output.line(bold(" ".join(filter(None, head))))
        output.quote(safe_line(hit.text))
        output.line(dim(f"hippo fetch {message.id} --session {hit.session}"))
    if not hits:
        output.note("hippo: no recorded session has these words")
    return 0 if hits else 1
