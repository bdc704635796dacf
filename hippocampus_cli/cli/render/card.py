"""One entry with all that belongs to it, for a person to read."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from hippocampus_cli.cli.render.columns import count, fit, print_beside
from hippocampus_cli.cli.render.output import Output, Styled
from hippocampus_cli.cli.render.safe import safe_line
from hippocampus_cli.cli.render.strength import BAND_STYLES, strength_bar
from hippocampus_cli.curation.following import Lead
from hippocampus_cli.curation.showing import Shown
from hippocampus_cli.curation.state import EntryState
from hippocampus_cli.markdown.lines import chomp, split_lines

_LABEL = 10
_BROKEN = frozenset(("missing-file", "missing-section", "outside", "unreadable"))


def print_card(output: Output, shown: Shown) -> None:
    """The entry's values, then what each pointer leads to."""
    entry = shown.entry
    _quote(output, entry.topic, "bold")
    if entry.summary:
        _quote(output, entry.summary)
    output.line()
    for label, *parts in _rows(output, shown):
        print_beside(output, Styled(f"  {label:<{_LABEL}}", "dim"), *parts)
    for lead in shown.leads:
        output.line()
        _print_lead(output, lead)


def _quote(output: Output, text: str, style: str = "") -> None:
    """A text on one line, or broken at spaces where that is too long for a narrow screen."""
    line = safe_line(text)
    for one in wrap(line, output.quote_width) if output.narrow else [line]:
        output.quote(one, style)


def _rows(output: Output, shown: Shown) -> Iterator[tuple[str | Styled, ...]]:
    entry = shown.entry
    yield "id", Styled(safe_line(entry.id), "cyan")
    yield "strength", *_strength(output, entry)
    accessed = f", accessed {entry.accessed}" if entry.accessed else ""
    yield "created", f"{entry.created or 'unknown'}{accessed}"
    if entry.queued:
        yield "queued", str(entry.queued)
    if entry.archived:
        yield "archived", f"{entry.archived}, {safe_line(entry.why)}"
    if entry.stale:
        yield "stale", Styled(f"since {entry.stale}", "yellow"), ": something it points at is gone"
    if entry.tags:
        yield "tags", safe_line(", ".join(entry.tags))
    for number, (other, topic) in enumerate(shown.related.items()):
        remark = f"  {safe_line(topic)}" if topic else "  not in the index"
        yield "" if number else "related", safe_line(other), Styled(remark, "dim")
    origin = f", source {entry.src}" if entry.src else ""
    yield "priority", f"{entry.pri}{origin}" + (f", version {entry.ver}" if entry.ver > 1 else "")
    section = safe_line(" > ".join(entry.section))
    yield (
        "stands at",
        f"{safe_line(entry.file)}:{entry.line}",
        Styled(f"  {section}" if section else "", "dim"),
    )
    if entry.bare:
        yield "", Styled("a bullet without metadata; `hippo adopt` gives it some", "yellow")


def _strength(output: Output, entry: EntryState) -> Iterator[str | Styled]:
    style = BAND_STYLES.get(entry.band, "")
    if output.terminal:
        yield Styled(f"{strength_bar(entry.strength)} ", style)
    yield Styled(f"{entry.strength:.2f} {entry.band}", style)
    yield f", base {entry.base:.2f}, {entry.hits} {'hit' if entry.hits == 1 else 'hits'}"


def _print_lead(output: Output, lead: Lead) -> None:
    broken = lead.status in _BROKEN
    place = safe_line(lead.path if lead.start_line is None else f"{lead.path}:{lead.start_line}")
    section = f"  § {safe_line(lead.section)}" if lead.section else ""
    if broken:
        print_beside(output, "", Styled(f"→ {safe_line(lead.pointer)}", "red"), f"  {lead.remark}")
        return
    remark = Styled(f"  {safe_line(lead.remark)}" if lead.remark else "", "yellow")
    print_beside(output, "→ ", Styled(place, "cyan"), remark, section)
    if not lead.text:
        return
    lines = [chomp(line) for line in split_lines(lead.text)]
    shown = lines[1:] if lead.section else lines
    while shown and not shown[0].strip():
        shown = shown[1:]
    for line in shown:
        output.quote(fit(line, output.quote_width) if output.terminal else line)
    more = (lead.end_line or 0) - (lead.start_line or 0) + 1 - len(lines)
    if more > 0:
        output.line(Styled(f"… {count(more, 'more line', 'more lines')}", "dim"))
