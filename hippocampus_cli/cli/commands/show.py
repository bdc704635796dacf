"""``hippo show``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import ENTRY_ID, takes
from hippocampus_cli.cli.output import (
    BAND_STYLES,
    Output,
    Part,
    Styled,
    count,
    fit,
    label,
    safe_line,
    strength_bar,
)

if TYPE_CHECKING:
    from hippocampus_cli.api import EntryShown, Lead

_BROKEN = ("missing-file", "missing-section", "outside", "unreadable")


@takes(ENTRY_ID)
def command(session: CommandContext, *, entry: str) -> None:
    """Show one entry: its values, and what its pointers lead to.

    Strength is that of this moment; nothing is written, so looking does not count as a retrieval.

    Examples:
      hippo show acme-deploy
      hippo show acme-deploy --json
    """
    with session.open_as_is() as opened:
        session.show(opened.entries.show(entry, now=session.now), _print)


def _print(output: Output, shown: EntryShown) -> None:
    """The entry's values, then the target of each pointer."""
    output.quote(safe_line(shown.entry.topic), "bold")
    if shown.entry.summary:
        output.quote(safe_line(shown.entry.summary))
    output.line()
    for name, *parts in _rows(output, shown):
        output.beside(label(name, 10, 2), *parts)
    for lead in shown.leads:
        output.line()
        _print_lead(output, lead)


def _rows(output: Output, shown: EntryShown) -> Iterator[tuple[str, *tuple[Part, ...]]]:
    entry = shown.entry
    yield "id", Styled(safe_line(entry.id), "cyan")
    bar = f"{strength_bar(entry.strength)} " if output.terminal else ""
    strength = Styled(f"{bar}{entry.strength:.2f} {entry.band}", BAND_STYLES.get(entry.band, ""))
    yield "strength", strength, f", base {entry.base:.2f}, {count(entry.hits, 'hit')}"
    accessed = f", accessed {entry.accessed}" if entry.accessed else ""
    yield "created", f"{entry.created or 'unknown'}{accessed}"
    if entry.queued:
        yield "queued", str(entry.queued)
    if entry.archived:
        yield "archived", f"{entry.archived}, {safe_line(entry.why)}"
    if entry.stale:
        since = Styled(f"since {entry.stale}", "yellow")
        yield "stale", since, ": a target of its pointers is missing"
    if entry.tags:
        yield "tags", safe_line(", ".join(entry.tags))
    for number, (other, topic) in enumerate(shown.related.items()):
        remark = f"  {safe_line(topic or 'not in the index')}"
        yield "" if number else "related", safe_line(other), Styled(remark, "dim")
    origin = f", source {entry.src}" if entry.src else ""
    yield "priority", f"{entry.pri}{origin}" + (f", version {entry.ver}" if entry.ver > 1 else "")
    section = Styled(f"  {safe_line(' > '.join(entry.section))}".rstrip(), "dim")
    yield "location", f"{safe_line(entry.file)}:{entry.line}", section
    if entry.bare:
        yield "", Styled("a bullet without metadata; `hippo check --fix` gives it some", "yellow")


def _print_lead(output: Output, lead: Lead) -> None:
    """Where a pointer leads, and what stands there."""
    if lead.status in _BROKEN:
        output.beside("", Styled(f"→ {safe_line(lead.pointer)}", "red"), f"  {lead.remark}")
        return
    place = safe_line(lead.path if lead.start_line is None else f"{lead.path}:{lead.start_line}")
    section = f"  § {safe_line(lead.section)}" if lead.section else ""
    remark = Styled(f"  {safe_line(lead.remark)}" if lead.remark else "", "yellow")
    output.beside("→ ", Styled(place, "cyan"), remark, section)
    if not lead.text:
        return
    lines = lead.text.splitlines()
    text = "\n".join(lines[1:] if lead.section else lines).lstrip("\n")
    for line in text.split("\n"):
        output.quote(fit(line, output.quote_width) if output.terminal else line)
    more = (lead.end_line or 0) - (lead.start_line or 0) + 1 - len(lines)
    if more > 0:
        output.line(Styled(f"… {count(more, 'more line', 'more lines')}", "dim"))
