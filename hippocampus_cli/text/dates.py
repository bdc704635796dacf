"""Dates in a text as ranges of days: ISO, numeric, with the name of a month, and a few that go by today.

The tables are small on purpose: what is not in them is a word like any other. A date without a year is the latest
such one that is not after today. Nothing is ever raised, whatever the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta
from functools import lru_cache

from hippocampus_cli.fast_types import NamedTuple, pattern

DayRange = tuple[date, date]
"""A first and a last day, both inclusive."""
LAST_DAY = date.max - timedelta(1)
"""No range ends later, so that there is always a day after."""
_LONGEST = 4_000  # characters of a text that are read
_MOST = 16  # readings

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan januar jänner enero janvier gennaio janeiro января январь январе",
            "february feb februar febrero février febbraio fevereiro февраля февраль феврале",
            "march mar märz mär marzo mars março марта март марте",
            "april apr abril avril aprile апреля апрель апреле",
            "may mai mayo maggio maio мая май мае",
            "june jun juni junio juin giugno junho июня июнь июне",
            "july jul juli julio juillet luglio julho июля июль июле",
            "august aug agosto août августа август августе",
            "september sept sep septiembre septembre settembre setembro сентября сентябрь сентябре",
            "october oct oktober okt octubre octobre ottobre outubro октября октябрь октябре",
            "november nov noviembre novembre novembro ноября ноябрь ноябре",
            "december dec dezember dez diciembre décembre dicembre dezembro декабря декабрь декабре",
        ),
        1,
    )
    for name in names.split()
}
_RELATIVE = {
    phrase: times
    for phrases, times in {
        "today|heute|今天": ("day", 0),
        "yesterday|gestern|昨天": ("day", 1),
        "the day before yesterday|vorgestern|前天": ("day", 2),
        "tomorrow|morgen|明天": ("day", -1),
        "this week|diese woche|这周|本周|这个星期": ("week", 0),
        "last week|letzte woche|上周|上个星期": ("week", 1),
        "this month|diesen monat|这个月|本月": ("month", 0),
        "last month|letzten monat|上个月|上月": ("month", 1),
        "this year|dieses jahr|今年": ("year", 0),
        "last year|letztes jahr|去年": ("year", 1),
    }.items()
    for phrase in phrases.split("|")
}
_LEADING = frozenset("in im en em of for from on last during about vom von в за".split())  # noqa: SIM905

_YEAR = r"(?P<year>(?:19|20)[0-9]{2})"
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_DAY = r"(?P<day>[0-9]{1,2})"
_WRITTEN = (
    rf"(?<![\w./-]){_YEAR}(?P<dash>[-/])(?P<month>[0-9]{{1,2}})(?:(?P=dash){_DAY})?(?![\w/-])",
    rf"(?<![\w./-]){_DAY}(?P<mark>[./])(?P<month>[0-9]{{1,2}})(?P=mark){_YEAR}(?![\w/])",
    rf"{_YEAR}[年년]\s?(?:(?P<month>[0-9]{{1,2}})[月월]\s?(?:{_DAY}[日号일])?)?",
    rf"(?<![0-9])(?P<month>[0-9]{{1,2}})[月월]\s?{_DAY}[日号일]",
    rf"\b{_DAY}(?:st|nd|rd|th|\.)?\s+(?:of\s+|de\s+)?(?P<name>{_MONTH})\b(?:,?\s+(?:de\s+)?{_YEAR}\b)?",
    rf"\b(?P<name>{_MONTH})\.?\s+{_DAY}(?:st|nd|rd|th)?\b(?:,?\s+{_YEAR}\b)?",
    rf"\b(?P<name>{_MONTH})\.?,?\s+(?:of\s+|de\s+)?{_YEAR}\b",
    rf"(?<=\s)(?P<name>{_MONTH})\b",
    rf"(?<=\s){_YEAR}(?![\w./:-])",
)
_PHRASES = "|".join(rf"\b{phrase}\b" if phrase.isascii() else phrase for phrase in _RELATIVE)


class Reading(NamedTuple):
    """``words`` of a text, and the days they were taken for."""

    words: str
    first: date
    last: date

    @property
    def days(self) -> DayRange:
        """The first and last day, both inclusive."""
        return self.first, self.last


_PATTERNS = [(pattern(one, re.IGNORECASE), "<name>" in one) for one in (*_WRITTEN, _PHRASES)]
"""Each with whether it needs the name of a month: those are slow to compile."""
_SIGNS = {*_MONTHS, *(phrase.split()[-1] for phrase in _RELATIVE)}
_WORD = pattern(r"\w+")
_CENTURY = pattern("19|20")
_AGO = pattern("([0-9]{1,4})([dwmy])")
_DAYS = {"d": 1, "w": 7, "m": 30, "y": 365}
_CHARACTERS = frozenset("0123456789年月周天星년월")


def days_in(text: str, today: date) -> tuple[Reading, ...]:
    """What ``text`` says of days, in its order."""
    head = text[:_LONGEST]
    found: dict[tuple[int, int], Reading] = {}
    for needed in _needed(head):
        for match in needed.finditer(head):
            apart = all(match.end() <= start or end <= match.start() for start, end in found)
            if apart and (days := _days_of(match, today)):
                found[match.span()] = Reading(match[0], *days)
    return tuple(found[span] for span in sorted(found)[:_MOST])


@lru_cache(maxsize=4096)  # a question asks of the same lines several times
def day_at_start(text: str, today: date) -> date | None:
    """The day that a heading or line begins with (``2026-04-09 Launch moved``); its year must be written."""
    head = text.lstrip(" \t#>*-+[(_~")[:32]
    word = _WORD.match(head)
    if word and (word[0][0].isdigit() or word[0].lower() in _MONTHS) and _CENTURY.search(head):
        for words, first, last in days_in(head, today)[:1]:
            if head.startswith(words) and first == last and str(first.year) in words:
                return first
    return None


def _needed(text: str) -> Iterator[re.Pattern[str]]:
    """The patterns that may be in a text; most texts are spared them all, and most dates the names of months."""
    signs = _SIGNS.intersection(_WORD.findall(text.lower()))
    if signs or not _CHARACTERS.isdisjoint(text):
        named = bool(signs & _MONTHS.keys())
        yield from (one for one, needs_name in _PATTERNS if named or not needs_name)


def ago(word: str, today: date) -> date | None:
    """The day that ``30d``, ``6w``, ``3m`` (30 days each) or ``1y`` (365 days) says, so long ago."""
    match = _AGO.fullmatch(word)
    return shifted(today, -int(match[1]) * _DAYS[match[2]]) if match else None


def shifted(start: date, days: int) -> date | None:
    """The day so many days later, or earlier; ``None`` beyond the calendar."""
    ordinal = start.toordinal() + days
    return date.fromordinal(ordinal) if 1 <= ordinal <= LAST_DAY.toordinal() else None


def _days_of(match: re.Match[str], today: date) -> DayRange | None:
    """The days of one match; ``None`` where the calendar has none such, or it is more likely no date."""
    parts = match.groupdict()
    if not parts:
        unit, back = _RELATIVE[" ".join(match[0].lower().split())]
        return _whole(unit, back, today)
    year, month, day = (int(parts.get(part) or 0) for part in ("year", "month", "day"))
    if name := parts.get("name"):
        month = _MONTHS[name.lower()]
    if not day and (name or not month) and not (month and year) and not _is_led(match):
        return None  # "may", "2000"
    if parts.get("mark") == "/" and day <= 12:
        if month != day and month <= 12:
            return None  # of March or of April, as the country has it
        month, day = day, month
    return _calendar(year, month, day, today)


def _is_led(match: re.Match[str]) -> bool:
    """Whether the word before says that a date follows."""
    before = match.string[: match.start()].lower().rsplit(maxsplit=1)
    return not _LEADING.isdisjoint(before[-1:])


def _whole(unit: str, back: int, today: date) -> DayRange | None:
    """The day, week, month or year so many before today's."""
    if unit == "year":
        return _calendar(today.year - back, 0, 0, today)
    if unit == "month":
        year, month = divmod(today.year * 12 + today.month - 1 - back, 12)
        return _calendar(year, month + 1, 0, today)
    days = back if unit == "day" else 7 * back + today.weekday()
    first = shifted(today, -days)
    last = shifted(today, (0 if unit == "day" else 6) - days)
    return (first, last) if first and last else None


def _calendar(year: int, month: int, day: int, today: date) -> DayRange | None:
    """A day, a month or a year; without a year the latest one that has begun."""
    if not year:
        later = (month, day) > (today.month, today.day if day else 32)
        year = today.year - later
        if (month, day) == (2, 29):
            year -= year % 4
    try:
        first = date(year, month or 1, day or 1)
        last = first if day else date(year + (month in (0, 12)), month % 12 + 1, 1) - timedelta(1)
    except ValueError:
        return None
    return (first, min(last, LAST_DAY)) if first <= LAST_DAY else None
