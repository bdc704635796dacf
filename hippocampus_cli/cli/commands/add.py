"""``hippo add``."""

from __future__ import annotations

from typing import Annotated

import typer

from hippocampus_cli.cli import options
from hippocampus_cli.cli.context import Session, begin
from hippocampus_cli.cli.render import Styled, safe_line


def command(
    ctx: typer.Context,
    topic: Annotated[str, typer.Argument(metavar="TOPIC", help="What somebody would look for.")],
    to: Annotated[
        list[str],
        typer.Option(
            "--to", metavar="POINTER", help='Where it is written: "TOOLS.md §Deploy"; repeatable.'
        ),
    ],
    summary: Annotated[
        str, typer.Option("--summary", metavar="LINE", help="One line about it.")
    ] = "",
    tag: options.Tags = None,
    rel: options.Relations = None,
    pri: options.NewPriority = "normal",
    entry: Annotated[
        str | None,
        typer.Option(
            "--id", metavar="ID", help="Its id; by default made from the topic.", show_default=False
        ),
    ] = None,
    section: Annotated[
        str | None,
        typer.Option(
            "--section",
            metavar="PATH",
            help='Where it stands: "By Topic/People".',
            show_default=False,
        ),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Even if pointers or relations lead nowhere yet.")
    ] = False,
    workspace: options.Workspace = None,
    as_json: options.Json = False,
) -> None:
    """Write an entry by hand.

    The pointers have to lead somewhere inside the workspace. A manual entry fades half as fast as others.

    Examples:
      hippo add "Acme deployment" --to "TOOLS.md §Deploy"
      hippo add Grandmother --to USER.md --tag family --section "By Topic/People"
    """
    session = begin(ctx, workspace=workspace, as_json=as_json)
    wish = {"summary": summary, "tags": tag or (), "rel": rel or (), "pri": pri}
    _add(session, topic, to, {**wish, "id": entry, "section": section, "force": force})


def _add(session: Session, topic: str, to: list[str], wish: dict[str, object]) -> None:
    from hippocampus_cli.api import Workspace
    from hippocampus_cli.cli.render.output import document_of
    from hippocampus_cli.workspace.own_files import INDEX

    with Workspace(session.root(), session.config()) as opened:
        added = opened.add(topic, to, **wish, now=session.now)  # type: ignore[arg-type]
    for notice in added.notices:
        session.output.note(f"hippo: {notice}")
    if session.output.as_json:
        session.output.json(document_of(added, path=INDEX))
        return
    session.output.line("added ", Styled(safe_line(added.id), "cyan"), f" at {INDEX}:{added.line}")
    session.output.line(Styled(f"  → {safe_line(' | '.join(added.pointers))}", "dim"))
