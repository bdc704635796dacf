"""``hippo sessions``: what agents recorded of their sessions, searched."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import FENCE, NUMBER, SHARED, Group, argument, flag, option, takes
from hippocampus_cli.cli.render import Styled, safe_line

if TYPE_CHECKING:
    from hippocampus_cli.api import SessionHit

HELP = """Search the sessions that agents recorded.

Claude Code, Codex, Gemini CLI, opencode, OpenClaw and Pi keep them in files of their own, which are only read.

Examples:
  hippo sessions search "log rotation kelpie"
"""


@takes(
    argument("query", "WORDS", "What to look for.", several=True),
    option("--limit -n", "Messages at most.", metavar="N", kind=NUMBER, default=10, low=1),
    flag("--all -a", "Of every folder, not only of this workspace.", name="everywhere"),
    FENCE,
    *SHARED,
)
def search(
    session: CommandContext, query: list[str], limit: int, everywhere: bool, fence: bool
) -> int:
    """Find messages in all recorded sessions of this workspace, whichever agent recorded them.

    The message with the most of the words comes first, then the newest. `hippo fetch` gives a message back as a
    whole. Nothing is indexed and nothing is written. The exit code is 1 where nothing is found.

    Examples:
      hippo sessions search log rotation
      hippo sessions search "owner_group" --all --limit 3 --json
    """
    from hippocampus_cli.api import sessions

    root = None if everywhere else session.root()
    hits = sessions.search_sessions(root, session.environ, " ".join(query), limit)
    if session.output.as_json:
        session.output.json({"results": [_document(one) for one in hits]})
    elif fence:
        session.print_fenced(sessions.pieces_of(hits))
    else:
        for one in hits:
            _print(session, one)
    if not hits:
        session.output.note("hippo: no recorded session has these words")
    return 0 if hits else 1


def _print(session: CommandContext, hit: SessionHit) -> None:
    message, output = hit.message, session.output
    what = " ".join(
        filter(None, (hit.agent, (message.timestamp or "")[:16], message.role, message.tool))
    )
    output.line(Styled(safe_line(what), "bold"))
    output.quote(safe_line(hit.text))
    output.line(Styled(safe_line(f"hippo fetch {message.id} --session {hit.session}"), "dim"))


def _document(hit: SessionHit) -> dict[str, object]:
    from hippocampus_cli.api.sessions import of_role

    message = hit.message
    return {
        "agent": hit.agent,
        "session": hit.session,
        "id": message.id,
        "line": message.line or None,
        "role": message.role,
        "origin": of_role(message.role),
        "tool": message.tool or None,
        "timestamp": message.timestamp,
        "matched": hit.matched,
        "text": hit.text,
    }


command = Group(HELP, (search,))
