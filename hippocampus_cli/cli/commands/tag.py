"""``hippo tag``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from hippocampus_cli.cli import complete, options
from hippocampus_cli.cli.context import begin
from hippocampus_cli.cli.render import Output, Styled, safe_line

if TYPE_CHECKING:
    from hippocampus_cli.entries.tag import Tagged


def command(
    ctx: typer.Context,
    entry: options.EntryId,
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="WORD",
            help="Tags to add.",
            autocompletion=complete.tags,
            show_default=False,
        ),
    ] = None,
    remove: Annotated[
        list[str] | None,
        typer.Option(
            "--remove",
            "-r",
            metavar="WORD",
            help="A tag to remove; repeatable.",
            autocompletion=complete.tags,
        ),
    ] = None,
    workspace: options.Workspace = None,
    as_json: options.Json = False,
) -> None:
    """Add tags to an entry, remove some, or show them.

    A word may be written +word to add it. After -- a word written -word is removed.

    Examples:
      hippo tag acme-deploy vercel production
      hippo tag acme-deploy --remove staging
      hippo tag acme-deploy -- +vercel -staging
    """
    from hippocampus_cli.api import Workspace
    from hippocampus_cli.cli.render.output import document_of

    session = begin(ctx, workspace=workspace, as_json=as_json)
    given = words or []
    add = [word.removeprefix("+") for word in given if not word.startswith("-")]
    gone = [word[1:] for word in given if word.startswith("-")]
    with Workspace(session.root(), session.config()) as opened:
        tagged = opened.tag(entry, add=add, remove=[*(remove or ()), *gone])
    if session.output.as_json:
        session.output.json(document_of(tagged))
    else:
        _print(session.output, tagged)


def _print(output: Output, tagged: Tagged) -> None:
    tags = safe_line(", ".join(tagged.tags)) or "no tags"
    output.line(Styled(safe_line(tagged.id), "cyan"), f"  {tags}")
    parts = [f"+{tag}" for tag in tagged.added] + [f"-{tag}" for tag in tagged.removed]
    parts += [f"{tag}: no change" for tag in tagged.idle]
    if parts:
        output.line(Styled(f"  {safe_line(', '.join(parts))}", "dim"))
