"""The tables that ``make bench-context`` prints, and the same as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hippocampus_cli.benchmarks.context.kinds import Compressed
from hippocampus_cli.benchmarks.context.run import Group, Report, Row
from hippocampus_cli.benchmarks.context.values import FACT_KINDS

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

_WIDTH = 100  # the widest table; in a narrower terminal the lines run on
_NO_RECORDED = "no recorded sessions: name a folder with session files of Pi by --transcripts"


def document(report: Report) -> dict[str, object]:
    """The report as JSON: shares are 0 to 1, sizes tokens."""
    return {
        "sessions": [_group(group) for group in report.groups],
        "recorded": [_group(group) for group in report.recorded],
        "kinds": [{**one._asdict(), "ratio": one.ratio} for one in report.kinds],
        **report.speed,
    }


def print_report(report: Report) -> None:
    """Print the tables."""
    from rich.console import Console

    console = Console(highlight=False, width=max(_WIDTH, Console().width))
    for group in (*report.groups, *report.recorded):
        _print_group(console, group)
    if not report.recorded:
        console.print(f"{_NO_RECORDED}\n", style="dim")
    console.print(_kinds(report.kinds))
    turn, compaction = report.speed["turn_ms"], report.speed["compaction_s"]
    console.print(f"\nlight consolidation, 1,000 entries   {turn:6.1f} ms")
    console.print(f"compaction, 10,000 messages          {compaction:6.2f} s")


def _group(group: Group) -> dict[str, object]:
    rows = [{**_row(row), "smaller": group.smaller(row)} for row in group.rows]
    return {"name": group.name, "turns": group.rows[0].done.turns, "rows": rows}


def _row(row: Row) -> dict[str, object]:
    done = row.done
    kinds = {
        kind: {"needed": needed, "verbatim": done.verbatim[kind], "fetched": done.fetched[kind]}
        for kind in FACT_KINDS
        if (needed := done.needed[kind])
    }
    return {
        "method": row.method,
        "limit": row.limit,
        "average": done.average,
        "carried": done.tokens,
        "fetched": done.brought,
        "compactions": done.compactions,
        "verbatim": done.share_verbatim,
        "reached": done.share_reached,
        "facts": kinds,
    }


def _print_group(console: Console, group: Group) -> None:
    facts = group.rows[0].done.needed
    table = _table(f"{group.name}: {facts.total():,} facts needed again", "window", "method")
    for name in (
        "average",
        "fetched",
        "carried",
        "smaller",
        "compacted",
        "verbatim",
        "or one fetch",
    ):
        table.add_column(name, justify="right")
    last: int | None = None
    for row in group.rows:
        done = row.done
        table.add_row(
            f"{row.limit // 1_000}k" if row.limit and row.limit != last else "",
            row.method,
            f"{done.average:,.0f}",
            f"{done.brought / done.turns:,.0f}",
            f"{done.tokens / 1e6:,.2f} M",
            f"{group.smaller(row):.1f} ×",
            f"{done.compactions:,}",
            _percent(done.share_verbatim),
            _percent(done.share_reached),
            style="bold" if row.method == "hippo" else "",
        )
        last = row.limit
    console.print(table)
    if facts:
        console.print(_facts(group))
    console.print()


def _facts(group: Group) -> Table:
    """Verbatim by the kind of fact, at the smallest limit."""
    needed = group.rows[0].done.needed
    smallest = min((row.limit for row in group.rows if row.limit), default=None)
    table = _table("", f"verbatim at {(smallest or 0) // 1_000}k")
    kinds = [kind for kind in FACT_KINDS if needed[kind]]
    for kind in kinds:
        table.add_column(f"{kind} {needed[kind]:,}", justify="right")
    for row in group.rows:
        if row.limit == smallest:
            shares = (row.done.verbatim[kind] / needed[kind] for kind in kinds)
            table.add_row(row.method, *map(_percent, shares))
    return table


def _kinds(kinds: Sequence[Compressed]) -> Table:
    table = _table("a result, and its entry in the window", "kind")
    for name in ("tokens", "entry", "smaller", "of its values there"):
        table.add_column(name, justify="right")
    for one in kinds:
        sizes = (f"{one.original:,.0f}", f"{one.entry:,.0f}", f"{one.ratio:,.0f} ×")
        table.add_row(one.kind, *sizes, _percent(one.values))
    return table


def _table(title: str, *left: str) -> Table:
    from rich.table import Table

    table = Table(title=title or None, title_justify="left", box=None, pad_edge=False)
    for name in left:
        table.add_column(name)
    return table


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f} %"
