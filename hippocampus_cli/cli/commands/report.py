"""``hippo report``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from hippocampus_cli import api
from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import option, takes
from hippocampus_cli.cli.output import Output, Part, Styled, bold, dim

_LABEL = 18
_LATER = (0, 28, 56, 90)  # days of the forecast that have a column
_LISTED = 5
_SHOWN = ("broken", "silent")  # the others are counted above
_EVENTS = 20


@takes(
    option("--html", "Write a page with charts.", metavar="FILE"),
    option("--markdown", "Write a page in markdown.", metavar="FILE"),
    option("--weeks", "How far back queries and growth go."),
    option("--fading", "List which entries fade below which bound when, if nobody asks for them."),
    option("--days -d", "How far --fading looks.", low=1, high=36_500),
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
    """Show how healthy the index is: strength now and later, queries answered, growth.

    Nothing is changed; `hippo status` says what is due. The page of --html is one file that needs no network and
    no script; its charts need the extra "report" (in a clone: pip install '.[report]').

    Examples:
      hippo report
      hippo report --html report.html
      hippo report --weeks 26 --json
      hippo report --fading --days 365
    """
    with session.open_as_is() as opened:
        if fading:
            coming = opened.entries.forecast(days=days)
            session.show(coming, print_fading)
            return
        health = opened.upkeep.report(weeks=weeks, html=html, markdown=markdown)
    pages = [page for page in (html, markdown) if page]
    for page in pages:
        session.output.line(f"wrote {page!s}")
    if session.output.as_json or not pages:
        session.show(health, print_health)


def print_health(output: Output, health: api.Health) -> None:
    """Figures, bands now and later, and entries."""
    words = api.report
    output.line(
        bold(f"Memory health of {health.workspace}"), dim(f"  {words.long_day(health.at.date())}")
    )
    output.line()
    output.facts(_figures(health), _LABEL, indent=2)
    output.line()
    steps = [step for step in health.forecast if step.days in _LATER]
    heads = ["strength", *(f"+{step.days} days" if step.days else "now" for step in steps)]
    rows = [[band, *(f"{step.bands[band]:,}" for step in steps)] for band in health.bands]
    output.table(rows, heads, between="", indent=2)
    for table in words.lists(health, _LISTED):
        if table.name in _SHOWN and table.rows:
            output.line()
            output.line(bold(table.title))
            style = "red" if table.name == "broken" else ""
            cells = [[Styled(cell, style) for cell in cells] for cells in table.rows]
            output.table(cells, table.heads, cut=range(table.texts), between="", indent=2)
            if table.more:
                output.line(dim(f"  {words.left_out(table)}"))


def _figures(health: api.Health) -> Iterator[tuple[str, Part, Part]]:
    for fact in api.report.facts(health):
        rest = f"  {fact.rest}" if fact.rest else ""
        yield fact.name, Styled(fact.short, "bold yellow" if fact.pressing else "bold"), dim(rest)


def print_fading(output: Output, forecast: api.Forecast) -> None:
    """What happens when, the soonest first; on a terminal the first 20."""
    events = forecast.events[:_EVENTS] if output.terminal else forecast.events
    rows = [
        [
            f"{event.at.date()}",
            f"{event.days}",
            f"{event.before} → {event.after}",
            event.id,
            event.topic,
        ]
        for event in events
    ]
    output.table(rows, ("at", "days", "falls", "id", "topic"), cut=(4,))
    if len(forecast.events) > len(events):
        output.line(dim(f"… and {len(forecast.events) - len(events):,} more (--json)"))
    if not events:
        output.note(f"nothing fades below a bound within {forecast.days} days")
