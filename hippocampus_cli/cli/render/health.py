"""The health report on a terminal: figures, bands now and later, small curves, entries, and what to do."""

from __future__ import annotations

from collections.abc import Iterator

from hippocampus_cli.cli.render.charts import LONGEST_BAR, bar, sparkline
from hippocampus_cli.cli.render.layout import BAND_STYLES, column_widths, label, row_of
from hippocampus_cli.cli.render.output import Output, Styled
from hippocampus_cli.markdown.safe import safe_line
from hippocampus_cli.report.health import Health
from hippocampus_cli.report.tables import (
    Table,
    facts,
    left_out,
    lists,
    long_day,
    overdue,
    percent,
    upkeep,
    weekly_sizes,
)

_LABEL = 18
_LATER = (28, 56, 90)  # steps of the forecast that have a column
_LISTED = 5
_SHOWN = ("broken", "most-used", "learned", "silent")  # the others are counted above


def print_health(output: Output, health: Health) -> None:
    """The whole report."""
    title = f"Memory health of {safe_line(health.workspace)}"
    output.line(Styled(title, "bold"), Styled(f"  {long_day(health.at.date())}", "dim"))
    output.line()
    for fact in facts(health):
        short = Styled(fact.short, "bold yellow" if fact.pressing else "bold")
        rest = Styled(f"  {fact.rest}" if fact.rest else "", "dim")
        output.line(label(fact.name, _LABEL, 2), short, rest)
    style = "yellow" if overdue(health) else ""
    _print_hanging(output, label("upkeep", _LABEL, 2), upkeep(health), style)
    output.line()
    _print_bands(output, health)
    if curves := list(_curves(output, health)):
        output.line()
        for name, drawn, words in curves:
            output.line(label(name, _LABEL, 2), Styled(drawn, "cyan"), words)
    for table in lists(health, _LISTED):
        if table.name in _SHOWN and table.rows:
            _print_table(output, table)
    _print_advice(output, health)


def _print_hanging(output: Output, lead: Styled, text: str, style: str = "") -> None:
    """``text`` beside ``lead``, on a terminal wrapped in its column."""
    from textwrap import wrap

    lines = wrap(text, max(20, output.width - len(lead.text))) if output.terminal else [text]
    output.line(lead, Styled(lines[0], style))
    for line in lines[1:]:
        output.line(" " * len(lead.text), Styled(line, style))


def _print_bands(output: Output, health: Health) -> None:
    """A line a band: now with a bar, then how many there will be."""
    later = [step for step in health.forecast if step.days in _LATER]
    heads = "".join(f"{f'+{step.days} days':>10}" for step in later)
    free = min(LONGEST_BAR, output.width - 3 - _LABEL - len(heads))
    room = max(0, free) if output.terminal else 0
    output.line(Styled(f"  {'strength':<{_LABEL - 8}}{'now':>8} {'':<{room}}{heads}", "dim"))
    most = max(1, *health.bands.values())
    for name, number in health.bands.items():
        numbers = "".join(f"{step.bands[name]:>10,}" for step in later)
        drawn = Styled(f" {bar(number, most, room):<{room}}", BAND_STYLES.get(name, ""))
        output.line(label(name, _LABEL - 8, 2), f"{number:>8,}", drawn, numbers)


def _curves(output: Output, health: Health) -> Iterator[tuple[str, str, str]]:
    """What changed over the weeks, each as a name, a small curve and words."""
    room = max(1, output.width - _LABEL - 26)  # the words beside it included
    if health.queries:
        rates = [week.found_rate for week in health.weeks]
        known = [rate for rate in rates if rate is not None]
        words = f"  {percent(min(known))} to {percent(max(known))} a week"
        yield "answered", sparkline(rates[-room:], 0.0, 1.0), words
    added = [one.added for one in health.growth]
    if any(added):
        words = f"  {sum(added):,} in {len(added):,} weeks"
        yield "new entries", sparkline([one or None for one in added[-room:]], 0, max(added)), words
    sizes = [one.tokens if one else None for one in weekly_sizes(health)]
    sized = [one for one in sizes if one is not None]
    if len(sized) > 1:
        curve = sparkline(sizes[-room:], min(sized) * 0.9, max(sized))
        yield "index tokens", curve, f"  {min(sized):,} to {max(sized):,}"


def _print_table(output: Output, table: Table) -> None:
    output.line()
    widths = _widths(output, table)
    output.line(Styled(table.title, "bold"))
    if len(table.heads) > table.texts:
        output.line(Styled(f"  {row_of(table.heads, widths, table.texts)}", "dim"))
    for row in table.rows:
        line = f"  {row_of(row, widths, table.texts)}"
        output.line(Styled(line, "red" if table.name == "broken" else ""))
    if table.more:
        output.line(Styled(f"  {left_out(table)}", "dim"))


def _widths(output: Output, table: Table) -> list[int]:
    """Columns as wide as their longest cell; on a terminal, the widest texts are cut until lines fit."""
    widths = column_widths([table.heads, *table.rows])
    if output.terminal:
        over = sum(widths) + 2 * len(widths) - output.width
        while over > 0 and max(widths[: table.texts]) > 4:
            widths[max(range(table.texts), key=widths.__getitem__)] -= 1
            over -= 1
    return widths


def _print_advice(output: Output, health: Health) -> None:
    output.line()
    output.line(Styled("To do" if health.advice else "Nothing to do", "bold"))
    width = max((len(one.command) for one in health.advice), default=0)
    for one in health.advice:
        _print_hanging(output, Styled(f"  {one.command.ljust(width)}  ", "cyan"), one.why)
