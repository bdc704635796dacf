"""What happened week by week: queries by route, entries by age, and the size of the index after each cycle.

The sizes are in upkeep's records; a record that cannot be read is skipped, for the report is about the index.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta, tzinfo
from pathlib import Path
from typing import Any

from hippocampus_cli.index.entry import Entry
from hippocampus_cli.report.health import Growth, Size, Week
from hippocampus_cli.workspace.journal import Event
from hippocampus_cli.workspace.own_files import HISTORY, is_inside

WEEK = timedelta(days=7)


def day_of(moment: date | datetime, now: datetime) -> date:
    """The day of a moment in the time zone of ``now``; what lies in the future counts as today."""
    if isinstance(moment, datetime):
        if moment.tzinfo is not None:
            moment = min(moment, now).astimezone(now.tzinfo)
        moment = moment.date()
    return min(moment, now.date())


def monday(day: date) -> date:
    """The Monday of the day's week."""
    return day - timedelta(days=day.weekday())


def mondays(now: datetime, weeks: int) -> list[date]:
    """The Mondays of the last ``weeks`` weeks, this week's last."""
    last = monday(now.date())
    return [last - WEEK * back for back in reversed(range(weeks))]


def beginning(now: datetime, weeks: int) -> datetime:
    """The moment at which the first of the last ``weeks`` weeks began."""
    first = mondays(now, weeks)[0]
    return datetime(first.year, first.month, first.day, tzinfo=now.tzinfo)


_RECORD = re.compile(r"(\d{4,12})-[^/]*\.json")
_LARGEST = 50_000_000  # bytes; a record holds the entries that it changed, before and after
_UNREADABLE = (OSError, ValueError, TypeError, KeyError, OverflowError, RecursionError)


def sizes(root: Path, since: datetime) -> tuple[Size, ...]:
    """The size of the index after the cycles since ``since``, the last of each day, the oldest first.

    Times are in the time zone of ``since``.
    """
    by_day: dict[date, Size] = {}
    for path in reversed(_records(root)):
        try:
            size = _size(_document(root, path), since.tzinfo)
            local = size.at.astimezone(since.tzinfo)
        except _UNREADABLE:
            continue
        if size.at < since:
            break
        by_day.setdefault(local.date(), replace(size, at=local))
    return tuple(sorted(by_day.values(), key=lambda size: size.at))


def began(root: Path, zone: tzinfo | None) -> datetime | None:
    """When the oldest record that can be read was written; ``None`` where upkeep left none."""
    for path in _records(root):
        try:
            return _moment(_document(root, path)["at"], zone)
        except _UNREADABLE:
            continue
    return None


def _records(root: Path) -> list[Path]:
    """The records of the cycles in their order."""
    try:
        paths = list((root / HISTORY).iterdir())
    except OSError:
        return []
    numbered = [(int(found[1]), path) for path in paths if (found := _RECORD.fullmatch(path.name))]
    return [path for _, path in sorted(numbered)]


def _document(root: Path, path: Path) -> dict[str, Any]:
    if not is_inside(root, path) or not path.is_file():
        raise ValueError
    with path.open("rb") as file:
        document: dict[str, Any] = json.loads(file.read(_LARGEST))
    return document


def _size(record: dict[str, Any], zone: tzinfo | None) -> Size:
    stats = record["stats"]
    moment = _moment(record["at"], zone)
    return Size(moment, int(stats["entries"]), int(stats["tokens"]), int(stats["notes"]))


def _moment(text: str, zone: tzinfo | None) -> datetime:
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=zone)


_USED = "used"


def by_week(events: Iterable[Event], mondays: Sequence[date], now: datetime) -> tuple[Week, ...]:
    """The queries of each week."""
    counts: dict[date, Counter[str]] = {week: Counter() for week in mondays}
    for event in events:
        week = monday(day_of(event.at, now))
        if week in counts:
            counts[week][event.route] += 1
            counts[week][_USED] += bool(event.used or event.missed)
    return tuple(_week(week, found) for week, found in counts.items())


def found_rate(nothing: int, queries: int) -> float | None:
    """The share of queries that found something, whoever found it; ``None`` of none."""
    return round((queries - nothing) / queries, 4) if queries else None


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
    queries = counts.total() - counts[_USED]
    index, both = counts["index"], counts["both"]
    rate = found_rate(counts["none"], queries)
    return Week(week, queries, index, both, counts["search"], counts["none"], rate, counts[_USED])
