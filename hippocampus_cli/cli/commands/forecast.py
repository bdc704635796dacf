"""``hippo forecast``."""

from __future__ import annotations

from dataclasses import replace

from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import NUMBER, SHARED, argument, option, takes
from hippocampus_cli.cli.values import BANDS, chosen

TARGETS = (*BANDS[1:], "archive")


@takes(
    argument(
        "entries",
        "ID",
        "Entry ids; without any, all entries.",
        required=False,
        several=True,
        complete="entry_ids",
    ),
    option(
        "--days -d", "How far to look.", metavar="N", kind=NUMBER, default=90, low=1, high=36500
    ),
    option(
        "--to",
        "Only what falls to there (moderate, weak, decaying, silent, archive); repeatable.",
        metavar="BAND",
        several=True,
        offers=("moderate", "weak", "decaying", "silent", "archive"),
    ),
    option(
        "--limit -n",
        "Events at most; on a terminal lines, by default 20.",
        metavar="N",
        kind=NUMBER,
        low=1,
    ),
    *SHARED,
)
def command(
    session: CommandContext, entries: list[str], days: int, to: list[str], limit: int | None
) -> None:
    """Forecast which entries fade below which bound when, if nobody asks for them.

    Shows the strengths of the entries that are named, else how all of them move through the bands, then the
    events. Not on a terminal the columns are separated by tabs. Nothing is written.

    Examples:
      hippo forecast
      hippo forecast --days 365 --to silent --to archive
      hippo forecast acme-deploy grace --days 30
      hippo forecast --json
    """
    from hippocampus_cli.cli.render.forecast import print_forecast, steps_for
    from hippocampus_cli.cli.render.output import document_of

    output = session.output
    wanted = chosen(to, TARGETS, "--to") or TARGETS
    with session.open_as_is() as opened:
        found = opened.entries.forecast(
            *entries, days=days, steps=steps_for(output), now=session.now
        )
    events = tuple(one for one in found.events if one.after in wanted)
    if output.as_json:
        shown = replace(found, events=events[:limit])
        output.json(document_of(shown, total=len(events)))
    else:
        print_forecast(output, replace(found, events=events), limit)
