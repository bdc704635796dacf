"""``hippo report``."""

from __future__ import annotations

from pathlib import Path

from hippocampus_cli import api
from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import option, takes


@takes(
    option("--html", "Write a page with charts.", metavar="FILE"),
)
def command(
    session: CommandContext,
    *,
    html: Path | None,
) -> None:
    """Show how healthy the index is: strength, queries answered, growth.

    Prints a page in markdown, and changes nothing; `hippo status` says what is due. The page of --html is one file
    that needs no network and no script; its charts need the extra "report" (in a clone: pip install '.[report]').

    Examples:
      hippo report > ../report.md
      hippo report --html report.html
      hippo report --json
    """
    if html is not None:
        api.upkeep.require_charts()  # before anything is worked out
    health = session.open().upkeep.report(html=html)
    session.output.json(health)
    if html is None:
        session.output.text(api.upkeep.markdown(health).rstrip("\n"))
    else:
        session.output.line(f"wrote {html!s}")
