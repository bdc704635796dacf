"""``hippo compact``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.parameters import (
    FENCE,
    PATH,
    SHARED,
    TOKEN_BUDGET,
    TRANSCRIPT_FORMAT,
    argument,
    flag,
    option,
    takes,
)
from hippocampus_cli.cli.render import safe_line
from hippocampus_cli.cli.stdin import standard_input
from hippocampus_cli.errors import FileUnreadable, FileUnwritable, OutsideWorkspace, UsageError

if TYPE_CHECKING:
    from hippocampus_cli.context.transcripts import Format, Message


@takes(
    argument("path", "SESSION", "A session file.", required=False, kind=PATH),
    TRANSCRIPT_FORMAT,
    TOKEN_BUDGET,
    flag("--explain", "Say what becomes of each message, and why."),
    flag("--stdin", "Read Pi's preparation object, answer the compaction."),
    option("--compat", "Do what the reference does, bit for bit.", choices=("reference",)),
    FENCE,
    flag("--no-write", "Do not note where the originals are."),
    *SHARED,
)
def command(
    session: CommandContext,
    path: Path | None,
    form: Format | None,
    tokens: int | None,
    explain: bool,
    stdin: bool,
    compat: str | None,
    fence: bool,
    no_write: bool,
) -> None:
    """Compact a session: what still matters in full, the rest as pointers.

    Reads sessions of Pi and OpenClaw, Claude Code, and plain message lists, and never writes to them. What
    was decided, wanted and used again stays; the rest fades to a line or to key data, and `hippo fetch`
    gets back the original of any #id.

    Examples:
      hippo compact session.jsonl
      hippo compact session.jsonl --tokens 3000 --explain
      hippo compact session.jsonl --compat reference
      hippo compact --stdin < preparation.json
    """
    if stdin == (path is not None):
        reason = "--stdin takes no session file" if stdin else "a session file is missing"
        raise UsageError(reason=reason, advice="give a session file, or --stdin")
    if compat:
        from hippocampus_cli.cli import reference

        reference.compact(session, path, form, explain=explain)
    elif path is None:
        _answer(session, tokens, write=not no_write)
    else:
        _compact(session, path, form, tokens, explain=explain, fence=fence, write=not no_write)


def _compact(
    session: CommandContext,
    path: Path,
    form: Format | None,
    tokens: int | None,
    *,
    explain: bool,
    fence: bool,
    write: bool,
) -> None:
    from hippocampus_cli.cli.render.compaction import document, print_compaction
    from hippocampus_cli.context.compaction import compact
    from hippocampus_cli.context.originals import note_transcript, shown_place
    from hippocampus_cli.context.transcripts import Transcript
    from hippocampus_cli.workspace.fence import fenced

    settings = session.config_anywhere({"compaction.tokens": ("--tokens", tokens)}).compaction
    root = session.root_or_none()
    with Transcript(path, form) as transcript:
        made = compact(transcript, settings, shown_place(root, str(path.resolve())), fence=fence)
        notices = transcript.notices()
    if root is not None and write:
        try:
            note_transcript(root, path, transcript.format, made.labels())
        except (FileUnwritable, OutsideWorkspace) as error:
            notices.append(f"the location of the originals is not recorded: {error.message}")
    if session.output.as_json:
        session.output.json(document(made, transcript, notices))
        return
    if fence and not explain:
        session.output.text(fenced(made.pieces(), session.random))
    else:
        print_compaction(session.output, made, explain=explain)
    for notice in notices:
        session.output.note(f"hippo: {safe_line(notice)}")


def _answer(session: CommandContext, tokens: int | None, *, write: bool) -> None:
    """Pi's answer: always JSON; nothing to compact is an empty object, and Pi goes on by itself.

    So it is where a message is in no file and cannot be copied either: a summary points at nothing that is lost.
    """
    from hippocampus_cli.context.compaction import compact
    from hippocampus_cli.context.transcripts.pi import read_preparation
    from hippocampus_cli.workspace.fence import fenced

    settings = session.config_anywhere({"compaction.tokens": ("--tokens", tokens)}).compaction
    preparation = read_preparation(standard_input())
    if preparation.skipped:
        session.output.note(f"hippo: {preparation.skipped} null in the list of messages skipped")
    if not preparation.messages:
        session.output.json({})
        return
    there = _ids_in(preparation.file)
    place = str(Path(preparation.file).resolve()) if there else ""
    messages = preparation.session(there)
    made = compact(messages, settings, place or preparation.key, fence=True)
    labels = made.labels()
    shown = {key for key, _ in labels}
    loose = [
        one
        for one in messages.all()
        if one.id not in there and (one.id in shown or "summary" not in one.flags)
    ]
    if write and not _is_kept(session, Originals(place, preparation.key, loose, labels)):
        session.output.json({})
        return
    session.output.json({"compaction": preparation.answer(fenced(made.pieces(), session.random))})


def _ids_in(file: str) -> frozenset[str]:
    """The ids in Pi's session file; none where it has none, or it cannot be read."""
    from hippocampus_cli.context.transcripts import Transcript

    if not file:
        return frozenset()
    try:
        with Transcript(Path(file), "pi") as transcript:
            return transcript.ids()
    except FileUnreadable:
        return frozenset()


class Originals(NamedTuple):
    """What a summary points at: in the session file ``place``, if there is one, and messages that are in no file."""

    place: str
    key: str
    loose: Sequence[Message]
    labels: Sequence[tuple[str, str]]


def _is_kept(session: CommandContext, originals: Originals) -> bool:
    """Whether all that the summary points at can be had: copied where it is in no file, in the workspace or else for
    the user."""
    from hippocampus_cli.cli.surroundings import user_data

    root, own = session.root_or_none(), user_data(session.environ)
    for place in [one for one in (root, own) if one]:
        try:
            _keep(place, originals)
        except (FileUnwritable, OutsideWorkspace) as error:
            session.output.note(f"hippo: originals are not kept: {safe_line(error.message)}")
        else:
            return True
    return bool(originals.place) and not originals.loose  # the summary names the session file


def _keep(root: Path, originals: Originals) -> None:
    """Raises :class:`FileUnwritable`, :class:`OutsideWorkspace`."""
    from hippocampus_cli.context.originals import keep_messages, note_transcript

    try:
        root.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise FileUnwritable(path=str(root), reason=error.strerror or str(error)) from error
    name = originals.place or originals.key
    keep_messages(root, name, originals.loose, originals.labels)
    if originals.place:
        note_transcript(root, Path(originals.place), "pi", originals.labels)
