"""Weeks: queries, growth, and the sizes in upkeep's records."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta, timezone
from typing import NamedTuple

import pytest

from hippocampus_cli.index.parse import parse
from hippocampus_cli.report.activity import (
    beginning,
    by_week,
    day_of,
    growth,
    mondays,
    recall,
    sizes,
)
from hippocampus_cli.report.health import Growth, Recall, Size, Week
from hippocampus_cli.workspace.journal import Event
from tests.support.reports import NOW, entry, event

MONDAYS = mondays(NOW, 3)


def test_weeks_begin_on_monday_and_end_with_this_one() -> None:
    assert [date(2026, 6, 1), date(2026, 6, 8), date(2026, 6, 15)] == MONDAYS
    assert beginning(NOW, 3) == datetime(2026, 6, 1, tzinfo=UTC)


def test_queries_by_week_and_how_sure_the_answer_was() -> None:
    events = [event(0, "index"), event(2, "both"), event(2.6, "search"), event(5, "none")]
    events += [event(0, "search"), event(100, "index")]
    events[1:3] = [each._replace(sure="sure") for each in events[1:3]]
    assert by_week(events, MONDAYS, NOW) == (
        Week(MONDAYS[0], 0, 0, 0, 0, None),
        Week(MONDAYS[1], 2, 1, 0, 1, 0.5),
        Week(MONDAYS[2], 3, 1, 2, 0, 0.3333),
    )


def test_of_older_journals_what_was_used_was_sure() -> None:
    answered = [event(0, "index"), event(0, "both"), event(0, "search")]
    events = [
        answered[0]._replace(used=("a", "b")),
        answered[1]._replace(missed=("a",)),
        answered[2],
    ]
    (week,) = by_week(events, MONDAYS[2:], NOW)
    assert (week.queries, week.sure, week.unsure) == (3, 2, 1)
    assert recall([events[0]._replace(tokens=40), event(1, "none")], [])[0] == Recall(
        "questions", 2, 1, 40
    )


def test_the_week_is_that_of_the_reader() -> None:
    """Sunday evening in New York is Monday morning in Auckland."""
    auckland = timezone(timedelta(hours=12))
    now = datetime(2026, 6, 17, tzinfo=auckland)
    sunday = datetime(2026, 6, 14, 20, tzinfo=timezone(timedelta(hours=-4)))
    found = by_week([Event(sunday, "", "index", (), ())], MONDAYS, now)
    assert [week.queries for week in found] == [0, 0, 1]


def test_growth_adds_up() -> None:
    text = (
        entry("older", created="2026-01-01")
        + entry("undated", created="no day")
        + entry("first", created="2026-06-01")
        + entry("now", created="2026-06-17T11:00:00+00:00")
        + entry("ahead", created="2030-01-01")
    )
    entries = [located.entry for located in parse(text).entries]
    assert growth(entries, MONDAYS, NOW) == (
        Growth(MONDAYS[0], 1, 3),
        Growth(MONDAYS[1], 0, 3),
        Growth(MONDAYS[2], 2, 5),
    )


@pytest.mark.parametrize("moment", [datetime.max, datetime.max.replace(tzinfo=UTC), date.max])
def test_the_end_of_time_is_today(moment: date) -> None:
    assert day_of(moment, NOW) == NOW.date()


LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)
STATS = {"entries": 3, "tokens": 400, "notes": 5}


class Cycle(NamedTuple):
    at: datetime
    stats: Mapping[str, int] = STATS


def cycle(at: str, **stats: int) -> Cycle:
    return Cycle(datetime.fromisoformat(at), {**STATS, **stats})


def test_the_last_size_of_each_day() -> None:
    records = [
        cycle("2026-05-01T02:30:00+00:00"),
        cycle("2026-05-02T02:30:00+00:00"),
        cycle("2026-05-02T02:31:00", tokens=500),
    ]
    found = sizes(records, LONG_AGO)
    assert found == (
        Size(datetime(2026, 5, 1, 2, 30, tzinfo=UTC), 3, 400, 5),
        Size(datetime(2026, 5, 2, 2, 31, tzinfo=UTC), 3, 500, 5),
    )
    assert sizes(records, datetime(2026, 5, 2, tzinfo=UTC)) == found[1:]
    assert sizes((), LONG_AGO) == ()


def test_records_without_figures_are_left_out() -> None:
    records = [
        Cycle(datetime(2026, 5, 4, tzinfo=UTC), {"entries": 1}),
        cycle("9999-12-31T23:59:59-12:00"),
    ]
    assert len(sizes(records, LONG_AGO)) == 1
