"""``hippo related``."""

from __future__ import annotations

from pathlib import Path

from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import NUMBER, PATH, SHARED, argument, option, takes
from hippocampus_cli.cli.render import safe_line
from hippocampus_cli.errors import UsageError


@takes(
    argument("about", "ABOUT", "An entry's id, a note's path, or words.", required=False),
    option(
        "--depth -d", "How many edges away.", metavar="N", kind=NUMBER, default=2, low=1, high=3
    ),
    option("--limit -n", "Entries at most.", metavar="N", kind=NUMBER, default=10, low=1),
    option(
        "--export",
        "Write the whole graph: FILE.graphml (GraphML) or FILE.json.",
        metavar="FILE",
        kind=PATH,
    ),
    *SHARED,
)
def command(
    session: CommandContext, about: str | None, depth: int, limit: int, export: Path | None
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
    with session.open_as_is() as opened:
        if export is not None:
            graph = opened.entries.export_graph(export, now=session.now)
            nodes, edges = len(graph.entries), len(graph.edges)
            if session.output.as_json:
                session.output.json({"file": str(export), "nodes": nodes, "edges": edges})
            else:
                session.output.line(
                    f"wrote {safe_line(str(export))}: {nodes:,} entries, {edges:,} edges"
                )
            return 0
        found = opened.entries.related(about or "", depth=depth, now=session.now)
    from hippocampus_cli.cli.render.entries import print_related

    rows = found.related[:limit]
    if session.output.as_json:
        from hippocampus_cli.cli.render.output import document_of

        related = [document_of(one) for one in rows]
        session.output.json({"about": list(found.about), "related": related})
    else:
        print_related(session.output, rows)
    return 0 if rows else 1
