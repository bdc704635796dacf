"""``hippo show``."""

from __future__ import annotations

from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import ENTRY_ID, SHARED, takes


@takes(ENTRY_ID, *SHARED)
def command(session: CommandContext, entry: str) -> None:
    """Show one entry: its values, and what its pointers lead to.

    Strength is that of this moment; nothing is written, so looking does not count as a retrieval.

    Examples:
      hippo show acme-deploy
      hippo show acme-deploy --json
    """
    from hippocampus_cli.cli.render.entries import print_card

    with session.open_as_is() as opened:
        session.show(opened.entries.show(entry, now=session.now), print_card)
