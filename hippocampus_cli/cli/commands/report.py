"""``hippo report``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import option, takes
from hippocampus_cli.cli.output import Output, Styled, label, plain, safe_line

if TYPE_CHECKING:
    from hippocampus_cli.api import Forecast, Health

_LABEL = 18
_LATER = (0, 28, 56, 90)  # days of the forecast that have a column
_LISTED = 5
_SHOWN = ("broken", "most-used", "learned", "silent")  # the others are counted above
_EVENTS = 20


@takes(
    option("--html", "Write a page with charts.", metavar="FILE"),
    option("--markdown", "Write a page in markdown.", metavar="FILE"),
    option("--weeks", "How far back queries and growth go.", metavar="N"),
    option("--fading", "List which entries fade below which bound when, if nobody asks for them."),
    option("--days -d", "How far --fading looks.", metavar="N", low=1, high=36_500),
)
def command(
    session: CommandContext,
    *,
    html: Path | None,
    markdown: Path | None,
    weeks: int = 12,
    fading: bool,
    days: int = 90,
) -> None:
    """Show how healthy the index is: strength now and later, queries answered, growth, what to do.

    Nothing is changed. The page of --html is one file that needs no network and no script; its charts
    need the extra "report" (in a clone: pip install '.[report]').

    Examples:
      hippo report
      hippo report --html report.html
      hippo report --weeks 26 --json
      hippo report --fading --days 365
    """
    with session.open_as_is() as opened:
        if fading:
            coming = opened.entries.forecast(days=days, now=session.now)
            document = {name: value for name, value in plain(coming).items() if name != "curves"}
            session.show(document, lambda output, _: print_fading(output, coming))
            return
        health = opened.upkeep.report(weeks=weeks, html=html, markdown=markdown, now=session.now)
    pages = [page for page in (html, markdown) if page]
    for page in pages:
        session.output.line(f"wrote {safe_line(str(page))}")
    if session.output.as_json or not pages:
        session.show(health, print_health)


def print_health(output: Output, health: Health) -> None:
    """Figures, bands now and later, entries, and what to do."""
    from hippocampus_cli.api import report as words

    title = f"Memory health of {safe_line(health.workspace)}"
    output.line(Styled(title, "bold"), Styled(f"  {words.long_day(health.at.date())}", "dim"))
    output.line()
    for fact in words.facts(health):
        short = Styled(fact.short, "bold yellow" if fact.pressing else "bold")
        rest = Styled(f"  {fact.rest}" if fact.rest else "", "dim")
        output.line(label(fact.name, _LABEL, 2), short, rest)
    style = "yellow" if words.overdue(health) else ""
    output.beside(label("upkeep", _LABEL, 2), Styled(words.upkeep(health), style))
    output.line()
    steps = [step for step in health.forecast if step.days in _LATER]
    heads = ["strength", *(f"+{step.days} days" if step.days else "now" for step in steps)]
    rows = [[band, *(f"{step.bands[band]:,}" for step in steps)] for band in health.bands]
    output.table(rows, heads, tabs=False, indent=2)
    for table in words.lists(health, _LISTED):
        if table.name in _SHOWN and table.rows:
            output.line()
            output.line(Styled(table.title, "bold"))
            style = "red" if table.name == "broken" else ""
            cells = [[Styled(cell, style) for cell in row] for row in table.rows]
            output.table(cells, table.heads, cut=range(table.texts), tabs=False, indent=2)
            if table.more:
                output.line(Styled(f"  {words.left_out(table)}", "dim"))
    output.line()
    output.line(Styled("To do" if health.advice else "Nothing to do", "bold"))
    width = max((len(one.command) for one in health.advice), default=0)
    for one in health.advice:
        output.beside(Styled(f"  {one.command.ljust(width)}  ", "cyan"), one.why)


def print_fading(output: Output, found: Forecast) -> None:
    """What happens when, the soonest first; on a terminal the first 20."""
    events = found.events[:_EVENTS] if output.terminal else found.events
    rows = [
        [f"{one.at.date()}", f"{one.days}", f"{one.before} → {one.after}", one.id, one.topic]
        for one in events
    ]
    output.table(rows, ("at", "days", "falls", "id", "topic"), cut=(3, 4))
    if len(found.events) > len(events):
        output.line(Styled(f"… and {len(found.events) - len(events):,} more (--json)", "dim"))
    if not events:
        output.note(f"nothing fades below a bound within {found.days} days")
