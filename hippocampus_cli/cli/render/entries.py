"""Entries: one line each, one in full, and what pinning did. Columns on a terminal, tab-separated elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING

from hippocampus_cli.cli.render.layout import (
    BAND_STYLES,
    column_widths,
    columns_of,
    count,
    fit,
    label,
    padded,
    print_beside,
    print_tabs,
    strength_bar,
)
from hippocampus_cli.cli.render.output import Output, Styled
from hippocampus_cli.entries.check import Lead
from hippocampus_cli.entries.select import EntryState, Shown
from hippocampus_cli.markdown.lines import chomp, split_lines
from hippocampus_cli.markdown.safe import safe_line

if TYPE_CHECKING:
    from hippocampus_cli.entries.brief import Brief
    from hippocampus_cli.entries.graph import RelatedEntry
    from hippocampus_cli.workspace.fence import Piece


_LABEL = 10
_TOPIC = 24  # columns below which a topic is left out
_BROKEN = frozenset(("missing-file", "missing-section", "outside", "unreadable"))


def print_brief(output: Output, brief: Brief) -> None:
    """The text as it stands, each line no wider than the terminal."""
    for line in brief.text.splitlines():
        output.line(line if not output.terminal else fit(line, output.width))


def fenced_brief(brief: Brief) -> list[Piece]:
    """The same for an agent."""
    from hippocampus_cli.entries.brief import HEAD
    from hippocampus_cli.workspace.fence import Piece

    return [Piece(HEAD, brief.text.rstrip())]


def fenced_entry(shown: Shown) -> list[Piece]:
    """An entry for an agent: its id and strength, and what it says."""
    from hippocampus_cli.workspace.fence import Piece

    entry = shown.entry
    leads = [f"→ {lead.pointer}" for lead in shown.leads]
    text = "\n".join(filter(None, (entry.topic, entry.summary, *leads)))
    return [Piece(f"file {entry.id}, strength {entry.strength:.2f}", text)]


def print_card(output: Output, shown: Shown) -> None:
    """The entry's values, then the target of each pointer."""
    entry = shown.entry
    _quote(output, entry.topic, "bold")
    if entry.summary:
        _quote(output, entry.summary)
    output.line()
    for name, *parts in _rows(output, shown):
        print_beside(output, label(name, _LABEL, 2), *parts)
    for lead in shown.leads:
        output.line()
        _print_lead(output, lead)


def _quote(output: Output, text: str, style: str = "") -> None:
    """A text on one line, or broken at spaces where that is too long for a narrow screen."""
    line = safe_line(text)
    for one in wrap(line, output.quote_width) if output.narrow else [line]:
        output.quote(one, style)


def _rows(output: Output, shown: Shown) -> Iterator[tuple[str, *tuple[str | Styled, ...]]]:
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
        yield (
            "stale",
            Styled(f"since {entry.stale}", "yellow"),
            ": a target of its pointers is missing",
        )
    if entry.tags:
        yield "tags", safe_line(", ".join(entry.tags))
    for number, (other, topic) in enumerate(shown.related.items()):
        remark = f"  {safe_line(topic)}" if topic else "  not in the index"
        yield "" if number else "related", safe_line(other), Styled(remark, "dim")
    origin = f", source {entry.src}" if entry.src else ""
    yield "priority", f"{entry.pri}{origin}" + (f", version {entry.ver}" if entry.ver > 1 else "")
    section = safe_line(" > ".join(entry.section))
    yield (
        "location",
        f"{safe_line(entry.file)}:{entry.line}",
        Styled(f"  {section}" if section else "", "dim"),
    )
    if entry.bare:
        yield "", Styled("a bullet without metadata; `hippo check --fix` gives it some", "yellow")


def _strength(output: Output, entry: EntryState) -> Iterator[str | Styled]:
    style = BAND_STYLES.get(entry.band, "")
    if output.terminal:
        yield Styled(f"{strength_bar(entry.strength)} ", style)
    yield Styled(f"{entry.strength:.2f} {entry.band}", style)
    yield f", base {entry.base:.2f}, {count(entry.hits, 'hit')}"


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


_MEASURES = 18  # columns of the bar, the strength and the hits, blanks included
_WIDEST_ID = 32
_ONE_COLUMN, _TWO_COLUMNS = 12, 36  # beside the id


def print_entries(output: Output, states: Sequence[EntryState]) -> None:
    """A line an entry: strength, hits, id, topic, first pointer, and whether it is stale."""
    if not output.terminal:
        print_tabs(output, map(_values, states))
        return
    widths = _widths(output.width, states)
    heads = zip(("id", "topic", "pointer"), widths, strict=True)
    named = "  ".join(padded(head, width) for head, width in heads if width)
    output.line(Styled(f"{'strength':<12}{'hits':>4}  {named}".rstrip(), "dim"))
    for one in states:
        _print_row(output, one, widths)


def _values(one: EntryState) -> list[str]:
    pointer = one.pointers[0] if one.pointers else ""
    texts = (one.id, one.topic, pointer)
    stale = ["stale"] if one.stale else []
    return [f"{one.strength:.2f}", str(one.hits), *map(safe_line, texts), *stale]


def _print_row(output: Output, one: EntryState, widths: tuple[int, int, int]) -> None:
    style = BAND_STYLES.get(one.band, "")
    identity, topic, pointer = widths
    leads = Styled(f"  {padded(_leads(one), pointer)}".rstrip(), "yellow" if one.stale else "dim")
    output.line(
        Styled(strength_bar(one.strength), style),
        Styled(f" {one.strength:.2f}", style),
        f" {_short(one.hits):>5}  ",
        Styled(padded(one.id, identity), "cyan"),
        *([f"  {padded(one.topic, topic)}"] if topic else []),
        *([leads] if pointer else []),
    )


def _short(hits: int) -> str:
    """A number that fits its column: 123456 as 123k."""
    return str(hits) if hits < 100_000 else f"{min(hits // 1_000, 9_999)}k"


def _leads(one: EntryState) -> str:
    """The first pointer and how many more there are, after ``stale`` where a target is missing."""
    more = f" +{len(one.pointers) - 1}" if len(one.pointers) > 1 else ""
    stale = "stale: " if one.stale else ""
    return stale + (one.pointers[0] if one.pointers else "none") + more


def _widths(width: int, states: Sequence[EntryState]) -> tuple[int, int, int]:
    """The columns of id, topic and pointer, shared out so that lines do not wrap; 0: no room for it.

    An id is what a person types next, so it is cut last; it mostly says what the topic says.
    """
    ids = max((columns_of(one.id) for one in states), default=2)
    identity = max(2, min(ids, _WIDEST_ID, width - _MEASURES))
    left = width - _MEASURES - identity - 2
    if left < _TWO_COLUMNS:
        return identity, 0, left if left >= _ONE_COLUMN else 0
    topic = max((columns_of(one.topic) for one in states), default=5)
    pointer = max((columns_of(_leads(one)) for one in states), default=8)
    pointer = max(8, min(pointer, max(left - 2 - topic, (left - 2) * 2 // 5)))
    return identity, max(5, min(topic, left - 2 - pointer)), pointer


def print_related(output: Output, rows: Sequence[RelatedEntry]) -> None:
    """A line an entry: strength, id, why, topic."""
    if not rows:
        output.note("nothing is related to it")
    elif not output.terminal:
        print_tabs(
            output,
            ([f"{one.strength:.2f}", safe_line(one.entry), _tie(one), one.topic] for one in rows),
        )
    else:
        _print_ties(output, rows)


def _print_ties(output: Output, rows: Sequence[RelatedEntry]) -> None:
    """In columns, with the topic where there is room for it."""
    ids, ties = column_widths([(one.entry, _tie(one)) for one in rows])
    room = output.width - len("0.00") - ids - ties - 6
    for one in rows:
        strength, tie = f"{one.strength:.2f}  ", _tie(one)
        if room < _TOPIC:
            entry = Styled(
                padded(one.entry, ids) if not output.narrow else safe_line(one.entry), "cyan"
            )
            print_beside(output, strength, entry, Styled(f"  {tie}", "dim"))
            continue
        entry, why = Styled(padded(one.entry, ids), "cyan"), Styled(padded(tie, ties), "dim")
        output.line(strength, entry, "  ", why, "  ", fit(one.topic, room))


def _tie(one: RelatedEntry) -> str:
    """The edge that leads there, and from where if that is not what was asked about."""
    why = f" {one.why}" if one.why else ""
    return f"{one.kind}{why}" + (f" via {safe_line(one.via)}" if one.depth > 1 else "")
