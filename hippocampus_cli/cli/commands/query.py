"""``hippo query``, as typer is told of it; `quick` understands its usual forms without typer."""

from __future__ import annotations

from typing import Annotated

import typer

from hippocampus_cli.cli import options
from hippocampus_cli.cli.asking import ask
from hippocampus_cli.cli.context import begin

Words = Annotated[
    list[str],
    typer.Argument(
        metavar="QUERY",
        help="What you want to know, in your own words; - reads it from standard input.",
    ),
]


def command(
    ctx: typer.Context,
    words: Words,
    mode: options.Mode = None,
    limit: options.Limit = None,
    tokens: options.TokenBudget = None,
    tag: options.Tags = None,
    kind: options.Kinds = None,
    path: options.Paths = None,
    since: options.Since = None,
    until: options.Until = None,
    pri: options.Priorities = None,
    no_write: options.NoWrite = False,
    explain: options.Explain = False,
    fence: options.Fence = False,
    workspace: options.Workspace = None,
    as_json: options.Json = False,
) -> int:
    """Ask for something: the answer, its file and line, and a few others.

    The index answers first and search of the text always speaks too. What was used is written back: the
    entry behind the answer grows stronger, and a confident find that the index did not know becomes an
    entry. Exit code 0: found. 1: nothing found.

    Days are read as people say them ("since March", "two weeks before the launch"). The words tag:NAME,
    path:GLOB, kind:KIND, since:DAY, after:DAY, until:DAY, before:DAY are conditions, as the options are.

    Examples:
      hippo query "deploy command"
      hippo query who do I call at Nordfjord --limit 3
      hippo query release tag:ship path:projects/ since:2026-05-01
      git log -1 --format=%B | hippo query -
      hippo query backup time --json --tokens 500 --no-write
    """
    return ask(
        begin(ctx, workspace=workspace, as_json=as_json),
        words,
        mode=mode,
        limit=limit,
        tokens=tokens,
        tag=tag,
        kind=kind,
        path=path,
        since=since,
        until=until,
        pri=pri,
        no_write=no_write,
        explain=explain,
        fence=fence,
    )
