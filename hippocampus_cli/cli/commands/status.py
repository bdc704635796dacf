"""``hippo status``."""

from __future__ import annotations

from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import SHARED, takes


@takes(*SHARED)
def command(session: CommandContext) -> None:
    """Show how the index and the notes stand, and what is due.

    Entries by strength, the size of the index against its budget, notes and what was not read.

    Examples:
      hippo status
      hippo status --json
    """
    from hippocampus_cli.cli.render.status import print_status

    with session.open_as_is() as opened:
        session.show(opened.status(now=session.now), print_status, session.now)
