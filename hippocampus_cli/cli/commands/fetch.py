"""``hippo fetch``."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.parameters import FENCE, SHARED, TRANSCRIPT_FORMAT, argument, option, takes
from hippocampus_cli.cli.render import safe_line
from hippocampus_cli.errors import MessageNotFound
from hippocampus_cli.fast_types import pattern

if TYPE_CHECKING:
    from hippocampus_cli.context.originals import Original
    from hippocampus_cli.context.transcripts import Format, Message

_DAY = pattern(r"\d{4}-\d\d-\d\d")


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
    FENCE,
    *SHARED,
)
def command(
    session: CommandContext, identity: str, named: str, form: Format | None, fence: bool
) -> None:
    """Get back the full original of a pointer in a summary.

    From the session file that was compacted, also where it is on another branch or before a compaction, or
    from hippo's copy where a program handed the messages over. The first digits of a long id are enough. An id
    that several sessions have is refused with the list of them.

    Examples:
      hippo fetch 9987634b
      hippo fetch 9987634b | head -n 20
      hippo fetch m12 --session messages.json --json
    """
    found = _found(session, identity.removeprefix("#"), named, form)
    if session.output.as_json:
        session.output.json(_document(found))
    elif fence:
        _print_fenced(session, found)
    else:
        _print(session, found)


def _found(session: CommandContext, identity: str, named: str, form: Format | None) -> Original:
    """The original: of a session file that is named in that file, else where a record leads to."""
    from hippocampus_cli.cli.surroundings import user_data
    from hippocampus_cli.context.originals import Original, find_original
    from hippocampus_cli.context.transcripts import Transcript

    root = session.root_or_none()
    path = _session_file(root, named)
    roots = [*([root] if root else []), user_data(session.environ)]
    if path is None:
        return find_original(roots, identity, named)
    try:
        with Transcript(path, form) as transcript:
            return Original(transcript.find(identity), named, named)
    except MessageNotFound as missing:
        try:  # a copy of what never came into the file
            return find_original(roots, identity, str(path.resolve()))
        except MessageNotFound:
            raise missing from None


def _session_file(root: Path | None, named: str) -> Path | None:
    """The session file of this name, seen from here or from the workspace; None for what is no file's name."""
    if not named:
        return None
    for path in (Path(named), *([root / named] if root else [])):
        if "\0" not in named and path.exists():
            return path
    return Path(named) if "/" in named or "." in named or os.sep in named else None


def _print(session: CommandContext, found: Original) -> None:
    """The text on standard output, and nothing else there; what it is beside it."""
    message = found.message
    place = f"{found.path}:{message.line}" if found.path else f"a copy of {found.session}"
    what = " ".join(filter(None, (message.role, message.tool)))
    session.output.note(f"{safe_line(place)}  {safe_line(what)}  {message.tokens:,} tokens")
    text = _text(message)
    if session.output.terminal:
        session.output.quote(text)
    else:
        session.output.text(text)


def _print_fenced(session: CommandContext, found: Original) -> None:
    from hippocampus_cli.workspace.fence import fenced, quoted
    from hippocampus_cli.workspace.origin import of_role

    message = found.message
    place = f"{found.path}:{message.line}" if found.path else f"#{message.id}"
    day = _DAY.match(message.timestamp or "")
    piece = quoted(of_role(message.role), day and day[0], place, _text(message))
    session.output.text(fenced([piece], session.random))


def _text(message: Message) -> str:
    """All that a message holds; what is no text is named."""
    said = [part for part in message.parts if part.kind != "image"]
    if len(said) == 1 and said[0].kind in ("text", "tool_result"):
        return said[0].text
    blocks: list[str] = []
    for part in message.parts:
        plain = part.kind in ("text", "tool_result")
        label = " ".join(filter(None, (part.kind.replace("_", " "), part.name)))
        blocks.append(part.text if plain else f"[{label}]\n{part.text}".rstrip())
    return "\n\n".join(blocks)


def _document(found: Original) -> dict[str, object]:
    from hippocampus_cli.workspace.origin import of_role

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
        "text": _text(message),
        "message": message.raw,
    }
