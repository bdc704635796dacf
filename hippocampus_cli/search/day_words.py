"""Words that name days, and a text as the words a date may be made of."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from hippocampus_cli.search.months import ALL_MONTHS, MONTHS

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
_ORDINAL = re.compile(r"(\d{1,2})(?:st|nd|rd|th)?", re.ASCII)
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
        r"(?<![\w-])\d{4}-\d\d(?:-\d\d)?(?![\d]|-\d)|(?<![\w.])\d{1,2}\.\d{1,2}\.\d{4}(?![\w.])|\d+(?::\d\d)+|\w+"
    )
