"""Dates that the calendar does not have."""

from __future__ import annotations

from datetime import date

import pytest

from hippocampus_cli.dates.expressions import days_in, no_days

TODAY = date(2026, 8, 1)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("lunch on 2026-02-30", ("2026-02-30",)),
        ("lunch on 31.02.2026", ("31.02.2026",)),
        ("lunch on 2026-13-45", ("2026-13-45",)),
        ("2026-00-10T09:00", ("2026-00-10",)),
        ("2026-2-30, 2026/02/30 or 30 February?", ("2026-2-30", "2026/02/30", "30 February")),
        ("on February 30", ("February 30",)),
        ("the 30th of February", ("30th of February",)),
        ("31 April 2026 and February 29, 2025", ("31 April 2026", "February 29, 2025")),
    ],
)
def test_they_are_told_and_taken_for_nothing_else(text: str, found: tuple[str, ...]) -> None:
    assert no_days(text, TODAY) == found
    assert days_in(text, TODAY)[0] == ()


@pytest.mark.parametrize(
    "text",
    [
        "29 February",
        "February 29, 2024",
        "2026-02-28",
        "1.2.3",
        "2026/2/28 and 2026-2-28",
        "memory/2026/13/45",
        "2026/13/45.md",
        "2026-13-450",
        "season 2026-27",
        "build-2026-13-45",
        "0049-30-1234",
        "version 31.2.0",
        "31",
    ],
)
def test_what_is_a_day_or_no_date_at_all_is_not(text: str) -> None:
    assert no_days(text, TODAY) == ()


@pytest.mark.parametrize(
    "text", ["between 9 and 3 May", "from 9 to 3 May", "May 9 to 3", "from 9 May to 3 May 2026"]
)
def test_two_days_of_a_month_the_wrong_way_round(text: str) -> None:
    (reading,), _ = days_in(text, TODAY)
    assert reading.days == (date(2026, 5, 3), date(2026, 5, 9))
