"""``hippo query``."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from hippocampus_cli.cli import options
from hippocampus_cli.cli.context import Session, begin
from hippocampus_cli.cli.dates import day


def command(
    ctx: typer.Context,
    words: Annotated[
        list[str],
        typer.Argument(metavar="QUERY", help="What you want to know, in your own words."),
    ],
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
      hippo query "launch date" --since 2026-05-01 --type daily
      hippo query release tag:ship path:projects/ since:2026-05-01
      hippo query backup time --json --tokens 500 --no-write
    """
    session = begin(ctx, workspace=workspace, as_json=as_json)
    conditions = {
        "mode": mode,
        "limit": limit,
        "tokens": tokens,
        "tags": tag or (),
        "kinds": options.chosen(kind, options.KINDS, "--type"),
        "paths": path or (),
        "priorities": options.chosen(pri, options.PRIORITIES, "--pri"),
        "since": day(since, "--since", session.now),
        "until": day(until, "--until", session.now),
    }
    return _ask(session, " ".join(words), conditions, write=not no_write, explain=explain)


def _ask(
    session: Session, text: str, conditions: dict[str, Any], *, write: bool, explain: bool
) -> int:
    from hippocampus_cli.api import Workspace
    from hippocampus_cli.cli.render.answer import as_document, print_answer

    with (
        session.output.progress("reading notes") as advance,
        Workspace(session.root(), session.config(), advance) as opened,
    ):
        result = opened.query(text, **conditions, write=write, now=session.now)
    if session.output.as_json:
        session.output.json(as_document(result, explain=explain))
    else:
        print_answer(session.output, result, explain=explain, filters=_filters(conditions))
    return 0 if result.results else 1


def _filters(conditions: dict[str, Any]) -> str:
    """The conditions on entries and notes, as options."""
    names = {"tags": "--tag", "kinds": "--type", "paths": "--path", "priorities": "--pri"}
    several = [f"{names[key]} {value}" for key in names for value in conditions[key]]
    days = [f"--{key} {conditions[key]}" for key in ("since", "until") if conditions[key]]
    return " ".join([*several, *days])
