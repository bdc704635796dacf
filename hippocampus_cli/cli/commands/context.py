"""``hippo context``: the lifecycle of what is in an agent's window."""

from __future__ import annotations

import base64
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from hippocampus_cli import api
from hippocampus_cli.cli.context import CommandContext, path_of
from hippocampus_cli.cli.excerpt import excerpt
from hippocampus_cli.cli.options import (
    DRY_RUN,
    FENCE,
    FLAG,
    GREP,
    LINES,
    Group,
    argument,
    option,
    takes,
)
from hippocampus_cli.cli.output import (
    Output,
    Part,
    cyan,
    dim,
    row,
)
from hippocampus_cli.errors import FileUnreadable

HELP = """Keep an agent's window lean: results fade by the turn, and can be fetched again.

A session holds what was seen. A large result stands in the window as a summary with its key data, and what
nobody uses leaves it. Nothing is lost: `get` gives every content back.

Examples:
  hippo context add src/app.py
  npm test 2>&1 | hippo context add - --source error
  hippo context list --turn 1
  hippo context list --tokens 2000
"""
SESSION_ID = option(
    "--session -s",
    "The session; by default HIPPO_SESSION, else the only open one.",
    name="session_id",
    metavar="ID",
)


@takes(
    argument("file", "FILE", "What to add; - reads standard input."),
    option("--text", "Add this instead of a file.", metavar="TEXT"),
    option(
        "--type -t",
        "What it is; sets how fast it fades.",
        default="tool_result",
        choices=("tool_result", "message", "state", "memory"),
    ),
    option(
        "--source",
        "Where it came from: browser.snapshot, error, file, user, assistant.",
        metavar="TYPE",
    ),
    option("--ref", "Its name there; of a file its path.", metavar="REF"),
    option("--summary", "Instead of an extracted one.", metavar="TEXT"),
    option(
        "--priority",
        "How it resists fading; critical does not fade.",
        choices=("critical", "high", "normal", "low"),
    ),
    option("--persist/--no-persist", "To MEMORY.md at the end.", kind=FLAG),
    option(
        "--link",
        "An associated entry, beside which it fades slower; repeatable.",
        name="links",
        metavar="ID",
        several=True,
    ),
    SESSION_ID,
)
def add(
    session: CommandContext,
    *,
    file: str = "-",
    text: str | None,
    source: str | None,
    ref: str = "",
    session_id: str | None,
    **given: Any,
) -> None:
    """Add a result, a message, a state or a memory.

    Results over 1,000 tokens, errors and a user's instructions become a summary with key data; what is small
    stands in the window as it is. Policies in .hippocampus/policies.yaml decide otherwise. It begins a session.

    Examples:
      hippo context add src/app.py --session refactoring
      curl -s api.example.com/users | hippo context add - --source api --ref /users
      hippo context add --type message --text "Never deploy on a Friday"
      hippo context add NOTES.md --priority critical --link ctx_005
    """
    opened = session.open()
    context = _context(opened, session, session_id)
    content, source, ref = _given(opened, file, text, source, ref)
    begun, is_new = context.take_up()
    if is_new:
        session.output.note(f"hippo: began the session {begun.id}")
    added = context.add(content, source=source, ref=ref, **given)
    _print_added(session.output, *added)


@takes(
    option("--turn", "Count so many turns: strengths fall, what is weak leaves.", low=1),
    option("--tokens", "A budget for the window.", low=0),
    option("--all -a", "Every entry, dormant ones too, a line each.", name="everything"),
    FENCE,
    SESSION_ID,
    name="list",
)
def list_(
    session: CommandContext,
    *,
    turn: int | None,
    tokens: int | None,
    everything: bool,
    fence: bool,
    session_id: str | None,
) -> None:
    """List what goes into the window now, within a budget; or all that the session holds.

    Examples:
      hippo context list --tokens 2000
      hippo context list --turn 1
      hippo context list --all
    """
    output = session.output
    opened = session.open()
    context = _context(opened, session, session_id)
    if turn is not None:
        done = context.turn(turn)
        budget = opened.config.context.window_tokens
        known = row(done, "active dormant expired compressed tokens", window_tokens=budget)
        output.document(_document(done.session, **known))
        return
    state = context.session()
    states = context.entries()
    if everything:
        _print_states(output, state, states)
        return
    window = context.window(tokens)
    if fence and not output.as_json:
        session.print_fenced(api.context.pieces_of(context.session(), window))
    else:
        _print_window(output, state, states, window)


@takes(
    argument("entry", "ID", "An entry's id."),
    option("--as-added", "As it was added, whatever its source holds now."),
    LINES,
    GREP,
    FENCE,
    SESSION_ID,
)
def get(
    session: CommandContext,
    *,
    entry: str,
    as_added: bool,
    lines: str,
    grep: str,
    fence: bool,
    session_id: str | None,
) -> int:
    """Give an entry's whole content: from its source again, else from the store.

    Byte for byte into a pipe. A file of the workspace is read again, and the entry follows it when it has changed.
    This is an access: the entry is at full strength again.

    Examples:
      hippo context get ctx_003
      hippo context get ctx_003 --lines 400-450
      hippo context get ctx_003 --grep error
      hippo context get ctx_003 --as-added | diff - src/app.py
    """
    output = session.output
    context = _context(session.open(), session, session_id)
    state = context.session()
    done = context.get(entry, as_added=as_added)
    if lines or grep:
        text = excerpt(_text(done), lines, grep)
        done = done._replace(data=text.encode("utf-8", "replace"))
    if fence and not output.as_json:
        session.print_fenced(_pieces(done))
    else:
        _print_completed(output, state, done)
    return 1 if done.origin == "summary" else 0


@takes(DRY_RUN, SESSION_ID)
def end(session: CommandContext, *, dry_run: bool, session_id: str | None) -> None:
    """End a session: what is to persist and is still strong goes to MEMORY.md and the index.

    The rest stays in .hippocampus/sessions, where `get` reads it, until it is archived.

    Examples:
      hippo context end --dry-run
      hippo context end
    """
    opened = session.open()
    context = _context(opened, session, session_id)
    session.output.document(context.end(dry_run=dry_run))


def _context(opened: api.Workspace, session: CommandContext, session_id: str | None) -> api.Context:
    """The session of a command, from its options and the environment."""
    return opened.context(session_id or session.environ.get("HIPPO_SESSION") or None)


def _given(
    opened: api.Workspace, file: str, text: str | None, source: str | None, ref: str
) -> tuple[bytes, str | None, str]:
    """What is to be added, its source and its name there; a file of the workspace can be read again.

    Of what is too large one byte more than allowed is read. Raises :class:`FileUnreadable`.
    """
    if text is not None:
        return text.encode("utf-8", "surrogateescape"), source, ref
    most = opened.config.context.max_content_bytes + 1
    if file == "-":
        return sys.stdin.buffer.read(most), source, ref
    path = Path(file).absolute()
    try:
        with path.open("rb") as stream:
            content = stream.read(most)
    except OSError as error:
        raise FileUnreadable(path=file, reason=error.strerror or str(error)) from error
    inside = path_of(opened.root, path)
    if source is None and not ref and inside is not None:
        return content, "file", inside
    return content, source, ref or path.name


def _document(state: api.ContextSession, /, **more: object) -> dict[str, object]:
    return {"session": state.id, "turn": state.turn, **more}


def _standing(state: api.ContextEntryState) -> dict[str, object]:
    return {"strength_now": round(state.strength, 4), "state": state.state, "entry": state.entry}


def _print_added(output: Output, state: api.ContextSession, taken: api.Ingested) -> None:
    """The new entry, and why it is indexed or not."""
    entry, reason = taken.entry, taken.reason
    lines = [policy.line for policy in taken.policies]
    output.json({"session": state.id, "entry": entry, "reason": reason, "policies": lines})
    size = f"{entry.content.tokens:,} tokens"
    if entry.indexed and entry.content.tokens > entry.summary_tokens:
        size += f" → {entry.summary_tokens:,}"
    how = "indexed" if entry.indexed else "whole"
    output.line(cyan(entry.id), f"  {how}, {size}", dim(f"  {reason}"))
    if entry.indexed:
        output.quote(api.context.shown(entry.summary, entry.key_data), "dim")


def _print_window(
    output: Output,
    state: api.ContextSession,
    states: Iterable[api.ContextEntryState],
    window: api.Window,
) -> None:
    """The window, and beside it how full it is."""
    away = [each.entry.id for each in states if each.state != "active"]
    shown = [each._replace(strength=round(each.strength, 4)) for each in window.shown]
    known = row(window, "text tokens budget left_out", entries=shown, dormant=away)
    output.json(_document(state, **known))
    if window.blocks:
        output.line(api.context.HEAD)
    for head, text in window.blocks:
        output.line()
        output.line(cyan(head))
        output.quote(text)
    size = f"{window.tokens:,} of {window.budget:,} tokens, {len(window.shown)} shown"
    output.note(f"{size}, {len(window.left_out)} left out, {len(away)} dormant")


def _print_states(
    output: Output, state: api.ContextSession, states: Iterable[api.ContextEntryState]
) -> None:
    """A line an entry."""
    output.json(_document(state, entries=[*map(_standing, states)]))
    output.table([_row(each.strength, each.state, each.entry) for each in states], cut=(4, 6))


def _row(strength: float, state: str, entry: api.ContextEntry) -> list[Part]:
    """Its strength, state, id, type, source, tokens and summary."""
    size, summary = str(entry.content.tokens), " ".join(entry.summary.split())[:120]
    return [f"{strength:.2f}", state, cyan(entry.id), entry.type, _source(entry), size, summary]


def _print_completed(output: Output, state: api.ContextSession, done: api.Completed) -> None:
    """The content byte for byte, with notices about it on standard error."""
    entry = done.entry
    output.notices([done.notice] if done.notice else [])
    if output.as_json:
        try:
            text, encoding = done.data.decode("utf-8"), "utf-8"
        except UnicodeDecodeError:
            text, encoding = base64.b64encode(done.data).decode("ascii"), "base64"
        content = {"stale": entry.stale, "encoding": encoding, "content": text}
        output.json(
            {"session": state.id, "id": entry.id, **row(done, "origin changed reason", **content)}
        )
        return
    if done.reason:
        what = "the summary" if done.origin == "summary" else "the stored copy"
        output.note(f"hippo: {entry.id}: {done.reason}; this is {what}")
    if done.changed:
        output.note(
            f"hippo: {entry.id}: its source has changed; --as-added prints it as it was added"
        )
    output.raw(done.data)


def _pieces(done: api.Completed) -> list[api.context.Piece]:
    """The content for an agent: as text, whatever it is."""
    entry, piece = done.entry, api.context.Piece
    reasons = [piece(f"{entry.id}: {done.reason}")] if done.reason else []
    head = f"{api.context.origin_of(entry)} {entry.id} {_source(entry)}"
    return [*reasons, piece(head, _text(done).rstrip("\n"))]


def _source(entry: api.ContextEntry) -> str:
    return f"{entry.source.type} {entry.source.ref}".rstrip()


def _text(done: api.Completed) -> str:
    return done.data.decode("utf-8", "replace")


command = Group(HELP, (list_, get, add, end))
