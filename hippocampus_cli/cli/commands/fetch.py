"""``hippo fetch``."""

from __future__ import annotations

from hippocampus_cli import api
from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.excerpt import excerpt
from hippocampus_cli.cli.options import (
    FENCE,
    GREP,
    LINES,
    TRANSCRIPT_FORMAT,
    argument,
    option,
    takes,
)


@takes(
    argument("identity", "ID", "What stands behind # ."),
    option(
        "--session -s",
        "Its session file, or what a summary names.",
        name="named",
        metavar="SESSION",
    ),
    TRANSCRIPT_FORMAT,
    LINES,
    GREP,
    FENCE,
)
def command(
    session: CommandContext,
    *,
    identity: str,
    named: str = "",
    form: api.Format | None,
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
    original = session.session_files().fetch(identity, session=named, form=form)
    message, output = original.message, session.output
    text = excerpt(api.sessions.text_of(message), lines, grep)
    if output.as_json:
        place = {"session": original.session, "path": original.path or None}
        more = {"tokens": message.tokens, "text": text, "message": message.raw}
        output.json({**message.document(), **place, **more})
    elif fence:
        session.print_fenced([api.sessions.piece_of(original)._replace(text=text)])
    else:
        place_ = (
            f"{original.path}:{message.line}" if original.path else f"a copy of {original.session}"
        )
        what = " ".join(filter(None, (message.role, message.tool)))
        output.note(f"{place_}  {what}  {message.tokens:,} tokens")
        (output.quote if output.terminal else output.text)(text)
