"""The report as a markdown page, as upkeep files it away month by month."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hippocampus_cli.markdown.safe import safe_line
from hippocampus_cli.reporting.health import Health
from hippocampus_cli.reporting.tables import Table, left_out, tables
from hippocampus_cli.reporting.words import facts, long_day, upkeep

MARK = "<!-- hippo report -->"
"""Stands on the first line of every page, so that only a report is written over by a report."""
_SIGNS = re.compile(r"([\\`*_\[\]<>|#~&$])")


def markdown(health: Health) -> str:
    """The page, its lines ended by a newline. Text of the workspace shows as itself, signs escaped."""
    return "".join(f"{line}\n" for line in _lines(health))


def escaped(text: str) -> str:
    """``text`` on one line, harmless, and without anything that markdown would read as more than text."""
    return _SIGNS.sub(r"\\\1", safe_line(text))


def _lines(health: Health) -> Iterator[str]:
    yield MARK
    yield f"# Memory health of {escaped(health.workspace)}, {long_day(health.at.date())}"
    yield ""
    yield "| | |"
    yield "|---|---|"
    for fact in facts(health):
        rest = f" ({fact.rest})" if fact.rest else ""
        yield f"| {fact.name} | **{fact.short}**{rest} |"
    yield f"| upkeep | {upkeep(health)} |"
    yield from _advice(health)
    for table in tables(health):
        if table.rows:
            yield from _table(table)


def _advice(health: Health) -> Iterator[str]:
    yield from ("", "## To do", "")
    if not health.advice:
        yield "Nothing: all is well."
    for one in health.advice:
        yield f"- {one.why}: `{one.command}`"


def _table(table: Table) -> Iterator[str]:
    yield from ("", f"## {table.title}", "")
    yield f"| {' | '.join(table.heads)} |"
    figures = len(table.heads) - table.texts
    yield f"|{'---|' * table.texts}{'---:|' * figures}"
    for row in table.rows:
        yield f"| {' | '.join(map(escaped, row))} |"
    if table.more:
        yield from ("", left_out(table))
