"""``hippo context``: the lifecycle of what is in an agent's window."""

from __future__ import annotations

import typer

from hippocampus_cli.cli import context_options as own
from hippocampus_cli.cli import options
from hippocampus_cli.cli.lifecycle import desk, given

app = typer.Typer(add_completion=False, no_args_is_help=True)


@app.callback()
def context() -> None:
    """Keep an agent's window lean: results fade by the turn, and can be fetched again.

    A session holds what was seen. A large result stands in the window as a summary with its key data, and what
    nobody uses leaves it. Nothing is lost: `get` gives every content back.

    Examples:
      hippo context begin
      npm test 2>&1 | hippo context add - --source error
      hippo context turn
      hippo context show --tokens 2000
    """


@app.command("begin")
def begin_(
    ctx: typer.Context,
    session_id: own.NewSessionId = None,
    workspace: options.Workspace = None,
    as_json: options.Json = False,
) -> None:
    """Begin a session, or take up the open one of this id.

    Examples:
      hippo context begin
      export HIPPO_SESSION=$(hippo context begin)
    """
    from hippocampus_cli.cli.render.context import print_begun

    at = desk(ctx, session_id, workspace, as_json)
    print_begun(at.output, *at.keeper.begin(session_id))


@app.command()
def add(
    ctx: typer.Context,
    file: own.File = "-",
    text: own.Text = None,
    kind: own.Kind = "tool_result",
    source: own.Source = None,
    ref: own.Ref = "",
    summary: own.Summary = None,
    priority: own.Priority = None,
    manual: own.Manual = False,
    persist: own.Persist = None,
    expires: own.Expires = None,
    link_to: own.Links = None,
    session_id: own.SessionId = None,
    workspace: options.Workspace = None,
    as_json: options.Json = False,
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

    at = desk(ctx, session_id, workspace, as_json)
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
    print_added(at.output, *at.keeper.add(at.key, what.content, wish, link_to or ()))


@app.command()
def turn(
    ctx: typer.Context,
    by: own.Turns = 1,
    session_id: own.SessionId = None,
    workspace: options.Workspace = None,
    as_json: options.Json = False,
) -> None:
    """Count a turn: strengths fall, and what is below the threshold leaves the window.

    Examples:
      hippo context turn
      hippo context turn --json
    """
    from hippocampus_cli.cli.render.context import print_turned

    at = desk(ctx, session_id, workspace, as_json)
    print_turned(at.output, at.keeper.turn(at.key, by), at.keeper.config.context.window_tokens)


@app.command()
def show(
    ctx: typer.Context,
    entry: own.OneEntry = None,
    tokens: own.WindowTokens = None,
    everything: own.Everything = False,
    as_yaml: own.AsYaml = False,
    fence: options.Fence = False,
    session_id: own.SessionId = None,
    workspace: options.Workspace = None,
    as_json: options.Json = False,
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

    at = desk(ctx, session_id, workspace, as_json)
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
        render.print_standings(at.output, session, standings)
    else:
        window = at.window(session, tokens, fence=fence)
        if fence and not at.output.as_json:
            at.print_fenced(pieces_of(session, window))
        else:
            print_window(at.output, session, standings, window)


@app.command()
def get(
    ctx: typer.Context,
    entry: own.EntryId,
    as_added: own.AsAdded = False,
    fence: options.Fence = False,
    session_id: own.SessionId = None,
    workspace: options.Workspace = None,
    as_json: options.Json = False,
) -> int:
    """Give an entry's whole content: from its source again, else from the store.

    Byte for byte into a pipe. A file of the workspace is read again, and the entry follows it when it has changed.
    This is an access: the entry is at full strength again.

    Examples:
      hippo context get ctx_003
      hippo context get ctx_003 --as-added | diff - src/app.py
    """
    from hippocampus_cli.cli.render.context import completed_pieces, print_completed

    at = desk(ctx, session_id, workspace, as_json)
    session = at.session()
    done = at.keeper.get(session, entry, as_added=as_added)
    if fence and not at.output.as_json:
        at.print_fenced(completed_pieces(done))
    else:
        print_completed(at.output, session, done)
    return 1 if done.origin == "summary" else 0


@app.command()
def touch(
    ctx: typer.Context,
    entries: own.EntryIds,
    session_id: own.SessionId = None,
    workspace: options.Workspace = None,
    as_json: options.Json = False,
) -> None:
    """Say that entries were used: they are at full strength again.

    Examples:
      hippo context touch ctx_003
    """
    from hippocampus_cli.cli.render.context import print_changed

    at = desk(ctx, session_id, workspace, as_json)
    print_changed(at.output, at.keeper, at.keeper.touch(at.key, entries), entries)


@app.command()
def link(
    ctx: typer.Context,
    entries: own.EntryIds,
    remove: own.Unlink = False,
    session_id: own.SessionId = None,
    workspace: options.Workspace = None,
    as_json: options.Json = False,
) -> None:
    """Link entries with each other: beside a strong one an entry fades slower.

    Examples:
      hippo context link ctx_003 ctx_005
      hippo context link --remove ctx_003 ctx_005
    """
    from hippocampus_cli.cli.render.context import print_changed

    at = desk(ctx, session_id, workspace, as_json)
    changed = at.keeper.link(at.key, entries, remove=remove)
    print_changed(at.output, at.keeper, changed, entries)


@app.command()
def pin(
    ctx: typer.Context,
    entries: own.EntryIds,
    priority: own.PinPriority = "critical",
    persist: own.Persist = None,
    session_id: own.SessionId = None,
    workspace: options.Workspace = None,
    as_json: options.Json = False,
) -> None:
    """Keep entries from fading, or give them another priority.

    Examples:
      hippo context pin ctx_003
      hippo context pin ctx_003 --priority normal
    """
    from hippocampus_cli.cli.render.context import print_changed

    at = desk(ctx, session_id, workspace, as_json)
    changed = at.keeper.pin(at.key, entries, priority, persist)
    print_changed(at.output, at.keeper, changed, entries)


@app.command()
def end(
    ctx: typer.Context,
    dry_run: options.DryRun = False,
    session_id: own.SessionId = None,
    workspace: options.Workspace = None,
    as_json: options.Json = False,
) -> None:
    """End a session: what is to persist and is still strong goes to MEMORY.md and the index.

    The rest stays in .hippocampus/sessions, where `get` reads it, until it is archived.

    Examples:
      hippo context end --dry-run
      hippo context end
    """
    from hippocampus_cli.api.context import end_session
    from hippocampus_cli.cli.render.context import print_ended

    at = desk(ctx, session_id, workspace, as_json)
    print_ended(at.output, end_session(at.keeper, at.key, dry_run=dry_run))
