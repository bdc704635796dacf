"""``hippo restore``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from hippocampus_cli.cli import complete, options
from hippocampus_cli.cli.context import begin
from hippocampus_cli.cli.render import Output, Styled, safe_line

if TYPE_CHECKING:
    from hippocampus_cli.maintenance.restoring import Restored


def command(
    ctx: typer.Context,
    entries: Annotated[
        list[str],
        typer.Argument(
            metavar="ID",
            help="Ids of entries in the queue or the archive.",
            autocompletion=complete.resting_ids,
        ),
    ],
    workspace: options.Workspace = None,
    as_json: options.Json = False,
) -> None:
    """Bring entries back from the Decay Queue or the archive.

    They return to the section they came from, as strong as new ones. An entry that was merged into another
    becomes an entry of its own again.

    Examples:
      hippo restore old-office-wifi
    """
    from hippocampus_cli.api import Workspace
    from hippocampus_cli.cli.render.documents import document_of

    session = begin(ctx, workspace=workspace, as_json=as_json)
    with Workspace(session.root(), session.config()) as opened:
        restored = opened.restore(*entries, now=session.now)
    if session.output.as_json:
        session.output.json({"restored": [document_of(one) for one in restored]})
    else:
        for one in restored:
            _print(session.output, one)


def _print(output: Output, one: Restored) -> None:
    where = " > ".join(one.section) or "the index"
    if one.origin == "index":
        output.line(
            Styled(safe_line(one.id), "cyan"), f"  is in the index, under {safe_line(where)}"
        )
        return
    origin = "the Decay Queue" if one.origin == "queue" else "the archive"
    output.line(
        Styled(safe_line(one.id), "cyan"),
        f"  back from {origin}, under {safe_line(where)}",
        Styled(f"  strength {one.strength:.2f}", "dim"),
    )
