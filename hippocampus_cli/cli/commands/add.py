"""``hippo add``."""

from __future__ import annotations

from typing import Any

from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import NEW_PRIORITY, PRIVATE, TAGS, argument, flag, option, takes
from hippocampus_cli.cli.output import cyan, dim, plain

INDEX = "HIPPOCAMPUS.md"


@takes(
    argument("topic", "TOPIC", "What somebody would look for.", required=True),
    option(
        "--to",
        'Where it is written: "TOOLS.md §Deploy"; repeatable.',
        metavar="POINTER",
        several=True,
        required=True,
    ),
    option("--summary", "One line about it.", metavar="LINE", default=""),
    TAGS,
    option("--rel", "A related entry; repeatable.", metavar="ID", several=True),
    NEW_PRIORITY,
    option("--id", "Its id; by default made from the topic.", metavar="ID"),
    option("--section", 'Where it stands: "By Topic/People".', metavar="PATH"),
    PRIVATE,
    flag("--force", "Even if pointers or relations do not resolve yet."),
)
def command(session: CommandContext, private: bool, **given: Any) -> None:
    """Write an entry by hand.

    The pointers have to lead somewhere inside the workspace (with --private, inside private-memory/). A manual entry
    fades half as fast as others.

    Examples:
      hippo add "Acme deployment" --to "TOOLS.md §Deploy"
      hippo add Grandmother --to USER.md --tag family --section "By Topic/People"
    """
    opened = session.open(private=private)
    added = opened.entries.add(**given)
    output = session.output
    output.notices(added.notices)
    index = f"{opened.root.name}/{INDEX}" if private else INDEX
    output.json({**plain(added), "path": index})
    output.line("added ", cyan(added.id), f" at {index}:{added.line}")
    output.line(dim(f"  → {' | '.join(added.pointers)}"))
