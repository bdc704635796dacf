"""``hippo context``: the lifecycle of what is in an agent's window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.lifecycle import desk, given
from hippocampus_cli.cli.parameters import (
    DRY_RUN,
    FENCE,
    NUMBER,
    SHARED,
    Group,
    argument,
    flag,
    option,
    takes,
)

if TYPE_CHECKING:
    from hippocampus_cli.context.lifecycle.session import EntryType, Priority

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

    at = desk(run, session_id)
    print_begun(at.output, *at.keeper.begin(session_id))


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
    priority: Priority | None,
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
    from hippocampus_cli.context.lifecycle.ingest import AddRequest

    at = desk(run, session_id)
    what = given(at.keeper, file, text, source, ref)
    wish = AddRequest(
        type=kind,
        source=what.source,
        ref=what.ref,
        summary=summary,
        priority=priority,
        encoding="manual" if manual else "auto",
        persist=persist,
        expires_after=expires,
    )
    print_added(at.output, *at.keeper.add(at.key, what.content, wish, link_to))


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

    at = desk(run, session_id)
    print_turned(at.output, at.keeper.turn(at.key, by), at.keeper.config.context.window_tokens)


@takes(
    argument(
        "entry", "ID", "One entry, with every field.", required=False, complete="context_entries"
    ),
    option("--tokens", "A budget for the window.", metavar="N", kind=NUMBER, low=0),
    flag("--all -a", "Every entry, dormant ones too, a line each.", name="everything"),
    flag("--yaml", "The entries as YAML.", name="as_yaml"),
    FENCE,
    SESSION_ID,
    *SHARED,
)
def show(
    run: CommandContext,
    entry: str | None,
    tokens: int | None,
    everything: bool,
    as_yaml: bool,
    fence: bool,
    session_id: str | None,
) -> None:
    """Show what goes into the window now, within a budget; or one entry, or all.

    Examples:
      hippo context show --tokens 2000
      hippo context show --all
      hippo context show ctx_003 --yaml
      hippo context show --fence
    """
    from hippocampus_cli.cli.render import context as render
    from hippocampus_cli.cli.render.context import print_window
    from hippocampus_cli.context.lifecycle.window import pieces_of

    at = desk(run, session_id)
    session = at.session()
    standings = at.keeper.standings(session)
    if entry is not None:
        session.entry(entry)
        standings = tuple(one for one in standings if one.entry.id == entry)
    if as_yaml:
        render.print_yaml(at.output, standings, single=entry is not None)
    elif entry is not None:
        render.print_entry(at.output, session, standings[0])
    elif everything:
        render.print_states(at.output, session, standings)
    else:
        window = at.window(session, tokens, fence=fence)
        if fence and not at.output.as_json:
            at.print_fenced(pieces_of(session, window))
        else:
            print_window(at.output, session, standings, window)


@takes(
    argument("entry", "ID", "An entry's id.", complete="context_entries"),
    flag("--as-added", "As it was added, whatever its source holds now."),
    FENCE,
    SESSION_ID,
    *SHARED,
)
def get(
    run: CommandContext, entry: str, as_added: bool, fence: bool, session_id: str | None
) -> int:
    """Give an entry's whole content: from its source again, else from the store.

    Byte for byte into a pipe. A file of the workspace is read again, and the entry follows it when it has changed.
    This is an access: the entry is at full strength again.

    Examples:
      hippo context get ctx_003
      hippo context get ctx_003 --as-added | diff - src/app.py
    """
    from hippocampus_cli.cli.render.context import completed_pieces, print_completed

    at = desk(run, session_id)
    session = at.session()
    done = at.keeper.get(session, entry, as_added=as_added)
    if fence and not at.output.as_json:
        at.print_fenced(completed_pieces(done))
    else:
        print_completed(at.output, session, done)
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
    from hippocampus_cli.cli.render.context import print_changed

    at = desk(run, session_id)
    print_changed(at.output, at.keeper, at.keeper.touch(at.key, entries), entries)


@takes(ENTRY_IDS, flag("--remove -r", "Take the links away."), SESSION_ID, *SHARED)
def link(
    run: CommandContext,
    entries: list[str],
    remove: bool,
    session_id: str | None,
) -> None:
    """Link entries with each other: beside a strong one an entry fades slower.

    Examples:
      hippo context link ctx_003 ctx_005
      hippo context link --remove ctx_003 ctx_005
    """
    from hippocampus_cli.cli.render.context import print_changed

    at = desk(run, session_id)
    changed = at.keeper.link(at.key, entries, remove=remove)
    print_changed(at.output, at.keeper, changed, entries)


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
    priority: Priority,
    persist: bool | None,
    session_id: str | None,
) -> None:
    """Keep entries from fading, or give them another priority.

    Examples:
      hippo context pin ctx_003
      hippo context pin ctx_003 --priority normal
    """
    from hippocampus_cli.cli.render.context import print_changed

    at = desk(run, session_id)
    changed = at.keeper.pin(at.key, entries, priority, persist)
    print_changed(at.output, at.keeper, changed, entries)


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
    from hippocampus_cli.api.context import end_session
    from hippocampus_cli.cli.render.context import print_ended

    at = desk(run, session_id)
    print_ended(at.output, end_session(at.keeper, at.key, dry_run=dry_run))


group = Group(
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
