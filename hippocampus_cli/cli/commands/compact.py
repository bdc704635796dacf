"""``hippo compact``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from hippocampus_cli.cli import options
from hippocampus_cli.cli.context import Session, begin
from hippocampus_cli.cli.render import safe_line
from hippocampus_cli.cli.stdin import standard_input
from hippocampus_cli.errors import FileUnwritable, OutsideWorkspace, UsageError

if TYPE_CHECKING:
    from hippocampus_cli.context.transcripts import Format


def command(
    ctx: typer.Context,
    path: Annotated[
        Path | None,
        typer.Argument(metavar="SESSION", help="A session file.", show_default=False),
    ] = None,
    form: options.TranscriptFormat = None,
    tokens: options.TokenBudget = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Say what becomes of each message, and why.")
    ] = False,
    stdin: Annotated[
        bool,
        typer.Option("--stdin", help="Read Pi's preparation object, answer the compaction."),
    ] = False,
    compat: Annotated[
        Literal["reference"] | None,
        typer.Option("--compat", help="Do what the reference does, bit for bit."),
    ] = None,
    no_write: Annotated[
        bool, typer.Option("--no-write", help="Do not note where the originals are.")
    ] = False,
    workspace: options.Workspace = None,
    as_json: options.Json = False,
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
    session = begin(ctx, workspace=workspace, as_json=as_json)
    if stdin == (path is not None):
        reason = "--stdin takes no session file" if stdin else "a session file is missing"
        raise UsageError(reason=reason, advice="give a session file, or --stdin")
    if compat:
        from hippocampus_cli.cli import reference

        reference.compact(session, path, form, explain=explain)
    elif path is None:
        _answer(session, tokens, write=not no_write)
    else:
        _compact(session, path, form, tokens, explain=explain, write=not no_write)


def _compact(
    session: Session,
    path: Path,
    form: Format | None,
    tokens: int | None,
    *,
    explain: bool,
    write: bool,
) -> None:
    from hippocampus_cli.cli.render.compaction import document, print_compaction
    from hippocampus_cli.context.compaction import compact
    from hippocampus_cli.context.originals import note_transcript
    from hippocampus_cli.context.transcripts import Transcript

    settings = session.config_anywhere({"compaction.tokens": ("--tokens", tokens)}).compaction
    with Transcript(path, form) as transcript:
        made = compact(transcript, settings)
        notices = transcript.notices()
    root = session.root_or_none() if write else None
    if root is not None:
        try:
            note_transcript(root, path, transcript.format, made.labels())
        except (FileUnwritable, OutsideWorkspace) as error:
            notices.append(f"the way back to the originals is not noted: {error.message}")
    if session.output.as_json:
        session.output.json(document(made, transcript, notices))
        return
    print_compaction(session.output, made, explain=explain)
    for notice in notices:
        session.output.note(f"hippo: {safe_line(notice)}")


def _answer(session: Session, tokens: int | None, *, write: bool) -> None:
    """Pi's answer: always JSON; nothing to compact is an empty object, and Pi goes on by itself."""
    from hippocampus_cli.context.compaction import compact
    from hippocampus_cli.context.originals import keep_messages
    from hippocampus_cli.context.transcripts.preparation import read_preparation

    settings = session.config_anywhere({"compaction.tokens": ("--tokens", tokens)}).compaction
    preparation = read_preparation(standard_input())
    if preparation.skipped:
        session.output.note(
            f"hippo: {preparation.skipped} null in the list of messages passed over"
        )
    if not preparation.messages:
        session.output.json({})
        return
    messages = preparation.session()
    made = compact(messages, settings)
    root = session.root_or_none() if write else None
    if root is not None:
        try:
            keep_messages(root, messages.all(), made.labels())
        except (FileUnwritable, OutsideWorkspace) as error:
            session.output.note(f"hippo: originals are not kept: {safe_line(error.message)}")
    session.output.json({"compaction": preparation.answer(made.summary)})
