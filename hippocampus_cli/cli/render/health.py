"""The health report on a terminal: figures, bands now and later, entries, and what to do."""

from __future__ import annotations

from hippocampus_cli.cli.render.layout import label, print_table
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
    upkeep,
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
    _print_strength(output, health)
    for table in lists(health, _LISTED):
        if table.name in _SHOWN and table.rows:
            _print_list(output, table)
    _print_advice(output, health)


def _print_hanging(output: Output, lead: Styled, text: str, style: str = "") -> None:
    """``text`` beside ``lead``, on a terminal wrapped in its column."""
    from textwrap import wrap

    lines = wrap(text, max(20, output.width - len(lead.text))) if output.terminal else [text]
    output.line(lead, Styled(lines[0], style))
    for line in lines[1:]:
        output.line(" " * len(lead.text), Styled(line, style))


def _print_strength(output: Output, health: Health) -> None:
    """A line a band: how many entries it has now, and will have."""
    steps = [step for step in health.forecast if not step.days or step.days in _LATER]
    heads = ["strength", *("now" if not step.days else f"+{step.days} days" for step in steps)]
    rows = [[band, *(f"{step.bands[band]:,}" for step in steps)] for band in health.bands]
    print_table(output, heads, rows)


def _print_list(output: Output, table: Table) -> None:
    output.line()
    output.line(Styled(table.title, "bold"))
    style = "red" if table.name == "broken" else ""
    print_table(output, table.heads, table.rows, texts=table.texts, style=style)
    if table.more:
        output.line(Styled(f"  {left_out(table)}", "dim"))


def _print_advice(output: Output, health: Health) -> None:
    output.line()
    output.line(Styled("To do" if health.advice else "Nothing to do", "bold"))
    width = max((len(one.command) for one in health.advice), default=0)
    for one in health.advice:
        _print_hanging(output, Styled(f"  {one.command.ljust(width)}  ", "cyan"), one.why)
