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

    Without more it shows them. A word may be written +word to add it. After -- a word written -word is removed.

    Examples:
      hippo tag acme-deploy vercel production
      hippo tag acme-deploy --remove staging
      hippo tag acme-deploy --pri amygdala
    """
    add = [word.removeprefix("+") for word in words if not word.startswith("-")]
    gone = [word[1:] for word in words if word.startswith("-")]
    tagged = session.open_as_is().entries.tag(entry, add=add, remove=[*remove, *gone], priority=pri)
    session.output.document(tagged)
