"""``hippo related``."""

from __future__ import annotations

from pathlib import Path

from hippocampus_cli import api
from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import argument, option, takes
from hippocampus_cli.cli.output import Part, cyan, dim
from hippocampus_cli.errors import UsageError


@takes(
    argument("about", "ABOUT", "An entry's id, a note's path, or words."),
    option("--depth -d", "How many edges away.", metavar="N", low=1, high=3),
    option("--limit -n", "Entries at most.", metavar="N", low=1),
    option(
        "--export", "Write the whole graph: FILE.graphml (GraphML) or FILE.json.", metavar="FILE"
    ),
)
def command(
    session: CommandContext,
    *,
    about: str | None,
    depth: int = 2,
    limit: int = 10,
    export: Path | None,
) -> int:
    """Show what is related to an entry, a note or words, and why.

    Entries are tied by their relations, links between their notes, questions of one sitting, the people they name,
    and rare tags they share. The graph is made from the index, the notes and the journal; nothing is kept.
    Exit code 1: nothing is related.

    Examples:
      hippo related acme-deploy
      hippo related "payment provider" --depth 1 --json
      hippo related --export graph.graphml
    """
    if (about is None) == (export is None):
        raise UsageError(reason="name what to relate, or a file to --export", advice="not both")
    output = session.output
    with session.open_as_is() as opened:
        if export is not None:
            graph = opened.entries.export_graph(export)
            nodes, edges = len(graph.entries), len(graph.edges)
            if output.as_json:
                output.json({"file": str(export), "nodes": nodes, "edges": edges})
            output.line(f"wrote {export!s}: {nodes:,} entries, {edges:,} edges")
            return 0
        found = opened.entries.related(about or "", depth=depth)
    related = found.related[:limit]
    if output.as_json:
        output.json({"about": found.about, "related": related})
    elif not related:
        output.note("nothing is related to it")
    else:
        output.table([_row(entry) for entry in related], cut=(1, 2, 3))
    return 0 if related else 1


def _row(entry: api.RelatedEntry) -> list[Part]:
    """Its strength, id and topic, and the edge that leads there, with its start where that is another entry."""
    via = f" via {entry.via}" if entry.depth > 1 else ""
    edge = f"{entry.kind} {entry.why}".rstrip() + via
    return [f"{entry.strength:.2f}", cyan(entry.entry), dim(edge), entry.topic]
