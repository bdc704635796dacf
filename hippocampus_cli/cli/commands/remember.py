"""``hippo remember``."""

from __future__ import annotations

from typing import Annotated

import typer

from hippocampus_cli.cli import options
from hippocampus_cli.cli.context import Session, begin
from hippocampus_cli.cli.render import Styled, safe_line
from hippocampus_cli.cli.stdin import text_of


def command(
    ctx: typer.Context,
    words: Annotated[
        list[str],
        typer.Argument(metavar="TEXT", help="What to remember; - reads it from standard input."),
    ],
    title: Annotated[
        str | None,
        typer.Option(
            "--title",
            metavar="LINE",
            help="Its heading; by default the first words.",
            show_default=False,
        ),
    ] = None,
    tag: options.Tags = None,
    pri: options.NewPriority = "normal",
    workspace: options.Workspace = None,
    as_json: options.Json = False,
) -> None:
    """Remember something: it goes into today's log and into the index.

    The text is kept word for word as a section of its own; what would not read as the text of one section
    is quoted. A text that starts with - goes after --.

    Examples:
      hippo remember "The staging database moved to port 5433" --tag database
      hippo remember --pri amygdala "Never deploy on a Friday"
      hippo remember --tag shopping -- "- milk and eggs"
      git log -1 | hippo remember - --title "Last commit"
    """
    session = begin(ctx, workspace=workspace, as_json=as_json)
    text = text_of(words)
    _remember(session, text, title, tag or [], pri)


def _remember(session: Session, text: str, title: str | None, tags: list[str], pri: str) -> None:
    from hippocampus_cli.cli.render.output import document_of

    with session.open() as opened:
        done = opened.remember(text, title=title, tags=tags, pri=pri, now=session.now)
    output = session.output
    for notice in done.notices:
        output.note(f"hippo: {safe_line(notice)}")
    if output.as_json:
        output.json(document_of(done))
        return
    place = Styled(f"{safe_line(done.path)}:{done.start_line}", "cyan")
    output.line("remembered in ", place, f"  § {safe_line(done.section)}")
    if done.entry is not None:
        output.line(Styled(f"  entry {safe_line(done.entry)}", "dim"))
