"""Days that a query speaks of."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.search.days import days_in

TODAY = date(2026, 5, 13)  # a Wednesday


def day(month: int, number: int, year: int = 2026) -> tuple[date, date]:
    return date(year, month, number), date(year, month, number)


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("on 2026-03-12", day(3, 12)),
        ("12 March 2025", day(3, 12, 2025)),
        ("12th of march", day(3, 12)),
        ("March 12", day(3, 12)),
        ("March 12th, 2024", day(3, 12, 2024)),
        ("14 July", day(7, 14, 2025)),  # this year's is still to come
        ("29 February", day(2, 29, 2024)),
        ("today", day(5, 13)),
        ("yesterday", day(5, 12)),
        ("the day before yesterday", day(5, 11)),
        ("three days ago", day(5, 10)),
        ("on Monday", day(5, 11)),
        ("last wednesday", day(5, 6)),
        ("in May", (date(2026, 5, 1), date(2026, 5, 31))),
        ("in June", (date(2025, 6, 1), date(2025, 6, 30))),
        ("May 2024", (date(2024, 5, 1), date(2024, 5, 31))),
        ("february notes", (date(2026, 2, 1), date(2026, 2, 28))),
        ("2026-02", (date(2026, 2, 1), date(2026, 2, 28))),
        ("last week", (date(2026, 5, 4), date(2026, 5, 10))),
        ("this week", (date(2026, 5, 11), date(2026, 5, 13))),
        ("last month", (date(2026, 4, 1), date(2026, 4, 30))),
        ("two months ago", (date(2026, 3, 1), date(2026, 3, 31))),
        ("last year", (date(2025, 1, 1), date(2025, 12, 31))),
        ("past 3 days", (date(2026, 5, 10), date(2026, 5, 13))),
        ("two weeks ago", (date(2026, 4, 26), date(2026, 5, 2))),
    ],
)
def test_a_date_is_resolved(text: str, days: tuple[date, date]) -> None:
    found, rest = days_in(f"deploy {text} notes", TODAY)
    assert found == (days,)
    assert "deploy" in rest and not any(char.isdigit() for char in rest)


@pytest.mark.parametrize(
    "text",
    ["may I deploy", "march on", "April is a friend", "2026-02-31", "99 March", "0 May", "1234-99"],
)
def test_what_is_no_date_is_left_alone(text: str) -> None:
    assert days_in(text, TODAY) == ((), text)


def test_several_dates_are_all_taken() -> None:
    found, rest = days_in("between 2026-01-02 and 5 March", TODAY)
    assert set(found) == {day(1, 2), day(3, 5)}
    assert rest.split() == ["between", "and"]


@given(st.text(), st.dates())
def test_any_text_on_any_day(text: str, today: date) -> None:
    for first, last in days_in(text, today)[0]:
        assert first <= last


@given(
    st.sampled_from(["yesterday", "last week", "999 weeks ago", "99 months ago", "on friday"]),
    st.dates(max_value=date.min + timedelta(400)) | st.dates(min_value=date.max - timedelta(400)),
)
def test_the_ends_of_the_calendar(text: str, today: date) -> None:
    for first, last in days_in(text, today)[0]:
        assert first <= last


def test_only_the_beginning_of_an_endless_query_is_read() -> None:
    text = "1 " * 50_000 + "yesterday"
    assert days_in(text, TODAY) == ((), text)
