"""``hippo pin`` and ``hippo unpin``."""

from __future__ import annotations

from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import ENTRY_IDS, SHARED, takes
from hippocampus_cli.cli.render.entries import print_pinned


@takes(ENTRY_IDS, *SHARED)
def command(session: CommandContext, entries: list[str]) -> None:
    """Keep entries from fading: priority amygdala.

    Examples:
      hippo pin acme-deploy
      hippo pin acme-deploy railway-services
    """
    with session.open_as_is() as opened:
        print_pinned(session.output, opened.entries.pin(*entries))


@takes(ENTRY_IDS, *SHARED)
def unpin(session: CommandContext, entries: list[str]) -> None:
    """Let entries fade again: priority normal.

    Examples:
      hippo unpin acme-deploy
    """
    with session.open_as_is() as opened:
        print_pinned(session.output, opened.entries.unpin(*entries))
