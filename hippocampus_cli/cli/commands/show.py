"""``hippo show``."""

from __future__ import annotations

from collections.abc import Iterator

from hippocampus_cli import api
from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import ENTRY_ID, takes
from hippocampus_cli.cli.output import (
    Output,
    Part,
    Styled,
    count,
    cyan,
    dim,
    safe_line,
    yellow,
)

_BROKEN = ("missing-file", "missing-section", "outside", "unreadable")


@takes(ENTRY_ID)
def command(session: CommandContext, *, entry: str) -> None:
    """Show one entry: its values, and what its pointers lead to.

    Strength is that of this moment; nothing is written, so looking does not count as a retrieval.

    Examples:
      hippo show acme-deploy
      hippo show acme-deploy --json
    """
    shown = session.open().entries.show(entry)
    session.output.json(shown)
    _print(session.output, shown)


def _print(output: Output, shown: api.EntryShown) -> None:
    """The entry's values, then the target of each pointer."""
    output.quote(safe_line(shown.entry.topic), "bold")
    if shown.entry.summary:
        output.quote(safe_line(shown.entry.summary))
    output.line()
    output.facts(_rows(output, shown), 10, indent=2)
    for lead in shown.leads:
        output.line()
        _print_lead(output, lead)


def _rows(output: Output, shown: api.EntryShown) -> Iterator[tuple[str, *tuple[Part, ...]]]:
    entry = shown.entry
    yield "id", cyan(entry.id)
    strength = output.strength(entry.strength, entry.band)
    more = f" {entry.band}, base {entry.base:.2f}, {count(entry.hits, 'hit')}"
    yield "strength", strength, more
    accessed = f", accessed {entry.accessed}" if entry.accessed else ""
    yield "created", f"{entry.created or 'unknown'}{accessed}"
    yield "queued", str(entry.queued or "")
    yield "archived", f"{entry.archived}, {entry.why}" if entry.archived else ""
    if entry.stale:
        yield (
            "stale",
            yellow(f"since {entry.stale}"),
            f": a target of its pointers is missing (hippo check --drop {entry.id})",
        )
    yield "tags", ", ".join(entry.tags)
    for other, topic in shown.related.items():
        yield "related", other, dim(f"  {topic or 'not in the index'}")
    origin = f", source {entry.src}" if entry.src else ""
    version = f", version {entry.ver}" if entry.ver > 1 else ""
    yield "priority", f"{entry.pri}{origin}{version}"
    section = f"  {' > '.join(entry.section)}" if entry.section else ""
    yield "location", f"{entry.file}:{entry.line}", dim(section)
    if entry.bare:
        yield "", yellow("a bullet without metadata; `hippo check --fix` gives it some")


def _print_lead(output: Output, lead: api.Lead) -> None:
    """Where a pointer leads, and what stands there."""
    if lead.status in _BROKEN:
        output.line(Styled(f"→ {lead.pointer}", "red"), f"  {lead.remark}")
        return
    place = lead.path if lead.start_line is None else f"{lead.path}:{lead.start_line}"
    remark = f"  {lead.remark}" if lead.remark else ""
    section = f"  § {lead.section}" if lead.section else ""
    output.line("→ ", cyan(place), yellow(remark), section)
    if not lead.text:
        return
    lines = lead.text.splitlines()
    text = lines[1:] if lead.section else lines
    for line in "\n".join(text).lstrip("\n").split("\n"):
        output.quote_line(line)
