"""The days that a query speaks of: dates, months and phrases such as ``last week``."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable
from datetime import date, timedelta
from functools import cache

from hippocampus_cli.retrieval.tokens import MONTHS

Days = tuple[date, date]
_LONGEST = 4_000  # characters of a query that are looked at for dates; a question is shorter

_MONTH = "(?P<month>" + "|".join(sorted(MONTHS, key=len, reverse=True)) + r")\b\.?"
_YEAR = r"(?P<year>(?:19|20)\d\d)\b"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?\b"
_GAP = r"[ ,]{1,3}"
# Months that are also common words or first names count only after one of these, or with a year.
_BEFORE = r"(?:in|during|since|until|throughout|of|from|early|mid|late|this|last)"
_PLAIN = "(?P<month>january|february|july|september|october|november|december)"
_WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
_HINTS = (*MONTHS, *_WEEKDAYS, "today", "tonight", "yesterday", "day", "week", "month", "year")
_COUNTS = {
    "a": 1,
    "an": 1,
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "a couple of": 2,
}


def days_in(text: str, today: date) -> tuple[tuple[Days, ...], str]:
    """The ranges of days, first and last, that ``text`` names, and ``text`` without those words.

    A day or month without a year is the latest such one not after ``today``.
    """
    found: list[Days] = []
    head, rest = text[:_LONGEST], text[_LONGEST:]
    for pattern, resolve in _patterns() if _may_name_days(head) else ():

        def take(match: re.Match[str], resolve: _Resolve = resolve) -> str:
            days = resolve(match, today)
            if days is None:
                return match[0]
            found.append(days)
            return " "

        head = pattern.sub(take, head)
    return tuple(dict.fromkeys(found)), head + rest


def _may_name_days(text: str) -> bool:
    """Whether it is worth compiling the patterns, which takes as long as a search."""
    text = text.lower()
    return any(char.isdigit() for char in text) or any(hint in text for hint in _HINTS)


_Resolve = Callable[[re.Match[str], date], Days | None]


def _iso(match: re.Match[str], today: date) -> Days | None:
    day = _date(int(match["year"]), int(match["month"]), int(match["day"]))
    return None if day is None else (day, day)


def _iso_month(match: re.Match[str], today: date) -> Days | None:
    month = int(match["month"])
    return _month(int(match["year"]), month) if 1 <= month <= 12 else None


def _named_day(match: re.Match[str], today: date) -> Days | None:
    month, number = MONTHS[match["month"].lower()], int(match["day"])
    if match["year"]:
        day = _date(int(match["year"]), month, number)
    else:  # eight years back: the 29th of February may be that far
        years = range(today.year, today.year - 9, -1)
        days = (_date(year, month, number) for year in years if year > 0)
        day = next((day for day in days if day and day <= today), None)
    return None if day is None else (day, day)


def _named_month(match: re.Match[str], today: date) -> Days | None:
    month = MONTHS[match["month"].lower()]
    year = match.groupdict().get("year")
    if year:
        return _month(int(year), month)
    return _month(today.year if month <= today.month else today.year - 1, month)


def _relative(match: re.Match[str], today: date) -> Days | None:
    word = match[0].lower()
    back = {"today": 0, "tonight": 0, "yesterday": 1, "day before yesterday": 2}[word]
    return _back(today, back, 0)


def _period(match: re.Match[str], today: date) -> Days | None:
    which, what = match["which"].lower(), match["what"].lower()
    last = which != "this"
    if what == "week":
        monday = today - timedelta(today.weekday())
        return _back(monday, 7, 6) if last else (monday, today)
    if what == "month":
        return _month(*_months_back(today, int(last)))
    return date(today.year - last, 1, 1), date(today.year - last, 12, 31)


def _weekday(match: re.Match[str], today: date) -> Days | None:
    gone = (today.weekday() - _WEEKDAYS.index(match["weekday"].lower())) % 7
    return _back(today, gone or 7, 0)


def _ago(match: re.Match[str], today: date) -> Days | None:
    written = match["count"].lower()
    count = _COUNTS.get(written) or int(written)
    what = match["what"].lower()
    if what == "day":
        return _back(today, count, 0)
    if what == "week":
        return _back(today, 7 * count + 3, 6)  # "two weeks ago" is no exact day
    year, month = _months_back(today, count)
    return _month(year, month) if year > 0 else None


def _past(match: re.Match[str], today: date) -> Days | None:
    count = _COUNTS.get((match["count"] or "one").lower()) or int(match["count"])
    length = {"day": 1, "week": 7, "month": 30}[match["what"].lower()] * count
    return _back(today, length, length)


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _month(year: int, month: int) -> Days:
    return date(year, month, 1), date(year, month, monthrange(year, month)[1])


def _months_back(today: date, count: int) -> tuple[int, int]:
    year, month = divmod(today.year * 12 + today.month - 1 - count, 12)
    return year, month + 1


def _back(today: date, days: int, length: int) -> Days | None:
    if days >= today.toordinal():
        return None
    first = today - timedelta(days)
    return first, first + timedelta(length)


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"\b{pattern}", re.IGNORECASE | re.ASCII)


_COUNT = r"(?P<count>\d{1,3}|a couple of|an?|one|two|three|four|five|six)"


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], _Resolve], ...]:
    return (
        (_compiled(r"(?P<year>\d{4})-(?P<month>\d\d)-(?P<day>\d\d)\b"), _iso),
        (_compiled(r"(?P<year>(?:19|20)\d\d)-(?P<month>\d\d)\b(?!-)"), _iso_month),
        (_compiled(rf"{_DAY} {{1,2}}(?:of )?{_MONTH}(?:{_GAP}{_YEAR})?"), _named_day),
        (_compiled(rf"{_MONTH} {{1,2}}{_DAY}(?:{_GAP}{_YEAR})?"), _named_day),
        (_compiled(rf"{_MONTH}{_GAP}(?:of )?{_YEAR}"), _named_month),
        (_compiled(rf"(?:{_BEFORE} ){_MONTH}"), _named_month),
        (_compiled(rf"{_PLAIN}\b"), _named_month),
        (_compiled(r"(?:day before yesterday|today|tonight|yesterday)\b"), _relative),
        (_compiled(r"(?P<which>last|this|previous) (?P<what>week|month|year)\b"), _period),
        (_compiled(rf"(?:on|last|this) (?P<weekday>{'|'.join(_WEEKDAYS)})\b"), _weekday),
        (_compiled(rf"{_COUNT} (?P<what>day|week|month)s? ago\b"), _ago),
        (_compiled(rf"(?:last|past) (?:{_COUNT} )?(?P<what>day|week|month)s?\b"), _past),
    )
