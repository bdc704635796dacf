"""What happened week by week: queries by their route, entries by their age."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date, datetime

from hippocampus_cli.index.entry import Entry
from hippocampus_cli.reporting.calendar import day_of, monday
from hippocampus_cli.reporting.health import Growth, Week
from hippocampus_cli.workspace.journal_read import Event


def by_week(events: Iterable[Event], mondays: Sequence[date], now: datetime) -> tuple[Week, ...]:
    """The queries of each week."""
    counts: dict[date, Counter[str]] = {week: Counter() for week in mondays}
    for event in events:
        week = monday(day_of(event.at, now))
        if week in counts:
            counts[week][event.route] += 1
    return tuple(_week(week, found) for week, found in counts.items())


def hit_rate(index: int, both: int, queries: int) -> float | None:
    """The share of queries whose first result the index found, alone or with search; ``None`` of none."""
    return round((index + both) / queries, 4) if queries else None


def growth(entries: Iterable[Entry], mondays: Sequence[date], now: datetime) -> tuple[Growth, ...]:
    """The entries by the week of ``created``; those without a date count as older than all weeks."""
    added = Counter(
        monday(day_of(entry.created, now)) if entry.created else date.min for entry in entries
    )
    total = sum(number for week, number in added.items() if week < mondays[0])
    found = []
    for week in mondays:
        total += added[week]
        found.append(Growth(week, added[week], total))
    return tuple(found)


def _week(week: date, counts: Counter[str]) -> Week:
    queries = counts.total()
    index, both = counts["index"], counts["both"]
    rate = hit_rate(index, both, queries)
    return Week(week, queries, index, both, counts["search"], counts["none"], rate)
