"""``hippo fetch``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.excerpt import excerpt
from hippocampus_cli.cli.options import (
    FENCE,
    GREP,
    LINES,
    SHARED,
    TRANSCRIPT_FORMAT,
    argument,
    option,
    takes,
)
from hippocampus_cli.cli.render import safe_line

if TYPE_CHECKING:
    from hippocampus_cli.api import Format, Original


@takes(
    argument("identity", "ID", "What stands behind # .", complete="message_ids"),
    option(
        "--session -s",
        "Its session file, or what a summary names.",
        name="named",
        metavar="SESSION",
        default="",
    ),
    TRANSCRIPT_FORMAT,
    LINES,
    GREP,
    FENCE,
    *SHARED,
)
def command(
    session: CommandContext,
    identity: str,
    named: str,
    form: Format | None,
    lines: str,
    grep: str,
    fence: bool,
) -> None:
    """Get back the full original of a pointer in a summary.

    From the session file that was compacted, also where it is on another branch or before a compaction, or
    from hippo's copy where a program handed the messages over. The first digits of a long id are enough. An id
    that several sessions have is refused with the list of them.

    Examples:
      hippo fetch 9987634b
      hippo fetch 9987634b --lines 1-20
      hippo fetch 9987634b --grep error
      hippo fetch m12 --session messages.json --json
    """
    from hippocampus_cli.api.sessions import fetch, piece_of, text_of

    found = fetch(session.root_or_none(), session.environ, identity, named, form)
    text = excerpt(text_of(found.message), lines, grep)
    if session.output.as_json:
        session.output.json(_document(found, text))
    elif fence:
        session.print_fenced([piece_of(found)._replace(text=text)])
    else:
        _print(session, found, text)


def _print(session: CommandContext, found: Original, text: str) -> None:
    """The text on standard output, and nothing else there; what it is beside it."""
    message = found.message
    place = f"{found.path}:{message.line}" if found.path else f"a copy of {found.session}"
    what = " ".join(filter(None, (message.role, message.tool)))
    session.output.note(f"{safe_line(place)}  {safe_line(what)}  {message.tokens:,} tokens")
    if session.output.terminal:
        session.output.quote(text)
    else:
        session.output.text(text)


def _document(found: Original, text: str) -> dict[str, object]:
    from hippocampus_cli.api.sessions import of_role

    message = found.message
    return {
        "id": message.id,
        "session": found.session,
        "path": found.path or None,
        "line": message.line or None,
        "role": message.role,
        "origin": of_role(message.role),
        "tool": message.tool or None,
        "timestamp": message.timestamp,
        "tokens": message.tokens,
        "text": text,
        "message": message.raw,
    }
