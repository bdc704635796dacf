"""Names of days, weeks, months, quarters, seasons and years: the ends that phrases of dates are made of."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date
from functools import cache
from typing import NamedTuple

from hippocampus_cli.dates import calendar
from hippocampus_cli.dates.calendar import Days, Part
from hippocampus_cli.text.tokenizer import ALL_MONTHS, MONTHS

WEEKDAYS = {
    name: number
    for number, names in enumerate(
        (
            *("monday montag", "tuesday dienstag", "wednesday mittwoch", "thursday donnerstag"),
            *("friday freitag", "saturday samstag", "sunday sonntag"),
        )
    )
    for name in names.split()
}
"""The number of a weekday, Monday 0, by its name in lower case."""

# Months that are also words or names: alone they count only after one of BEFORE_MONTH.
DOUBTFUL = frozenset(
    (
        *(name for name in MONTHS if len(name) < 4),
        "sept",
        "march",
        "april",
        "june",
        "august",
        "mai",
        "mayo",
    )
)
BEFORE_MONTH = frozenset(
    ["in", "during", "throughout", "of", "from", "this", "last", "im", "en", "since", "until"]
)

SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
"""The first month of a season (meteorological, northern)."""
THIRDS = {"early": 0, "mid": 1, "late": 2, "beginning": 0, "start": 0, "middle": 1, "end": 2}
ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "last": 0}
PARTS_OF_DAY = frozenset(["morning", "afternoon", "evening", "night", "noon", "lunchtime"])
UNITS = {"day": 1, "week": 7, "fortnight": 14, "month": 30, "quarter": 91, "year": 365}
"""About how many days a unit has."""
COUNTS = {
    "a": 1,
    "an": 1,
    "the": 1,
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "eleven": 11,
    "twelve": 12,
}
_OTHER_HINTS = (
    *("today", "tonight", "yesterday", "tomorrow", "morning", "afternoon", "evening", "night"),
    *("day", "week", "fortnight", "month", "quarter", "year"),
)
_HINTS = (*ALL_MONTHS, *WEEKDAYS, *SEASONS, *_OTHER_HINTS)
_ANCHORS = frozenset(
    (*ALL_MONTHS, *WEEKDAYS, *SEASONS, *_OTHER_HINTS, "weekend", "q1", "q2", "q3", "q4")
)
_ORDINAL = re.compile(r"(\d{1,2})(?:st|nd|rd|th|er|[ºª])?", re.ASCII)
_NUMBERS = re.compile(r"\d+", re.ASCII)
_YEAR = re.compile(r"(?:19|20)\d\d", re.ASCII)


class Word(NamedTuple):
    """A word in lower case, the characters between it and the one before, and where it stands."""

    text: str
    gap: str
    start: int
    end: int


def words_in(text: str) -> list[Word]:
    """The words of ``text``; a date in digits is one."""
    words: list[Word] = []
    end = 0
    for found in _pattern().finditer(text):
        words.append(Word(found[0].lower(), text[end : found.start()], found.start(), found.end()))
        end = found.end()
    return words


def may_name_days(text: str) -> bool:
    """Whether ``text`` is worth reading for dates: most queries name none."""
    text = text.lower()
    return any(char.isdigit() for char in text) or any(hint in text for hint in _HINTS)


def is_anchor(word: str) -> bool:
    """Whether a word may be the core of a date; around others there is none."""
    return word[0].isdigit() or word in _ANCHORS or unit_name(word) is not None


def day_number(word: str) -> int | None:
    """The number in ``12`` or ``12th``, 1 to 31."""
    found = _ORDINAL.fullmatch(word)
    return int(found[1]) if found and 1 <= int(found[1]) <= 31 else None


def year_number(word: str) -> int | None:
    """The number of a year from 1900 to 2099."""
    return int(word) if _YEAR.fullmatch(word) else None


def count_number(word: str) -> int | None:
    """The number in ``two`` or ``12``, up to 999."""
    if word in COUNTS:
        return COUNTS[word]
    return int(word) if word.isascii() and word.isdigit() and 0 < len(word) <= 3 else None


def unit_name(word: str) -> str | None:
    """``week`` for ``week`` and ``weeks``, likewise the other :data:`UNITS`."""
    singular = word.removesuffix("s")
    return singular if singular in UNITS else None


@cache
def _pattern() -> re.Pattern[str]:
    return re.compile(
        r"(?<![\w-])\d{4}-\d\d(?:-\d\d)?(?![\d]|-\d)"
        r"|(?<![\w./-])(?:\d{4}([-/.])\d{1,2}\1\d{1,2}|\d{1,2}([-/.])\d{1,2}\2\d{4})(?![\w/-]|\.\w)"
        r"|\d+(?::\d\d)+|\w+"
    )


_WHICH = {"last": -1, "previous": -1, "this": 0, "current": 0, "next": 1}
_QUARTERS = {"q1": 1, "q2": 2, "q3": 3, "q4": 4}
_NTH = {"first": 1, "second": 2, "third": 3, "fourth": 4}
_VAGUE = {"few": (2, 7), "couple": (2, 2), "several": (3, 10)}
_YEARS_BACK = 20  # a number alone is a year only if it is near


class Names:
    """The names in ``words``, read on the day ``today``."""

    def __init__(self, words: Sequence[Word], today: date) -> None:
        self._words = words
        self._today = today

    def read(self, at: int, announced: bool = False) -> Part | None:
        """The days that the words from ``at`` on are a name of.

        ``announced``: a word before them, such as ``since``, already says that a date follows.
        """
        if not announced and self._text(at) in (
            "on",
            "in",
            "during",
            "over",
            "at",
            "from",
            "of",
            "the",
        ):
            skipped = at + 1 + (self._text(at + 1) == "the" and self._text(at) != "the")
            announced = self._text(at) != "the"
            return self.read(skipped, True) if announced else self._plain(skipped, False)
        return self._plain(at + (self._text(at) == "the"), announced)

    def _plain(self, at: int, announced: bool) -> Part | None:
        kinds: tuple[Callable[[int, bool], Part | None], ...] = (
            self._digits,
            self._day_of_month,
            self._relative,
            self._which,
            self._past,
            self._weekday,
            self._month,
            self._quarter,
            self._season,
            self._year,
        )
        return next(filter(None, (kind(at, announced) for kind in kinds)), None)

    def _digits(self, at: int, announced: bool) -> Part | None:
        """``2026-05-12``, ``2026-05``, ``2026/5/12``, ``12.05.2026``, ``25/12/2026``, ``12/25/2026``."""
        parts = _NUMBERS.findall(self._text(at))
        if len(parts) == 2 and "-" in self._text(at) and len(parts[0]) == 4:
            year, month = map(int, parts)
            known = 1900 <= year < 2100 and 1 <= month <= 12
            return _part(calendar.months(year, month), at + 1) if known else None
        if len(parts) != 3 or ":" in self._text(at):
            return None
        if len(parts[0]) == 4:
            return _part(calendar.day(*map(int, parts)), at + 1)
        number, month, year = map(int, parts)
        if "/" in self._text(at) and number <= 12:
            if month <= 12 and number != month:
                return None  # a day first in most countries, a month first in some
            number, month = month, number
        return _part(calendar.day(year, month, number), at + 1)

    def _day_of_month(self, at: int, announced: bool) -> Part | None:
        """``12 May``, ``the 12th of May 2026``, ``May 12th, 2026``, ``12. Mai``, ``12 de mayo``."""
        days, end, open_year = self._dated(at)
        return _part(days, end, open_year)

    def no_day(self, at: int) -> int:
        """Where a date ends that the calendar does not have, such as ``30 February``; 0 if there is none."""
        days, end, _ = self._dated(at)
        return 0 if days else end or self._no_digits(at)

    def _no_digits(self, at: int) -> int:
        word = self._text(at)
        parts = re.split(r"[-./]", word)
        parts = parts if len(parts[0]) == 4 else parts[::-1]
        if len(parts) != 3 or not all(map(str.isdigit, parts)) or year_number(parts[0]) is None:
            return 0
        if "/" in word and int(parts[1]) > 12 >= int(parts[2]):
            return 0  # the month first
        return 0 if self._digits(at, True) else at + 1

    def _dated(self, at: int) -> tuple[Days | None, int, bool]:
        """The day of a month, where its words end (0 if there are none), and whether its year is left open."""
        if number := day_number(self._text(at)):
            named = at + 1 + (self._text(at + 1) in ("of", "de"))
        else:
            named = at
            number = day_number(self._text(at + 1)) or 0
        month = ALL_MONTHS.get(self._text(named))
        end = max(named, at + 1) + 1
        dashed = end == at + 2 and self._gap(end - 1) == self._gap(end) in ("-", "/")
        if not number or not month or not (dashed or all(map(self._near, range(at + 1, end)))):
            return None, 0, False
        joined = end + (self._text(end) in ("of", "de") or ":" in self._text(end))
        near = self._near(joined) or (joined == end and self._gap(end) == self._gap(end - 1) != "")
        if (year := year_number(self._text(joined))) and near:
            return calendar.day(year, month, number), joined + 1, False
        # eight years back: the 29th of February may be that far
        years = range(self._today.year, max(self._today.year - 9, 0), -1)
        all_days = (calendar.day(year, month, number) for year in years)
        days = next((days for days in all_days if days and days[0] <= self._today), None)
        return days, end, True

    def _relative(self, at: int, announced: bool) -> Part | None:
        """``today``, ``yesterday evening``, ``this morning``, ``last night``, ``the day before yesterday``."""
        words = [self._text(at + ahead) for ahead in range(3)]
        length, steps = 1, {"yesterday": -1, "today": 0, "tonight": 0, "tomorrow": 1}.get(words[0])
        if words == ["day", "before", "yesterday"]:
            length, steps = 3, -2
        elif words == ["day", "after", "tomorrow"]:
            length, steps = 3, 2
        elif words == ["week", "before", "last"]:
            return _part(calendar.week(self._today, -2), at + 3)
        elif words[:2] == ["other", "day"]:
            return _part(self._back(7, 1), at + 2)
        elif words[:2] == ["last", "night"]:
            return _part(self._back(1, 0), at + 2)
        elif words[0] == "this" and words[1] in PARTS_OF_DAY:
            length, steps = 2, 0
        elif steps is not None and words[1] in PARTS_OF_DAY:
            length = 2
        day = None if steps is None else calendar.shifted(self._today, steps)
        return _part(calendar.run(day, day), at + length) if day else None

    def _which(self, at: int, announced: bool) -> Part | None:
        """``last week``, ``this quarter``, ``next month``, ``last spring``, ``the weekend``, ``last Friday``."""
        which, what = _WHICH.get(self._text(at)), self._text(at + 1)
        if self._text(at) == "weekend" and self._text(at - 1) == "the":
            latest = calendar.weekend(self._today)
            gone = latest is None or latest[0] > self._today
            return _part(calendar.weekend(self._today, -gone), at + 1)
        if which is None or not self._near(at + 1):
            return None
        if what in WEEKDAYS:
            return _part(self._day_of_week(WEEKDAYS[what], self._text(at)), at + 2)
        if month := ALL_MONTHS.get(what):
            year = self._today.year
            if which:
                nearest = month < self._today.month if which < 0 else month <= self._today.month
                year += which if nearest == (which > 0) else 0
            return _part(calendar.months(year, month), at + 2)
        if what in SEASONS:
            return _part(self._season_days(what, which), at + 2)
        return _part(self._whole(what, which), at + 2)

    def _whole(self, what: str, which: int) -> Days | None:
        """The last (-1), this (0) or next (1) week, weekend, month, quarter or year."""
        today = self._today
        if what == "week":
            days = calendar.week(today, which)
            return (days[0], today) if days and not which else days
        if what == "weekend":
            return calendar.weekend(today, which)
        if what == "month":
            return calendar.months(today.year, today.month + which)
        if what == "quarter":
            return calendar.months(today.year, (today.month - 1) // 3 * 3 + 1 + 3 * which, 3)
        return calendar.months(today.year + which, 1, 12) if what == "year" else None

    def _past(self, at: int, announced: bool) -> Part | None:
        """``last 3 days``, ``next two weeks``, ``a few days ago``, ``a couple of weeks ago``."""
        ago = self._text(at) == "a" or self._text(at) in _VAGUE
        start = at + (self._text(at) in ("a", "last", "past", "next"))
        vague = _VAGUE.get(self._text(start))
        least, count = vague or (0, count_number(self._text(start)) or 0)
        start += bool(count) + (self._text(start + 1) == "of")
        unit = unit_name(self._text(start))
        if self._text(at) == "past" and not count and unit:
            count = 1
        if not count or not unit:
            return None
        if ago and vague and self._text(start + 1) == "ago":
            slack = UNITS[unit] // 2
            return _part(
                self._back(count * UNITS[unit] + slack, least * UNITS[unit] - slack), start + 2
            )
        if self._text(at) in ("last", "past"):
            return _part(self._back(count * UNITS[unit], 0), start + 1)
        if self._text(at) == "next":
            return _part(self._back(0, -count * UNITS[unit]), start + 1)
        return None

    def _weekday(self, at: int, announced: bool) -> Part | None:
        """``on Monday``, ``Tuesday last week``, ``Friday morning``, ``Monday 11 May``."""
        weekday = WEEKDAYS.get(self._text(at))
        if weekday is None:
            return None
        if self._near(at + 1) and (
            dated := self._day_of_month(at + 1, True) or self._digits(at + 1, True)
        ):
            return dated
        if (which := _WHICH.get(self._text(at + 1))) is not None and self._text(at + 2) == "week":
            days = calendar.week(self._today, which)
            day = calendar.shifted(days[0], weekday) if days else None
            return _part(calendar.run(day, day), at + 3) if day else None
        part_of_day = self._text(at + 1) in PARTS_OF_DAY
        if not announced and not part_of_day:
            return None
        days = self._day_of_week(weekday, "on")
        # A name that is one word in its own language (月曜日) may be what a note is about: it is looked for too.
        in_one_word = at > 0 and self._words[at - 1].start == self._words[at].start
        return (_kept if in_one_word else _part)(days, at + 1 + part_of_day)

    def _day_of_week(self, weekday: int, which: str) -> Days | None:
        """The latest such day before today; with ``this`` that of this week, with ``next`` the first to come."""
        behind = (self._today.weekday() - weekday) % 7 or 7
        if which == "this":
            behind = self._today.weekday() - weekday
        elif which == "next":
            behind -= 7 if behind < 7 else 14
        day = calendar.shifted(self._today, -behind)
        return calendar.run(day, day) if day else None

    def _month(self, at: int, announced: bool) -> Part | None:
        """``May 2026``, ``february``, ``in May``."""
        month = ALL_MONTHS.get(self._text(at))
        if month is None or any(self.no_day(start) > at for start in range(at - 2, at + 1)):
            return None  # "February 30" is not all of February
        joined = at + 1 + (self._text(at + 1) in ("of", "de"))
        if (year := year_number(self._text(joined))) and self._near(joined):
            return _part(calendar.months(year, month), joined + 1)
        if self._text(at) in DOUBTFUL and not announced and self._text(at - 1) not in BEFORE_MONTH:
            return None
        year = self._today.year - (month > self._today.month)
        return _part(calendar.months(year, month), at + 1, open_year=True)

    def _quarter(self, at: int, announced: bool) -> Part | None:
        """``Q2``, ``Q2 2026``, ``2026 Q2``, ``the second quarter of 2026``."""
        leading = year_number(self._text(at)) if self._text(at + 1) in _QUARTERS else None
        at += leading is not None
        number, end = _QUARTERS.get(self._text(at)), at + 1
        if number is None and self._text(at + 1) == "quarter":
            number, end = _NTH.get(self._text(at)), at + 2
        if number is None:
            return None
        joined = end + (self._text(end) == "of")
        year = leading or year_number(self._text(joined))
        if year:
            end = end if leading else joined + 1
            return _kept(calendar.months(year, 3 * number - 2, 3), end)
        year = self._today.year - (3 * number - 2 > self._today.month)
        return _kept(calendar.months(year, 3 * number - 2, 3), end, open_year=True)

    def _season(self, at: int, announced: bool) -> Part | None:
        """``spring 2026``, ``the summer of 2025``: without a year a season is just a time of the year."""
        start = SEASONS.get(self._text(at))
        joined = at + 1 + (self._text(at + 1) == "of")
        year = year_number(self._text(joined))
        if start is None or year is None or not self._near(joined):
            return None
        return _part(calendar.months(year, start, 3), joined + 1)

    def _season_days(self, name: str, which: int) -> Days | None:
        year, start = self._today.year, SEASONS[name]
        if which == 0:
            return calendar.months(year - (start == 12 and self._today.month < 3), start, 3)
        for tried in range(year, year - 3, -1) if which < 0 else range(year, year + 3):
            days = calendar.months(tried, start, 3)
            if days and (days[1] < self._today if which < 0 else days[0] > self._today):
                return days
        return None

    def _year(self, at: int, announced: bool) -> Part | None:
        """``in 2025``."""
        year = year_number(self._text(at))
        if year is None or not announced or not -_YEARS_BACK <= year - self._today.year <= 1:
            return None
        return _part(calendar.months(year, 1, 12), at + 1)

    def _back(self, first: int, last: int) -> Days | None:
        start, end = calendar.shifted(self._today, -first), calendar.shifted(self._today, -last)
        return calendar.run(start, end) if start and end else None

    def _text(self, at: int) -> str:
        return self._words[at].text if 0 <= at < len(self._words) else ""

    def _gap(self, at: int) -> str:
        return self._words[at].gap.strip() if at < len(self._words) else ""

    def _near(self, at: int) -> bool:
        """Whether only space or a comma stands before the word: dates do not go over a full sentence."""
        return at < len(self._words) and not self._words[at].gap.strip(" \t\r\n,.")


def _part(days: Days | None, end: int, open_year: bool = False) -> Part | None:
    return Part(days, end, open_year) if days else None


def _kept(days: Days | None, end: int, open_year: bool = False) -> Part | None:
    return Part(days, end, open_year, kept=True) if days else None
