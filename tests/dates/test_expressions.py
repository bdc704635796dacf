"""Days that a query speaks of."""

from __future__ import annotations

from calendar import monthrange
from datetime import date, timedelta

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from hippocampus_cli.dates.expressions import days_in
from hippocampus_cli.text.tokenizer import MONTH_NAMES

TODAY = date(2026, 5, 13)  # a Wednesday
Days = tuple[date, date]
BEGINNING = date.min


def day(month: int, number: int, year: int = 2026) -> Days:
    return date(year, month, number), date(year, month, number)


def span(first: tuple[int, int], last: tuple[int, int], year: int = 2026) -> Days:
    return date(year, *first), date(year, *last)


def month(year: int, number: int) -> Days:
    return date(year, number, 1), date(year, number, monthrange(year, number)[1])


def read(text: str, today: date = TODAY) -> tuple[Days, ...]:
    return tuple(one.days for one in days_in(text, today)[0])


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("on 2026-03-12", day(3, 12)),
        ("12 March 2025", day(3, 12, 2025)),
        ("12th of march", day(3, 12)),
        ("March 12", day(3, 12)),
        ("March 12th, 2024", day(3, 12, 2024)),
        ("12.05.2026", day(5, 12)),
        ("Monday 11 May", day(5, 11)),
        ("the first of May", day(5, 1)),
        ("14 July", day(7, 14, 2025)),  # this year's is still to come
        ("29 February", day(2, 29, 2024)),
        ("12. Mai 2026", day(5, 12)),
        ("12 de mayo", day(5, 12)),
    ],
)
def test_a_day(text: str, days: Days) -> None:
    _assert_taken(text, days)


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("today", day(5, 13)),
        ("this morning", day(5, 13)),
        ("yesterday", day(5, 12)),
        ("yesterday evening", day(5, 12)),
        ("last night", span((5, 12), (5, 13))),
        ("the day before yesterday", day(5, 11)),
        ("tomorrow", day(5, 14)),
        ("on Monday", day(5, 11)),
        ("last Tuesday", day(5, 12)),
        ("last wednesday", day(5, 6)),
        ("Tuesday last week", day(5, 5)),
        ("on Friday morning", day(5, 8)),
        ("this Friday", day(5, 15)),
        ("next Friday", day(5, 15)),
        ("last week", span((5, 4), (5, 10))),
        ("this week", span((5, 11), (5, 13))),
        ("the week before last", span((4, 27), (5, 3))),
        ("the weekend", span((5, 9), (5, 10))),
        ("last month", month(2026, 4)),
        ("last quarter", span((1, 1), (3, 31))),
        ("last year", span((1, 1), (12, 31), 2025)),
        ("last winter", (date(2025, 12, 1), date(2026, 2, 28))),
        ("last May", month(2025, 5)),
        ("three days ago", day(5, 10)),
        ("two weeks ago", span((4, 26), (5, 2))),
        ("3 weeks ago", span((4, 19), (4, 25))),
        ("two months ago", month(2026, 3)),
        ("a few days ago", span((5, 6), (5, 11))),
        ("the other day", span((5, 6), (5, 12))),
        ("past 3 days", span((5, 10), (5, 13))),
        ("the past month", span((4, 13), (5, 13))),
    ],
)
def test_a_phrase_that_goes_by_today(text: str, days: Days) -> None:
    _assert_taken(text, days)


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("in May", month(2026, 5)),
        ("in June", month(2025, 6)),
        ("im Mai", month(2026, 5)),
        ("May 2024", month(2024, 5)),
        ("february", month(2026, 2)),
        ("july", month(2025, 7)),
        ("2026-02", month(2026, 2)),
        ("in 2025", span((1, 1), (12, 31), 2025)),
        ("early May", span((5, 1), (5, 10))),
        ("mid-May", span((5, 11), (5, 20))),
        ("in late April", span((4, 21), (4, 30))),
        ("the end of last month", span((4, 21), (4, 30))),
        ("early 2026", span((1, 1), (4, 30))),
        ("the second half of 2025", span((7, 1), (12, 31), 2025)),
        ("spring 2026", span((3, 1), (5, 31))),
        ("the summer of 2025", span((6, 1), (8, 31), 2025)),
        ("the week of 12 May", span((5, 11), (5, 17))),
        ("the weekend of May 2", span((5, 2), (5, 3))),
        ("the first week of May", span((5, 1), (5, 7))),
        ("the last day of April", day(4, 30)),
    ],
)
def test_a_longer_time(text: str, days: Days) -> None:
    _assert_taken(text, days)


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("between 3 and 9 May", span((5, 3), (5, 9))),
        ("from 3 to 9 May 2025", span((5, 3), (5, 9), 2025)),
        ("3-9 May", span((5, 3), (5, 9))),
        ("May 3–9", span((5, 3), (5, 9))),
        ("Feb 10 - Mar 3", span((2, 10), (3, 3))),
        ("between 2026-01-02 and 5 March", span((1, 2), (3, 5))),
        ("between March and June", span((3, 1), (6, 30))),
        ("from November to March", (date(2025, 11, 1), date(2026, 3, 31))),
        ("from March to May 2024", span((3, 1), (5, 31), 2024)),
        ("since March", span((3, 1), (5, 13))),
        ("seit März", span((3, 1), (5, 13))),
        ("since last Tuesday", span((5, 12), (5, 13))),
        ("after 2 May", span((5, 3), (5, 13))),
        ("before March", (BEGINNING, date(2026, 2, 28))),
        ("until the end of April", (BEGINNING, date(2026, 4, 30))),
        ("by 12 May", (BEGINNING, date(2026, 5, 12))),
        ("a month before 12 May", span((4, 5), (4, 19))),
        ("the day after 2 May", day(5, 3)),
        ("two days before last Friday", day(5, 6)),
    ],
)
def test_a_range(text: str, days: Days) -> None:
    _assert_taken(text, days)


def _assert_taken(text: str, days: Days) -> None:
    found, rest = days_in(f"deploy {text} notes", TODAY)
    assert [one.days for one in found] == [days]
    assert text.endswith(found[0].words)
    assert set(rest.split()) <= {"deploy", "notes", "im"}


@pytest.mark.parametrize(
    "text",
    [
        *("may I deploy", "march on", "April is a friend", "2026-02-31", "99 March", "0 May"),
        *("1234-99", "after 2000 frames", "on which days", "in winter", "second to none"),
        *("until when", "the week before the fair", "Monday's standup", "by 12", "the 12th man"),
        *("at 09:15 May said so", "03:15 to 18"),
        *("a day early", "between you and me", "last words", "from 3 to 9", "version 4.10.2025.1"),
    ],
)
def test_what_is_no_date_is_left_alone(text: str) -> None:
    assert days_in(text, TODAY) == ((), text)


def test_several_dates_are_all_taken() -> None:
    found, rest = days_in("on 2026-01-02 or 5 March", TODAY)
    assert [one.days for one in found] == [day(1, 2), day(3, 5)]
    assert rest.split() == ["or"]


def test_a_quarter_is_a_time_and_a_word() -> None:
    found, rest = days_in("the Q2 order", TODAY)
    assert [one.days for one in found] == [span((4, 1), (6, 30))]
    assert rest == "the Q2 order"


@given(st.text(), st.dates())
def test_any_text_on_any_day(text: str, today: date) -> None:
    _assert_sane(text, today)


WORDS = (
    *(
        "the",
        "a",
        "of",
        "in",
        "on",
        "since",
        "before",
        "after",
        "until",
        "between",
        "and",
        "from",
        "to",
    ),
    *(
        "last",
        "this",
        "next",
        "early",
        "end",
        "late",
        "first",
        "second",
        "past",
        "half",
        "few",
        "couple",
    ),
    *(
        "week",
        "weeks",
        "weekend",
        "day",
        "month",
        "months",
        "quarter",
        "year",
        "ago",
        "today",
        "yesterday",
    ),
    *(
        "3",
        "12",
        "31",
        "2026",
        "2025-13",
        "2024-02-29",
        "999",
        "may",
        "May",
        "march",
        "february",
        "Q3",
    ),
    *("spring", "tuesday", "morning", "launch", "-", "–", ",", "."),
)


@given(st.lists(st.sampled_from(WORDS), max_size=12), st.dates())
def test_any_words_of_dates_on_any_day(words: list[str], today: date) -> None:
    _assert_sane(" ".join(words), today)


@given(
    st.sampled_from(
        [
            *("yesterday", "last week", "999 weeks ago", "99 months ago", "on friday", "tomorrow"),
            *(
                "next year",
                "999 years before today",
                "since yesterday",
                "next winter",
                "the weekend",
            ),
        ]
    ),
    st.dates(max_value=date.min + timedelta(400)) | st.dates(min_value=date.max - timedelta(400)),
)
def test_the_ends_of_the_calendar(text: str, today: date) -> None:
    _assert_sane(text, today)


def _assert_sane(text: str, today: date) -> None:
    found, rest = days_in(text, today)
    for one in found:
        assert one.first <= one.last < date.max
        assert one.words in text
    assert len(rest) <= len(text) + len(found)


SOME_DAY = st.dates(date(1990, 1, 1), date(2090, 12, 31))


@given(SOME_DAY, SOME_DAY)
def test_a_day_in_full_is_that_day_whenever_it_is_asked_for(asked: date, today: date) -> None:
    name = MONTH_NAMES[asked.month - 1]
    for text in (
        asked.isoformat(),
        f"{asked.day} {name} {asked.year}",
        f"{name} {asked.day}, {asked.year}",
    ):
        assert read(text, today) == ((asked, asked),)


@given(SOME_DAY, SOME_DAY)
def test_a_day_without_a_year_is_the_latest(asked: date, today: date) -> None:
    [(first, last)] = read(f"on {asked.day} {MONTH_NAMES[asked.month - 1]}", today)
    assert first == last <= today
    assert (first.month, first.day) == (asked.month, asked.day)
    assert (today - first).days < (366 if (asked.month, asked.day) != (2, 29) else 9 * 366)


@given(SOME_DAY, st.integers(1, 99))
def test_days_and_weeks_ago_are_counted_on_the_calendar(today: date, count: int) -> None:
    assert read(f"{count} days ago", today) == ((today - timedelta(count),) * 2,)
    [(first, last)] = read(f"{count} weeks ago", today)
    assert first <= today - timedelta(7 * count) <= last
    assert (last - first).days == 6


@given(SOME_DAY)
def test_a_week_begins_on_monday_and_a_month_on_its_first(today: date) -> None:
    [(monday, sunday)] = read("last week", today)
    assert (monday.weekday(), sunday.weekday()) == (0, 6)
    assert 1 <= (today - sunday).days <= 7
    [(first, last)] = read("last month", today)
    assert first.day == 1
    assert last + timedelta(1) == today.replace(day=1)


@given(SOME_DAY, SOME_DAY)
def test_a_range_holds_both_its_ends_and_all_between(one: date, other: date) -> None:
    first, last = sorted((one, other))
    assert read(f"between {first} and {last}") == ((first, last),)
    assert read(f"from {last} to {first}") == ((first, last),)


@given(SOME_DAY)
def test_before_and_since_part_the_calendar(asked: date) -> None:
    assume(asked <= TODAY)
    [(_, before)] = read(f"before {asked}")
    [(since, until)] = read(f"since {asked}")
    assert (before + timedelta(1), since, until) == (asked, asked, TODAY)


def test_only_the_beginning_of_an_endless_query_is_read() -> None:
    text = "1 " * 50_000 + "yesterday"
    assert days_in(text, TODAY) == ((), text)
