"""``hippo list``."""

from __future__ import annotations

from typing import Any

from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import (
    ENTRY_PRIORITIES,
    NOTE_KINDS,
    NOTE_PATHS,
    NUMBER,
    SHARED,
    SINCE,
    TAGS,
    UNTIL,
    flag,
    option,
    takes,
)
from hippocampus_cli.cli.render import Styled
from hippocampus_cli.cli.values import BANDS, KINDS, PRIORITIES, chosen, day, paths_of, tags_of


@takes(
    TAGS,
    NOTE_KINDS,
    NOTE_PATHS,
    SINCE,
    UNTIL,
    ENTRY_PRIORITIES,
    option(
        "--band -b",
        f"Only entries of this strength now ({', '.join(BANDS)}); repeatable.",
        metavar="BAND",
        several=True,
        offers=BANDS,
    ),
    option(
        "--sort -s",
        "The strongest, most used or newest first; a to z; as filed.",
        default="strength",
        choices=("strength", "hits", "age", "topic", "file"),
    ),
    flag("--reverse -r", "The other way round."),
    option("--limit -n", "Entries at most.", metavar="N", kind=NUMBER, low=1),
    flag("--archived", "Those of the archive (hippo restore ID)."),
    *SHARED,
)
def command(
    session: CommandContext,
    tag: list[str],
    kind: list[str],
    path: list[str],
    since: str | None,
    until: str | None,
    pri: list[str],
    band: list[str],
    sort: str,
    reverse: bool,
    limit: int | None,
    archived: bool,
) -> int:
    """List entries: strength now, hits, id, topic, and where they lead.

    Not on a terminal the columns are separated by tabs; a sixth says stale: what it points at is gone.
    An entry whose note has no date is as old as the entry itself. Exit code 1: no matching entries.

    Examples:
      hippo list --sort hits --limit 20
      hippo list --tag deploy --band weak --band decaying
      hippo list --path "projects/*" --since 30d --json
    """
    conditions = {
        "tags": tags_of(tag),
        "kinds": chosen(kind, KINDS, "--type"),
        "paths": paths_of(path),
        "priorities": chosen(pri, PRIORITIES, "--pri"),
        "bands": chosen(band, BANDS, "--band"),
        "since": day(since, "--since", session.now),
        "until": day(until, "--until", session.now),
        "archived": archived,
    }
    return _list(session, conditions, sort, reverse, limit)


def _list(
    session: CommandContext, conditions: dict[str, Any], sort: str, reverse: bool, limit: int | None
) -> int:
    from hippocampus_cli.cli.render.entries import print_entries
    from hippocampus_cli.cli.render.output import document_of

    with session.open_as_is() as opened:
        found = opened.entries.list(**conditions, sort=sort, reverse=reverse, now=session.now)
    states = found[:limit]
    output = session.output
    if output.as_json:
        output.json({"entries": [document_of(one) for one in states], "total": len(found)})
    elif not found:
        output.note("no matching entries")
    else:
        print_entries(output, states)
        if output.terminal and len(states) < len(found):
            output.line(Styled(f"{len(states)} of {len(found)} entries", "dim"))
    return 0 if found else 1
