"""``hippo tag``."""

from __future__ import annotations

from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import ENTRY_ID, PRIORITIES, argument, option, takes


@takes(
    ENTRY_ID,
    argument("words", "WORD", "Tags to add.", required=False),
    option("--remove -r", "A tag to remove; repeatable.", metavar="WORD"),
    option("--pri", "Never fades (amygdala), fades, or fades twice as fast.", choices=PRIORITIES),
)
def command(
    session: CommandContext, *, entry: str, words: list[str], remove: list[str], pri: str | None
) -> None:
    """Add tags to an entry, remove some, or change its priority.

    Without more it shows them.

    Examples:
      hippo tag acme-deploy vercel production
      hippo tag acme-deploy --remove staging
      hippo tag acme-deploy --pri amygdala
    """
    entries = session.open().entries
    session.output.document(entries.tag(entry, add=words, remove=remove, priority=pri))
