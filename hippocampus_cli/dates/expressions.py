"""Date expressions: what a text says of days, as ranges of days (``late May``, ``since March``, ``3 weeks ago``).

A phrase is read word by word, from the longest kind (a range) to the shortest (a day). A day, month or
weekday without a year is the latest such one not after today. Nothing is ever raised, whatever the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date
from functools import cache, lru_cache
from typing import NamedTuple

from hippocampus_cli.dates import calendar
from hippocampus_cli.dates.calendar import Days, Part
from hippocampus_cli.dates.languages import may_be_foreign, words_of_dates
from hippocampus_cli.dates.names import (
    ORDINALS,
    THIRDS,
    UNITS,
    Names,
    Word,
    count_number,
    day_number,
    is_anchor,
    may_name_days,
    unit_name,
    words_in,
)

_LONGEST_IMPOSSIBLE = 4_000  # characters that are looked at
_MOST_IMPOSSIBLE = 3


def no_days(text: str, today: date) -> tuple[str, ...]:
    """The words of ``text``, in its order, that are written as a day and are none."""
    head = text[:_LONGEST_IMPOSSIBLE]
    words = words_in(head)
    names = Names(words, today)
    found: dict[int, str] = dict(_like_iso(head))
    at = 0
    while at < len(words) and len(found) < _MOST_IMPOSSIBLE:
        end = names.no_day(at)
        if end:
            found[words[at].start] = head[words[at].start : words[end - 1].end]
        at = max(end, at + 1)
    return tuple(dict.fromkeys(found[start] for start in sorted(found)))[:_MOST_IMPOSSIBLE]


def _like_iso(text: str) -> Iterator[tuple[int, str]]:
    """Where such dates stand that begin with their year, and how they are written."""
    for one in _year_first().finditer(text):
        if calendar.day(int(one[1]), int(one[3]), int(one[4])) is None:
            yield one.start(), one[0]


@cache
def _year_first() -> re.Pattern[str]:
    return re.compile(r"(?<![\w./-])((?:19|20)\d\d)([-/])(\d\d?)\2(\d\d?)(?![\w/-]|\.\w)", re.ASCII)


_TO = frozenset(["to", "until", "till", "through", "thru", "and", "bis"])
_OPEN = {"since": "since", "after": "after", "before": "before", "until": "until", "till": "until"}
_OPEN |= {"by": "until", "from": "since", "seit": "since", "vor": "before", "nach": "after"}
_SLACK = {"day": 0, "week": 3, "fortnight": 3, "month": 7, "quarter": 15, "year": 30}
_FROM = frozenset(["between", "from", "zwischen", "von", "vom"])
_ADJECTIVES = frozenset(["early", "mid", "late"])


class Phrases:
    """The phrases in ``words``, read on the day ``today``."""

    def __init__(self, words: Sequence[Word], today: date) -> None:
        self._words = words
        self._today = today
        self._names = Names(words, today)

    def read(self, at: int) -> Part | None:
        """The days that the words from ``at`` on name, as many words as make sense; else ``None``."""
        return self._range(at) or self._open(at) or self._point(at)

    def _range(self, at: int) -> Part | None:
        """``between 3 and 9 May``, ``from March to May 2025``, ``3-9 May``, ``May 3 to 9``."""
        announced = self._text(at) in _FROM
        for first in self._starts(at + announced, announced):
            joint = first.end
            if not self._dashed(joint) and self._text(joint) not in _TO:
                continue
            if self._text(joint) == "and" and not announced:
                continue
            if last := self._last(first, joint + (not self._dashed(joint))):
                return last
        return None

    def _starts(self, at: int, announced: bool) -> Iterator[Part]:
        """What may be the first end of a range; a bare number takes its month from the second end."""
        if part := self._point(at, announced):
            yield part
        if number := day_number(self._text(at)):
            second = at + 1 + (not self._dashed(at + 1))
            other = self._point(second)
            if other and other.days[0] == other.days[1]:
                day = other.days[0]
                if start := calendar.day(day.year, day.month, number):
                    yield Part(start, at + 1, other.open_year)

    def _last(self, first: Part, at: int) -> Part | None:
        """The whole range, where its second end stands at ``at``."""
        if last := self._point(at, announced=True):
            return _joined(first, last)
        number, start = day_number(self._text(at)), first.days[0]
        if number and first.days == (start, start):  # "May 3 to 9"
            end = calendar.day(start.year, start.month, number)
            return _joined(first, Part(end, at + 1, first.open_year)) if end else None
        return None

    def _open(self, at: int) -> Part | None:
        """``since March``, ``before June``, ``until the end of May``, ``after 12 May``."""
        which = _OPEN.get(self._text(at))
        part = self._point(at + 1, announced=True) if which else None
        if part is None or (self._text(at) in _FROM and part.days[0] != part.days[1]):
            return None  # "notes from May" are those of May
        days = self._opened(which or "", *part.days)
        return part._replace(days=days) if days else None

    def _opened(self, which: str, first: date, last: date) -> Days | None:
        if which == "since":
            return calendar.run(first, self._today)
        if which == "until":
            return calendar.run(date.min, last)
        if which == "after":
            start = calendar.shifted(last, 1)
            return calendar.run(start, self._today) if start else None
        end = calendar.shifted(first, -1)
        return calendar.run(date.min, end) if end else None

    def _away(self, at: int, announced: bool) -> Part | None:
        """``three weeks ago``, ``in 3 days``, ``a month before 12 May``, ``the day after 12 May``."""
        at += self._text(at) in ("about", "around")
        inside = self._text(at) == "in"
        at += inside
        count, unit = count_number(self._text(at)), unit_name(self._text(at + 1))
        if not count or not unit or not self._near(at + 1):
            return None
        joint = self._text(at + 2)
        if joint == "ago" and self._text(at) != "the":
            return _part(ago(self._today, count, unit), at + 3)
        if joint == "from" and self._text(at + 3) == "now":
            return _part(ago(self._today, -count, unit), at + 4)
        if inside and self._text(at) != "the":
            return _part(ago(self._today, -count, unit), at + 2)
        part = self._point(at + 3, announced=True) if joint in ("before", "after") else None
        if part is None:
            return None
        later = joint == "after"
        if self._text(at) == "the":
            return _part(adjoining(part.days, unit, later=later), part.end)
        return _part(away(part.days, count, unit, later=later), part.end)

    def _week_of(self, at: int, announced: bool) -> Part | None:
        """``the week of 12 May``, ``the weekend of May 16``."""
        at += self._text(at) == "the"
        if self._text(at) not in ("week", "weekend") or self._text(at + 1) not in ("of", "from"):
            return None
        part = self._point(at + 2, announced=True)
        if part is None or part.days[0] != part.days[1]:
            return None
        whole = calendar.week if self._text(at) == "week" else calendar.weekend
        return _part(whole(part.days[0]), part.end)

    def _part_of(self, at: int, announced: bool) -> Part | None:
        """``early May``, ``mid-May``, ``the end of last month``."""
        at += self._text(at) in ("in", "at")
        at += self._text(at) == "the"
        which = THIRDS.get(self._text(at))
        joined = self._text(at + 1) in ("of", "in")
        if which is None or not (joined or self._text(at) in _ADJECTIVES):
            return None
        whole = self._names.read(at + 1 + joined, announced=True)
        if whole is None or (whole.days[1] - whole.days[0]).days < 6:
            return None
        return _part(calendar.third(whole.days, which), whole.end, whole.open_year)

    def _nth(self, at: int, announced: bool) -> Part | None:
        """``the first week of May``, ``the first of May``, ``the second half of 2025``."""
        at += self._text(at) == "in"
        at += self._text(at) == "the"
        number, unit = ORDINALS.get(self._text(at)), self._text(at + 1)
        of = at + 1 if unit == "of" else at + 2
        if number is None or self._text(of) != "of":
            return None
        whole = self._names.read(of + 1, announced=True)
        days = nth(whole.days, number, "day" if unit == "of" else unit) if whole else None
        return _part(days, whole.end, whole.open_year) if whole else None

    def _point(self, at: int, announced: bool = False) -> Part | None:
        """Days without a range around them. ``announced``: after a word that says that a date follows."""
        kinds = (self._week_of, self._part_of, self._nth, self._away, self._names.read)
        return next(filter(None, (kind(at, announced) for kind in kinds)), None)

    def _text(self, at: int) -> str:
        return self._words[at].text if 0 <= at < len(self._words) else ""

    def _dashed(self, at: int) -> bool:
        """Whether a dash stands before the word."""
        return at < len(self._words) and self._words[at].gap.strip() in ("-", "–", "—")

    def _near(self, at: int) -> bool:
        return at < len(self._words) and not self._words[at].gap.strip()


def ago(today: date, count: int, unit: str) -> Days | None:
    """``count`` units back, or ahead where it is negative: a day, seven days around a week's, a month, a year."""
    if unit == "month":
        return calendar.months(today.year, today.month - count)
    if unit == "year":
        return calendar.months(today.year - count, 1, 12)
    if unit == "quarter":
        return calendar.months(today.year, (today.month - 1) // 3 * 3 + 1 - 3 * count, 3)
    return calendar.around(calendar.shifted(today, -count * UNITS[unit]), _SLACK[unit])


def away(days: Days, count: int, unit: str, *, later: bool) -> Days | None:
    """``count`` units before the first of ``days``, or after the last; the longer the unit, the rougher."""
    sign = 1 if later else -1
    start = days[1] if later else days[0]
    if unit in ("month", "quarter", "year"):
        step = {"month": 1, "quarter": 3, "year": 12}[unit]
        return calendar.around(calendar.months_later(start, sign * count * step), _SLACK[unit])
    return calendar.around(calendar.shifted(start, sign * count * UNITS[unit]), _SLACK[unit])


def adjoining(days: Days, unit: str, *, later: bool) -> Days | None:
    """The day, week or longer time right before the first of ``days``, or right after the last."""
    if later:
        first, last = calendar.shifted(days[1], 1), calendar.shifted(days[1], UNITS[unit])
        return calendar.run(first, last or calendar.LAST) if first else None
    first, last = calendar.shifted(days[0], -UNITS[unit]), calendar.shifted(days[0], -1)
    return calendar.run(first or date.min, last) if last else None


def nth(whole: Days, number: int, unit: str) -> Days | None:
    """The first, second, ... or (0) last unit of a longer time."""
    if unit == "half" and number in (1, 2):
        return calendar.half(whole, number - 1)
    length = {"day": 1, "week": 7}.get(unit)
    if length is None:
        return None
    first = calendar.shifted(whole[1], 1 - length)
    if number:
        first = calendar.shifted(whole[0], length * (number - 1))
    if first is None or first < whole[0]:
        return None
    return calendar.run(first, min(calendar.shifted(first, length - 1) or whole[1], whole[1]))


def _joined(first: Part, last: Part) -> Part | None:
    """From one to the other; a year that nobody said is chosen so that the end comes after the start."""
    start, end = first.days, last.days
    if start[0] > end[0] and _of_one_month(start, end):  # "between 9 and 3 May"
        start, end = end, start
    elif start[0] > end[0] and last.open_year:
        end = (
            calendar.years_later(end, start[0].year - end[0].year + (0 if _fits(start, end) else 1))
            or end
        )
    elif first.open_year and not last.open_year:
        back = end[0].year - start[0].year - (0 if _fits(start, end) else 1)
        start = calendar.years_later(start, back) or start
    if start[0] > end[0]:
        start, end = end, start
    days = calendar.run(start[0], max(start[1], end[1]))
    return last._replace(days=days) if days else None


def _of_one_month(start: Days, end: Days) -> bool:
    return (start[0].year, start[0].month) == (end[1].year, end[1].month)


def _fits(start: Days, end: Days) -> bool:
    """Whether the end comes after the start in one and the same year."""
    return (start[0].month, start[0].day) <= (end[0].month, end[0].day)


def _part(days: Days | None, end: int, open_year: bool = False) -> Part | None:
    return Part(days, end, open_year) if days else None


_LONGEST = 4_000  # characters of a query that are looked at for dates; a question is shorter
_MOST = 16
_LONGEST_LEAD = 7  # words of a phrase before the first that can only be of a date


class Reading(NamedTuple):
    """``words`` of the text and the days they were taken for; ``because``: what else that rests on."""

    words: str
    first: date
    last: date
    because: str = ""

    @property
    def days(self) -> Days:
        """The first and last day, both inclusive."""
        return self.first, self.last


@lru_cache(maxsize=1024)  # a day's headings are met again and again
def day_of_heading(heading: str, today: date) -> date | None:
    """The day that a heading such as ``2026-04-09 Launch moved`` begins with."""
    head = heading[:10]
    if not any(map(str.isdigit, head)):
        return None
    readings, _ = days_in(head, today)
    return readings[0].first if readings and readings[0].words == head else None


def days_in(text: str, today: date) -> tuple[tuple[Reading, ...], str]:
    """What ``text`` says of days, in its order, and ``text`` without those words."""
    head, rest = text[:_LONGEST], text[_LONGEST:]
    if not may_name_days(head) and not may_be_foreign(head):
        return (), text
    words = words_of_dates(head, today)
    readings: list[Reading] = []
    pieces, end = [], 0
    for first, part in _parts(words, today):
        start, stop = words[first].start, words[part.end - 1].end
        readings.append(Reading(head[start:stop], *part.days))
        if not part.kept:
            pieces += [head[end:start], " "]
            end = stop
    return tuple(dict.fromkeys(readings)), "".join(pieces) + head[end:] + rest


def _parts(words: Sequence[Word], today: date) -> list[tuple[int, Part]]:

    phrases = Phrases(words, today)
    anchors = [at for at, word in enumerate(words) if is_anchor(word.text)]
    found: list[tuple[int, Part]] = []
    at = 0
    while anchors and len(found) < _MOST:
        if anchors[0] < at:
            anchors.pop(0)
            continue
        at = max(at, anchors[0] - _LONGEST_LEAD)
        part = phrases.read(at)
        if part is None:
            at += 1
        else:
            found.append((at, part))
            at = part.end
    return found
