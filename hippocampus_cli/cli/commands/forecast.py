"""``hippo forecast``."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer

from hippocampus_cli.cli import complete, options
from hippocampus_cli.cli.choices import BANDS, chosen
from hippocampus_cli.cli.context import begin

TARGETS = (*BANDS[1:], "archive")

_Entries = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="ID",
        help="Entry ids; without any, all entries.",
        autocompletion=complete.entry_ids,
        show_default=False,
    ),
]
_Days = Annotated[
    int, typer.Option("--days", "-d", metavar="N", min=1, max=36_500, help="How far to look.")
]
_To = Annotated[
    list[str] | None,
    typer.Option(
        "--to",
        metavar="BAND",
        help=f"Only what falls to there ({', '.join(TARGETS)}); repeatable.",
        autocompletion=complete.one_of(TARGETS),
    ),
]
_Limit = Annotated[
    int | None,
    typer.Option(
        "--limit",
        "-n",
        metavar="N",
        min=1,
        help="Events at most; on a terminal lines, by default 20.",
        show_default=False,
    ),
]


def command(
    ctx: typer.Context,
    entries: _Entries = None,
    days: _Days = 90,
    to: _To = None,
    limit: _Limit = None,
    workspace: options.Workspace = None,
    as_json: options.Json = False,
) -> None:
    """Forecast which entries fade below which bound when, if nobody asks for them.

    Draws the curves of the entries that are named, else how all of them move through the bands. Not on a
    terminal: figures and events, separated by tabs. Nothing is written.

    Examples:
      hippo forecast
      hippo forecast --days 365 --to silent --to archive
      hippo forecast acme-deploy grace --days 30
      hippo forecast --json
    """
    from hippocampus_cli.api import Workspace
    from hippocampus_cli.cli.render.forecast import print_forecast, steps_for
    from hippocampus_cli.cli.render.output import document_of

    session = begin(ctx, workspace=workspace, as_json=as_json)
    output = session.output
    wanted = chosen(to, TARGETS, "--to") or TARGETS
    with Workspace(session.root(), session.config()) as opened:
        found = opened.forecast(*entries or (), days=days, steps=steps_for(output), now=session.now)
    events = tuple(one for one in found.events if one.after in wanted)
    if output.as_json:
        shown = replace(found, events=events[:limit])
        output.json(document_of(shown, total=len(events)))
    else:
        print_forecast(output, replace(found, events=events), limit)
