"""``hippo context``: the lifecycle of what is in an agent's window."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.excerpt import excerpt
from hippocampus_cli.cli.options import (
    DRY_RUN,
    FENCE,
    GREP,
    LINES,
    NUMBER,
    SHARED,
    Group,
    argument,
    flag,
    option,
    takes,
)
from hippocampus_cli.errors import FileUnreadable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hippocampus_cli.api import (
        Context,
        ContextPriority,
        ContextSession,
        EntryType,
        Window,
        Workspace,
    )

HELP = """Keep an agent's window lean: results fade by the turn, and can be fetched again.

A session holds what was seen. A large result stands in the window as a summary with its key data, and what
nobody uses leaves it. Nothing is lost: `get` gives every content back.

Examples:
  hippo context begin
  npm test 2>&1 | hippo context add - --source error
  hippo context turn
  hippo context show --tokens 2000
"""
SESSION_ID = option(
    "--session -s",
    "The session; by default HIPPO_SESSION, else the only open one.",
    name="session_id",
    metavar="ID",
    complete="session_ids",
)
ENTRY_IDS = argument("entries", "ID", "Entry ids.", several=True, complete="context_entries")
PERSIST = flag("--persist/--no-persist", "To MEMORY.md at the end.", default=None)
PRIORITIES = ("critical", "high", "normal", "low")


@takes(
    argument("session_id", "ID", "Its id; by default the date and time.", required=False),
    *SHARED,
    name="begin",
)
def begin_(run: CommandContext, session_id: str | None) -> None:
    """Begin a session, or take up the open one of this id.

    Examples:
      hippo context begin
      export HIPPO_SESSION=$(hippo context begin)
    """
    from hippocampus_cli.cli.render.context import print_begun

    with run.open_as_is() as opened:
        print_begun(run.output, *opened.context(session_id, now=run.now).begin())


@takes(
    argument("file", "FILE", "What to add; - reads standard input.", required=False, default="-"),
    option("--text", "Add this instead of a file.", metavar="TEXT"),
    option(
        "--type -t",
        "What it is; sets how fast it fades.",
        name="kind",
        default="tool_result",
        choices=("tool_result", "message", "state", "memory"),
    ),
    option(
        "--source",
        "Where it came from: browser.snapshot, error, file, user, assistant.",
        metavar="TYPE",
    ),
    option("--ref", "Its name there; of a file its path.", metavar="REF", default=""),
    option("--summary", "Instead of an extracted one.", metavar="TEXT"),
    option("--priority", "How it resists fading.", choices=PRIORITIES),
    flag("--manual", "Added by hand: fades half as fast."),
    PERSIST,
    option("--expires", "Leaves after N turns.", metavar="N", kind=NUMBER, low=0),
    option(
        "--link",
        "An associated entry; repeatable.",
        name="link_to",
        metavar="ID",
        several=True,
        complete="context_entries",
    ),
    SESSION_ID,
    *SHARED,
)
def add(
    run: CommandContext,
    file: str,
    text: str | None,
    kind: EntryType,
    source: str | None,
    ref: str,
    summary: str | None,
    priority: ContextPriority | None,
    manual: bool,
    persist: bool | None,
    expires: int | None,
    link_to: list[str],
    session_id: str | None,
) -> None:
    """Add a result, a message, a state or a memory.

    Results over 1,000 tokens, errors and a user's instructions become a summary with key data; what is small
    stands in the window as it is. Policies in .hippocampus/policies.yaml decide otherwise.

    Examples:
      hippo context add src/app.py
      curl -s api.example.com/users | hippo context add - --source api --ref /users
      hippo context add --type message --text "Never deploy on a Friday"
    """
    from hippocampus_cli.cli.render.context import print_added

    with run.open_as_is() as opened:
        what = _given(opened, file, text, source, ref)
        added = _session_in(opened, run, session_id).add(
            what.content,
            type=kind,
            source=what.source,
            ref=what.ref,
            summary=summary,
            priority=priority,
            manual=manual,
            persist=persist,
            expires_after=expires,
            links=link_to,
        )
    print_added(run.output, *added)


@takes(
    option("--by", "How many turns.", metavar="N", kind=NUMBER, default=1, low=1),
    SESSION_ID,
    *SHARED,
)
def turn(run: CommandContext, by: int, session_id: str | None) -> None:
    """Count a turn: strengths fall, and what is below the threshold leaves the window.

    Examples:
      hippo context turn
      hippo context turn --json
    """
    from hippocampus_cli.cli.render.context import print_turned

    with _context(run, session_id) as context:
        most = run.config().context.window_tokens
        print_turned(run.output, context.turn(by), most)


@takes(
    argument(
        "entry", "ID", "One entry, with every field.", required=False, complete="context_entries"
    ),
    option("--tokens", "A budget for the window.", metavar="N", kind=NUMBER, low=0),
    flag("--all -a", "Every entry, dormant ones too, a line each.", name="everything"),
    FENCE,
    SESSION_ID,
    *SHARED,
)
def show(
    run: CommandContext,
    entry: str | None,
    tokens: int | None,
    everything: bool,
    fence: bool,
    session_id: str | None,
) -> None:
    """Show what goes into the window now, within a budget; or one entry, or all.

    Examples:
      hippo context show --tokens 2000
      hippo context show --all
      hippo context show --fence
    """
    from hippocampus_cli.cli.render import context as render

    with _context(run, session_id) as context:
        session = context.session()
        standings = context.entries(session=session)
        if entry is not None:
            session.entry(entry)
            standings = tuple(one for one in standings if one.entry.id == entry)
        if entry is not None:
            render.print_entry(run.output, session, standings[0])
        elif everything:
            render.print_states(run.output, session, standings)
        else:
            window = _window(run, context, session, tokens, fence=fence)
            if fence and not run.output.as_json:
                run.print_fenced(context.pieces(window, session=session))
            else:
                render.print_window(run.output, session, standings, window)


@takes(
    argument("entry", "ID", "An entry's id.", complete="context_entries"),
    flag("--as-added", "As it was added, whatever its source holds now."),
    LINES,
    GREP,
    FENCE,
    SESSION_ID,
    *SHARED,
)
def get(
    run: CommandContext,
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
    from hippocampus_cli.cli.render.context import completed_pieces, print_completed

    with _context(run, session_id) as context:
        session = context.session()
        done = context.get(entry, as_added=as_added, session=session)
    if lines or grep:
        text = excerpt(done.data.decode("utf-8", "replace"), lines, grep)
        done = done._replace(data=text.encode("utf-8", "replace"))
    if fence and not run.output.as_json:
        run.print_fenced(completed_pieces(done))
    else:
        print_completed(run.output, session, done)
    return 1 if done.origin == "summary" else 0


@takes(ENTRY_IDS, SESSION_ID, *SHARED)
def touch(
    run: CommandContext,
    entries: list[str],
    session_id: str | None,
) -> None:
    """Say that entries were used: they are at full strength again.

    Examples:
      hippo context touch ctx_003
    """
    with _context(run, session_id) as context:
        _print_changed(run, context, context.touch(*entries), entries)


@takes(ENTRY_IDS, SESSION_ID, *SHARED)
def link(
    run: CommandContext,
    entries: list[str],
    session_id: str | None,
) -> None:
    """Link entries with each other: beside a strong one an entry fades slower.

    Examples:
      hippo context link ctx_003 ctx_005
    """
    with _context(run, session_id) as context:
        _print_changed(run, context, context.link(*entries), entries)


@takes(
    ENTRY_IDS,
    option(
        "--priority",
        "Critical does not fade; normal unpins.",
        default="critical",
        choices=PRIORITIES,
    ),
    PERSIST,
    SESSION_ID,
    *SHARED,
)
def pin(
    run: CommandContext,
    entries: list[str],
    priority: ContextPriority,
    persist: bool | None,
    session_id: str | None,
) -> None:
    """Keep entries from fading, or give them another priority.

    Examples:
      hippo context pin ctx_003
      hippo context pin ctx_003 --priority normal
    """
    with _context(run, session_id) as context:
        changed = context.pin(*entries, priority=priority, persist=persist)
        _print_changed(run, context, changed, entries)


@takes(DRY_RUN, SESSION_ID, *SHARED)
def end(
    run: CommandContext,
    dry_run: bool,
    session_id: str | None,
) -> None:
    """End a session: what is to persist and is still strong goes to MEMORY.md and the index.

    The rest stays in .hippocampus/sessions, where `get` reads it, until it is archived.

    Examples:
      hippo context end --dry-run
      hippo context end
    """
    from hippocampus_cli.cli.render.context import print_ended

    with _context(run, session_id) as context:
        print_ended(run.output, context.end(dry_run=dry_run))


@contextmanager
def _context(run: CommandContext, session_id: str | None) -> Iterator[Context]:
    """The session of a command, from its options and the environment."""
    with run.open_as_is() as opened:
        yield _session_in(opened, run, session_id)


def _session_in(opened: Workspace, run: CommandContext, session_id: str | None) -> Context:
    return opened.context(session_id or run.environ.get("HIPPO_SESSION") or None, now=run.now)


def _window(
    run: CommandContext,
    context: Context,
    session: ContextSession,
    tokens: int | None,
    *,
    fence: bool,
) -> Window:
    """What goes into the window: within ``tokens`` as it is printed."""
    if run.output.as_json:
        return context.window(tokens, session=session)
    from hippocampus_cli.cli.render.context import fitting

    return fitting(lambda most: context.window(most, session=session), tokens, fence)


def _print_changed(
    run: CommandContext, context: Context, session: ContextSession, keys: Sequence[str]
) -> None:
    """The entries ``keys`` as they stand after a change."""
    from hippocampus_cli.cli.render.context import print_states

    standings = context.entries(session=session)
    print_states(run.output, session, [one for one in standings if one.entry.id in keys])


class _Given(NamedTuple):
    """Content that is to be added, and where it came from."""

    content: bytes
    source: str | None
    ref: str


def _given(
    workspace: Workspace, file: str, text: str | None, source: str | None, ref: str
) -> _Given:
    """What is to be added; a file of the workspace is a source that can be read again.

    Of what is too large one byte more than allowed is read. Raises :class:`FileUnreadable`.
    """
    if text is not None:
        return _Given(text.encode("utf-8", "surrogateescape"), source, ref)
    most = workspace.config.context.max_content_bytes + 1
    if file == "-":
        return _Given(sys.stdin.buffer.read(most), source, ref)
    path = Path(file).absolute()
    try:
        with path.open("rb") as stream:
            content = stream.read(most)
    except OSError as error:
        raise FileUnreadable(path=file, reason=error.strerror or str(error)) from error
    inside = workspace.path_of(path)
    if source is None and not ref and inside is not None:
        return _Given(content, "file", inside)
    return _Given(content, source, ref or path.name)


command = Group(
    HELP,
    (
        begin_,
        add,
        turn,
        show,
        get,
        touch,
        link,
        pin,
        end,
    ),
)
