"""``hippo status``."""

from __future__ import annotations

from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.parameters import SHARED, takes


@takes(*SHARED)
def command(session: CommandContext) -> None:
    """Show how the index and the notes stand, and what is due.

    Entries by strength, the size of the index against its budget, notes and what was passed over.

    Examples:
      hippo status
      hippo status --json
    """
    from hippocampus_cli.api import Workspace
    from hippocampus_cli.cli.render.output import document_of
    from hippocampus_cli.cli.render.status import print_status

    with Workspace(session.root(), session.config()) as opened:
        stock = opened.status(now=session.now)
    if session.output.as_json:
        session.output.json(document_of(stock))
    else:
        print_status(session.output, stock, session.now)
