"""Dates in a text as ranges of days."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.text.dates import LAST_DAY, ago, day_at_start, days_in

TODAY = date(2026, 5, 13)  # a Wednesday


def read(text: str, today: date = TODAY) -> list[tuple[str, str]]:
    return [(str(one.first), str(one.last)) for one in days_in(text, today)]


def day(iso: str) -> list[tuple[str, str]]:
    return [(iso, iso)]


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("on 2026-03-12", "2026-03-12"),
        ("12 March 2025", "2025-03-12"),
        ("the 12th of march", "2026-03-12"),
        ("March 12th, 2024", "2024-03-12"),
        ("Monday 11 May", "2026-05-11"),
        ("14 July", "2025-07-14"),  # this year's is still to come
        ("29 February", "2024-02-29"),
        ("12.05.2026", "2026-05-12"),
        ("15/01/2024", "2024-01-15"),
        ("01/15/2024", "2024-01-15"),
        ("12. Mai 2026", "2026-05-12"),
        ("12 de mayo", "2026-05-12"),
        ("15 janvier 2024", "2024-01-15"),
        ("15 января 2024", "2024-01-15"),
        ("2024年1月15日", "2024-01-15"),
        ("会议在1月15日", "2026-01-15"),
        ("2024년 1월 15일", "2024-01-15"),
        ("yesterday evening", "2026-05-12"),
        ("gestern", "2026-05-12"),
        ("昨天的会议", "2026-05-12"),
        ("the day before yesterday", "2026-05-11"),
    ],
)
def test_a_day(text: str, iso: str) -> None:
    assert read(text) == day(iso)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("notes of May 2024", "2024-05-01", "2024-05-31"),
        ("in May", "2026-05-01", "2026-05-31"),
        ("im Juni", "2025-06-01", "2025-06-30"),
        ("2026-02", "2026-02-01", "2026-02-28"),
        ("in 2025", "2025-01-01", "2025-12-31"),
        ("what was decided last week", "2026-05-04", "2026-05-10"),
        ("letzte Woche", "2026-05-04", "2026-05-10"),
        ("上周", "2026-05-04", "2026-05-10"),
        ("last month", "2026-04-01", "2026-04-30"),
        ("letzten Monat", "2026-04-01", "2026-04-30"),
        ("上个月", "2026-04-01", "2026-04-30"),
    ],
)
def test_a_range(text: str, first: str, last: str) -> None:
    assert read(text) == [(first, last)]


@pytest.mark.parametrize(
    "text",
    [
        *("may I ask", "march on", "who is Jan", "version 3/4 of 1.2.3 at 10:30", "port 2000"),
        *("31.02.2026", "2026-02-30", "build-2026-13-45", "0049-30-1234", "03/04/2026", "13月5日"),
        *("三明治", "9999-12-31", "", "how do we deploy"),
    ],
)
def test_what_is_no_date(text: str) -> None:
    assert read(text) == []


@given(st.text() | st.text(alphabet="0123456789-./ 年月日天前mayinago", max_size=60), st.dates())
def test_any_text_on_any_day(text: str, today: date) -> None:
    for one in days_in(text, today):
        assert one.first <= one.last <= max(LAST_DAY, today)
        assert one.words in text


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("2026-04-09 Launch moved", "2026-04-09"),
        ("- [2026-04-09 10:00] done", "2026-04-09"),
        ("## 9 April 2026", "2026-04-09"),
        ("April 9", None),  # of any year
        ("Launch on 2026-04-09", None),
        ("2026-04", None),
        ("plain", None),
    ],
)
def test_the_day_that_a_line_begins_with(line: str, found: str | None) -> None:
    assert day_at_start(line, TODAY) == (date.fromisoformat(found) if found else None)


def test_so_long_ago() -> None:
    assert [ago(word, TODAY) for word in ("3d", "1w", "1y", "d", "3x", "99999d", "9999y")] == [
        *(date(2026, 5, 10), date(2026, 5, 6), date(2025, 5, 13)),
        *(None, None, None, None),
    ]


def test_hostile_text_is_read_in_no_time() -> None:
    for text in ("1 " * 50_000, "vor " * 50_000, "2026-" * 50_000, "may " * 50_000):
        days_in(text, TODAY)
