"""``hippo report``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import NUMBER, PATH, SHARED, option, takes
from hippocampus_cli.cli.render import Output, safe_line

if TYPE_CHECKING:
    from hippocampus_cli.api import Health


@takes(
    option("--html", "Write a page with charts.", metavar="FILE", kind=PATH),
    option("--markdown", "Write a page in markdown.", metavar="FILE", kind=PATH),
    option("--weeks", "How far back queries and growth go.", metavar="N", kind=NUMBER, default=12),
    *SHARED,
)
def command(session: CommandContext, html: Path | None, markdown: Path | None, weeks: int) -> None:
    """Show how healthy the index is: strength now and later, queries answered, growth, what to do.

    Nothing is changed. The page of --html is one file that needs no network and no script; its charts
    need the extra "report" (in a clone: pip install '.[report]').

    Examples:
      hippo report
      hippo report --html report.html
      hippo report --weeks 26 --json
    """
    with session.open_as_is() as opened:
        health = opened.upkeep.report(weeks=weeks, html=html, markdown=markdown, now=session.now)
    pages = [page for page in (html, markdown) if page]
    session.show(health, _print, pages)


def _print(output: Output, health: Health, pages: list[Path]) -> None:
    """Which pages were written or, without any, the report."""
    for page in pages:
        output.line(f"wrote {safe_line(str(page))}")
    if not pages:
        from hippocampus_cli.cli.render.health import print_health

        print_health(output, health)
