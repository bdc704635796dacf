"""``hippo add``."""

from __future__ import annotations

from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import NEW_PRIORITY, SHARED, TAGS, argument, flag, option, takes
from hippocampus_cli.cli.render import Styled, safe_line


@takes(
    argument("topic", "TOPIC", "What somebody would look for."),
    option(
        "--to",
        'Where it is written: "TOOLS.md §Deploy"; repeatable.',
        metavar="POINTER",
        required=True,
        several=True,
    ),
    option("--summary", "One line about it.", metavar="LINE", default=""),
    TAGS,
    option(
        "--rel", "A related entry; repeatable.", metavar="ID", several=True, complete="entry_ids"
    ),
    NEW_PRIORITY,
    option("--id", "Its id; by default made from the topic.", name="entry", metavar="ID"),
    option("--section", 'Where it stands: "By Topic/People".', metavar="PATH"),
    flag("--force", "Even if pointers or relations do not resolve yet."),
    *SHARED,
)
def command(
    session: CommandContext,
    topic: str,
    to: list[str],
    summary: str,
    tag: list[str],
    rel: list[str],
    pri: str,
    entry: str | None,
    section: str | None,
    force: bool,
) -> None:
    """Write an entry by hand.

    The pointers have to lead somewhere inside the workspace. A manual entry fades half as fast as others.

    Examples:
      hippo add "Acme deployment" --to "TOOLS.md §Deploy"
      hippo add Grandmother --to USER.md --tag family --section "By Topic/People"
    """
    wish = {"summary": summary, "tags": tag, "rel": rel, "pri": pri}
    _add(session, topic, to, {**wish, "id": entry, "section": section, "force": force})


def _add(session: CommandContext, topic: str, to: list[str], wish: dict[str, object]) -> None:
    from hippocampus_cli.api.workspace import INDEX
    from hippocampus_cli.cli.render.output import document_of

    with session.open_as_is() as opened:
        added = opened.entries.add(topic, to, **wish, now=session.now)  # type: ignore[arg-type]
    session.print_notices(added.notices)
    if session.output.as_json:
        session.output.json(document_of(added, path=INDEX))
        return
    session.output.line("added ", Styled(safe_line(added.id), "cyan"), f" at {INDEX}:{added.line}")
    session.output.line(Styled(f"  → {safe_line(' | '.join(added.pointers))}", "dim"))
