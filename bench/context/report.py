"""``python -m bench context``: what stands in an agent's window, replayed turn by turn.

A *session* is turns of messages with *uses*: facts that an earlier turn told and this one needs to the letter. A
*carrier* is a way of keeping the window small; the session is replayed through each of them.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from bench.arguments import several, whole
from bench.context.run import LIMITS, SESSIONS, Compressed, Group, Report, Row, run
from bench.context.sessions import TURN
from bench.context.values import FACT_KINDS
from bench.sheet import Cell, Column, Findings, Sheet
from hippocampus_cli.cli.context import CommandContext

_NO_RECORDED = "no recorded sessions: name a folder with session files of Pi by --transcripts"
_FIGURES = (
    Column("average", "average", ",.0f"),
    Column("fetched", "fetched", ",.0f"),
    Column("carried", "carried M", ",.2f"),
    Column("smaller", "× smaller", ".1f"),
    Column("compacted", "compacted", ",d"),
    Column("verbatim", "verbatim %", ".1f"),
    Column("reached", "or one fetch %", ".1f"),
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``python -m bench context``."""
    add = parser.add_argument
    add("--turns", type=several(1), default=tuple(SESSIONS), help="lengths, as 50,200")
    add("--limits", type=several(1), default=LIMITS, help="windows in tokens")
    add("--size", type=whole(1), default=TURN, help="tokens that a turn adds")
    add("--transcripts", type=Path, help="a folder with session files of Pi")


def measure(session: CommandContext, options: argparse.Namespace) -> Findings:
    """Replay made-up and recorded sessions: what stands in the window, and what of it is needed again."""
    folder = options.transcripts
    if folder is not None and not folder.is_dir():
        session.output.note(f"{folder}: no such folder; recorded sessions are skipped")
        folder = None
    with session.output.progress("replaying") as advance:
        report = run(options.turns, options.limits, options.size, folder, advance)
    return findings(report)


def findings(report: Report) -> Findings:
    """The report as a document (shares are 0 to 1, sizes tokens) and as tables (shares in percent)."""
    groups = (*report.groups, *report.recorded)
    speed = report.speed
    times = (
        f"light consolidation, 1,000 entries: {speed['turn_ms']:.1f} ms",
        f"compaction, 10,000 messages: {speed['compaction_s']:.2f} s",
    )
    sheets = [sheet for group in groups for sheet in (_windows(group), _facts(group))]
    return Findings(
        document={
            "sessions": [_group(group) for group in report.groups],
            "recorded": [_group(group) for group in report.recorded],
            "kinds": [{**one._asdict(), "ratio": one.ratio} for one in report.kinds],
            **report.speed,
        },
        sheets=(*filter(None, sheets), _kinds(report.kinds)),
        notes=times if report.recorded else (_NO_RECORDED, *times),
        table=_table(groups),
    )


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


def _windows(group: Group) -> Sheet:
    facts = group.rows[0].done.needed
    columns = (Column("method", "method"), Column("limit", "window"), *_FIGURES)
    title = f"{group.name}: {facts.total():,} facts needed again"
    return Sheet(title, columns, tuple((row.method, *_cells(group, row)) for row in group.rows))


def _cells(group: Group, row: Row) -> tuple[Cell, ...]:
    done = row.done
    return (
        f"{row.limit // 1_000}k" if row.limit else None,
        *(done.average, done.brought / done.turns, done.tokens / 1e6, group.smaller(row)),
        *(done.compactions, _percent(done.share_verbatim), _percent(done.share_reached)),
    )


def _table(groups: Sequence[Group]) -> Sheet:
    """Every group in one table."""
    head = (Column("session", ""), Column("method", ""), Column("limit", ""))
    rows = ((one.name, row.method, *_cells(one, row)) for one in groups for row in one.rows)
    return Sheet("context", (*head, *_FIGURES), tuple(rows))


def _facts(group: Group) -> Sheet | None:
    """Verbatim by the kind of fact, at the smallest limit."""
    needed = group.rows[0].done.needed
    smallest = min((row.limit for row in group.rows if row.limit), default=0)
    kinds = [kind for kind in FACT_KINDS if needed[kind]]
    columns = (Column(kind, f"{kind} {needed[kind]:,}", ".1f") for kind in kinds)
    rows = tuple(
        (row.method, *(_percent(row.done.verbatim[kind] / needed[kind]) for kind in kinds))
        for row in group.rows
        if row.limit == smallest
    )
    title = f"verbatim at {smallest // 1_000}k, %"
    return Sheet(title, (Column("method", "method"), *columns), rows) if needed else None


def _kinds(kinds: Sequence[Compressed]) -> Sheet:
    columns = (
        Column("kind", "kind"),
        Column("tokens", "tokens", ",.0f"),
        Column("entry", "entry", ",.0f"),
        Column("ratio", "× smaller", ",.0f"),
        Column("values", "% of its values there", ".1f"),
    )
    rows = ((one.kind, one.original, one.entry, one.ratio, 100 * one.values) for one in kinds)
    return Sheet("a result, and its entry in the window", columns, tuple(rows))


def _percent(share: float | None) -> float | None:
    return None if share is None else 100 * share
