"""Runs of days on the calendar: months, quarters, seasons, weeks, and steps from one to another.

Everything that would leave the calendar is ``None``, and no span ends on its very last day, so that
there is always a day after.
"""

from __future__ import annotations

from datetime import date, timedelta

from hippocampus_cli.fast_types import NamedTuple

Days = tuple[date, date]
"""A first and a last day, both inclusive."""
LAST = date.max - timedelta(1)
_SHORT = {"d": 1, "w": 7, "m": 30, "y": 365}


class Part(NamedTuple):
    """Days that words from one index up to another name. ``open_year``: of a year nobody said.

    ``kept``: the words also tell what the text is about, so they are looked for too (``Q3``).
    """

    days: Days
    end: int
    open_year: bool = False
    kept: bool = False


def day(year: int, month: int, number: int) -> Days | None:
    """One day; ``None`` if there is none such."""
    try:
        found = date(year, month, number)
    except ValueError:
        return None
    return run(found, found)


def run(first: date, last: date) -> Days | None:
    """From ``first`` to ``last``; ``None`` if that is no time at all."""
    last = min(last, LAST)
    return (first, last) if first <= last else None


def months(year: int, month: int, count: int = 1) -> Days | None:
    """``count`` whole months, of which the first is ``month``; it may be below 1 or above 12."""
    year, month = _carried(year, month)
    end_year, end_month = _carried(year, month + count - 1)
    if not (year >= 1 and end_year <= 9999):
        return None
    end = date(end_year, end_month, _last_day(end_year, end_month))
    return run(date(year, month, 1), end)


def _last_day(year: int, month: int) -> int:
    """The last day's number; the standard library's calendar loads the locale, for which every query would wait."""
    return 31 if month == 12 else (date(year, month + 1, 1) - timedelta(1)).day


def shifted(start: date, number: int) -> date | None:
    """The day ``number`` days later, or earlier where it is negative."""
    ordinal = start.toordinal() + number
    return date.fromordinal(ordinal) if 1 <= ordinal <= LAST.toordinal() else None


def months_later(start: date, count: int) -> date | None:
    """The same day ``count`` months later, or earlier; the month's last day where it has no such day."""
    year, month = _carried(start.year, start.month + count)
    if not 1 <= year <= 9999:
        return None
    return min(date(year, month, min(start.day, _last_day(year, month))), LAST)


def around(middle: date | None, slack: int) -> Days | None:
    """``slack`` days on either side of a day."""
    if middle is None:
        return None
    first, last = shifted(middle, -slack), shifted(middle, slack)
    return run(first or date.min, last or LAST)


def week(inside: date, weeks: int = 0) -> Days | None:
    """Monday to Sunday around a day, or so many weeks later."""
    monday = shifted(inside, 7 * weeks - inside.weekday())
    return None if monday is None else run(monday, shifted(monday, 6) or LAST)


def weekend(inside: date, weeks: int = 0) -> Days | None:
    """Saturday and Sunday of :func:`week`."""
    found = week(inside, weeks)
    return run(shifted(found[0], 5) or LAST, found[1]) if found else None


def third(whole: Days, which: int) -> Days | None:
    """The early (0), middle (1) or late (2) third: of a month the days 1 to 10, 11 to 20, and the rest."""
    if _is_year(whole):
        return months(whole[0].year, 1 + 4 * which, 4)
    length = ((whole[1] - whole[0]).days + 1) // 3
    first = whole[0] + timedelta(length * which)
    return run(first, whole[1] if which == 2 else first + timedelta(length - 1))


def half(whole: Days, which: int) -> Days | None:
    """The first (0) or second (1) half."""
    if _is_year(whole):
        return months(whole[0].year, 1 + 6 * which, 6)
    length = ((whole[1] - whole[0]).days + 1) // 2
    middle = whole[0] + timedelta(length)
    return run(middle, whole[1]) if which else run(whole[0], middle - timedelta(1))


def years_later(days: Days, count: int) -> Days | None:
    """The same days so many years later; the 29th of February becomes the 28th."""
    first, last = (months_later(end, 12 * count) for end in days)
    return run(first, last) if first and last else None


def short_ago(word: str, today: date) -> date | None:
    """The day that ``30d``, ``6w``, ``3m`` (30 days each) or ``1y`` (365 days) says, so long ago."""
    number, unit = word[:-1], _SHORT.get(word[-1:])
    if unit is None or not (number.isascii() and number.isdigit() and len(number) < 5):
        return None
    return shifted(today, -int(number) * unit)


def _is_year(days: Days) -> bool:
    return months(days[0].year, 1, 12) == days


def _carried(year: int, month: int) -> tuple[int, int]:
    years, month = divmod(month - 1, 12)
    return year + years, month + 1
