"""``hippo related``."""

from __future__ import annotations

from hippocampus_cli import api
from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import argument, option, takes
from hippocampus_cli.cli.output import Part, cyan, dim


@takes(
    argument("about", "ABOUT", "An entry's id, a note's path, or words."),
    option("--depth -d", "How many edges away.", low=1),
    option("--limit -n", "Entries at most.", low=1),
)
def command(
    session: CommandContext,
    *,
    about: str,
    depth: int = 2,
    limit: int = 10,
) -> int:
    """Show what is related to an entry, a note or words, and why.

    Entries are tied by their relations, links between their notes, and questions of one sitting, as the index, the
    notes and the journal have them now.
    Exit code 1: nothing is related.

    Examples:
      hippo related acme-deploy
      hippo related "payment provider" --depth 1 --json
    """
    output = session.output
    with session.open_as_is() as opened:
        found = opened.entries.related(about, depth=depth)
    related = found.related[:limit]
    if output.as_json:
        output.json({"about": found.about, "related": related})
    elif not related:
        output.note("nothing is related to it")
    else:
        output.table([_row(entry) for entry in related], cut=(2, 3))
    return 0 if related else 1


def _row(entry: api.RelatedEntry) -> list[Part]:
    """Its strength, id and topic, and the edge that leads there, with its start where that is another entry."""
    via = f" via {entry.via}" if entry.depth > 1 else ""
    edge = f"{entry.kind} {entry.why}".rstrip() + via
    return [f"{entry.strength:.2f}", cyan(entry.entry), dim(edge), entry.topic]
