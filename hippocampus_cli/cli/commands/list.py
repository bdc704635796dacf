"""``hippo list``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hippocampus_cli import api
from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import BANDS, ENTRY_PRIORITIES, FILTERS, dated, flag, option, takes
from hippocampus_cli.cli.output import Output, Part, cyan, dim, yellow


@takes(
    *FILTERS,
    ENTRY_PRIORITIES,
    option(
        "--band -b",
        f"Only entries of this strength now ({', '.join(BANDS)}); repeatable.",
        name="bands",
        metavar="BAND",
        several=True,
        choices=BANDS,
    ),
    option(
        "--sort -s",
        "The strongest, most used or newest first; a to z; as filed.",
        default="strength",
        choices=("strength", "hits", "age", "topic", "file"),
    ),
    flag("--reverse -r", "The other way round."),
    option("--limit -n", "Entries at most.", low=1),
    flag("--archived", "Those of the archive (hippo restore ID)."),
)
def command(session: CommandContext, *, limit: int | None, **given: Any) -> int:
    """List entries: strength now, hits, id, topic, and where they lead.

    Not on a terminal the columns are separated by tabs; the sixth says stale: what it points at is gone.
    An entry whose note has no date is as old as the entry itself. Exit code 1: no matching entries.

    Examples:
      hippo list --sort hits --limit 20
      hippo list --tag deploy --band weak --band decaying
      hippo list --path "projects/*" --since 30d --json
    """
    matches = session.open().entries.list(**dated(given, session.now))
    output, entries = session.output, matches[:limit]
    output.json({"entries": entries, "total": len(matches)})
    print_entries(output, entries)
    if not matches:
        output.note("no matching entries")
    if output.terminal and len(entries) < len(matches):
        output.line(dim(f"{len(entries)} of {len(matches)} entries"))
    return 0 if matches else 1


def print_entries(output: Output, entries: Sequence[api.EntryState]) -> None:
    """A line an entry."""
    heads = ("strength", "hits", "id", "topic", "pointer", "")
    output.table([_row(output, entry) for entry in entries], heads, cut=(3, 4))


def _row(output: Output, entry: api.EntryState) -> list[Part]:
    """Its strength, hits, id, topic, first pointer, and whether it is stale."""
    pointer = entry.pointers[0] if entry.pointers else ""
    return [
        output.strength(entry.strength, entry.band),
        str(entry.hits),
        cyan(entry.id),
        entry.topic,
        dim(pointer),
        yellow("stale" if entry.stale else ""),
    ]
