"""``hippo report``."""

from __future__ import annotations

from pathlib import Path

from hippocampus_cli import api
from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import option, takes
from hippocampus_cli.cli.output import Output


@takes(
    option("--html", "Write a page with charts.", metavar="FILE"),
    option("--weeks", "How far back queries and growth go."),
    option("--fading", "List which entries fade below which bound when, if nobody asks for them."),
    option("--days -d", "How far --fading looks.", low=1),
)
def command(
    session: CommandContext,
    *,
    html: Path | None,
    weeks: int = 12,
    fading: bool,
    days: int = 90,
) -> None:
    """Show how healthy the index is: strength now and later, queries answered, growth.

    Prints a page in markdown, and changes nothing; `hippo status` says what is due. The page of --html is one file
    that needs no network and no script; its charts need the extra "report" (in a clone: pip install '.[report]').

    Examples:
      hippo report > report.md
      hippo report --html report.html
      hippo report --weeks 26 --json
      hippo report --fading --days 365
    """
    with session.open_as_is() as opened:
        if fading:
            coming = opened.entries.forecast(days=days)
            session.show(coming, print_fading)
            return
        health = opened.upkeep.report(weeks=weeks, html=html)
    if session.output.as_json:
        session.output.json(health)
    elif html is None:
        session.output.text(api.report.markdown(health).rstrip("\n"))
    else:
        session.output.line(f"wrote {html!s}")


def print_fading(output: Output, forecast: api.Forecast) -> None:
    """What happens when, the soonest first."""
    rows = [
        [f"{event.at:%Y-%m-%d}", f"{event.before} → {event.after}", event.id, event.topic]
        for event in forecast.events
    ]
    output.table(rows, ("at", "falls", "id", "topic"), cut=(3,))
    if not rows:
        output.note(f"nothing fades below a bound within {forecast.days} days")
