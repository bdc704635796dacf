"""``hippo add``."""

from __future__ import annotations

from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import NEW_PRIORITY, TAGS, argument, option, takes
from hippocampus_cli.cli.output import cyan, dim, plain

INDEX = "HIPPOCAMPUS.md"


@takes(
    argument("topic", "TOPIC", "What somebody would look for."),
    option(
        "--to",
        'Where it is written: "TOOLS.md §Deploy"; repeatable.',
        metavar="POINTER",
        required=True,
    ),
    option("--summary", "One line about it.", metavar="LINE"),
    TAGS,
    option("--rel", "A related entry; repeatable.", metavar="ID", complete="entry_ids"),
    NEW_PRIORITY,
    option("--id", "Its id; by default made from the topic.", metavar="ID"),
    option("--section", 'Where it stands: "By Topic/People".', metavar="PATH"),
    option("--force", "Even if pointers or relations do not resolve yet."),
)
def command(
    session: CommandContext,
    *,
    topic: str,
    to: list[str],
    summary: str = "",
    tag: list[str],
    rel: list[str],
    pri: str = "normal",
    id: str | None,
    section: str | None,
    force: bool,
) -> None:
    """Write an entry by hand.

    The pointers have to lead somewhere inside the workspace. A manual entry fades half as fast as others.

    Examples:
      hippo add "Acme deployment" --to "TOOLS.md §Deploy"
      hippo add Grandmother --to USER.md --tag family --section "By Topic/People"
    """
    with session.open_as_is() as opened:
        added = opened.entries.add(
            topic,
            to,
            summary=summary,
            tags=tag,
            rel=rel,
            pri=pri,
            id=id,
            section=section,
            force=force,
        )
    output = session.output
    output.notices(added.notices)
    if output.as_json:
        output.json({**plain(added), "path": INDEX})
    output.line("added ", cyan(added.id), f" at {INDEX}:{added.line}")
    output.line(dim(f"  → {' | '.join(added.pointers)}"))
