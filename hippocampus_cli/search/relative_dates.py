"""The days that a dated note tells by its own: ``yesterday``, ``last summer``, ``two weeks ago``, ``next Friday``.

What such words mean goes by the day of the note, not by that of the question. Notes are kept as stems, so phrases are
looked for as stems and read as the words that those stand for. Nothing is ever raised, whatever the notes hold.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from functools import lru_cache

from hippocampus_cli.dates.calendar import Days
from hippocampus_cli.dates.expressions import ago
from hippocampus_cli.dates.names import Names, count_number, unit_name, words_in
from hippocampus_cli.fast_types import pattern
from hippocampus_cli.search.term_statistics import Passage
from hippocampus_cli.search.unit_features import TIMED

_ROUGHER = 7  # times the days asked for: a week may tell a day, a season a month, a year no day
_NEAR = 21  # days that phrases of days and weeks reach at most, either way
_AROUND = 40  # characters: where the count before "ago" stands
_LITTLE = 500  # characters that are read whole: to choose among them takes as long
_MEMO = 4_096

_WHICH = "last|letzten|previous|next|nachsten"
_SHORT = (
    "week|weekend|(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    "|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch"
)
_LONG = "month|quarter|year|spring|summer|autumn|fall|winter"
_MONTHS = (
    "januari?|februari?|march|marz|april|may|mai|june|juni|juli|august|septemb|o[ck]tob|novemb"
    "|de[cz]emb"
)
_PHRASE = pattern(  # a group takes part where a phrase may reach far
    rf" (?:(?:{_WHICH}|past|this|on|am) (?:{_SHORT}|({_LONG}))"
    rf"|(?:{_WHICH}|in|im) ({_MONTHS})"  # not "this may"
    r"|(?:last|past) [^ ]+ (?:of )?(day|week|month|quarter|year)|(ago)"
    r"|yesterday|gestern|tomorrow|last night|the weekend|other day|week befor last"
    r"|day (?:befor yesterday|after tomorrow))(?= )"
)
_WORDS = {"am": "on", "im": "in", "letzten": "last", "nachsten": "next", "gestern": "yesterday"}
_WORDS |= {"befor": "before", "coupl": "couple", "sever": "several", "twelv": "twelve"}
_WORDS |= {"januari": "january", "februari": "february", "juli": "july", "septemb": "september"}
_WORDS |= {"octob": "october", "oktob": "oktober", "novemb": "november", "marz": "märz"}
_WORDS |= {"decemb": "december", "dezemb": "dezember"}
"""The words that stems stand for, where they are no words themselves; German ones that are small in English."""


def units_telling(passage: Passage, noted: date, days: Sequence[Days]) -> set[int]:
    """The units of ``passage``, noted on that day, that tell by it of some of ``days``."""
    near = any(_gap(noted, asked) <= _NEAR for asked in days)
    body, offsets = passage.body, (*passage.offsets, len(passage.body))
    telling = set()
    for at in _worth_reading(passage):
        for found in _PHRASE.finditer(body, offsets[at], offsets[at + 1]):
            if (near or found.lastindex) and tells(_phrase(body, *found.span()), noted, days):
                telling.add(at)
    return telling


def _worth_reading(passage: Passage) -> Iterator[int]:
    """The units that say when; the flag does not know German, which a longer section shows by its ``und``."""
    everywhere = len(passage.body) < _LITTLE or " und " in passage.body
    return (at for at, trait in enumerate(passage.traits) if everywhere or trait & TIMED)


def _gap(noted: date, asked: Days) -> int:
    """The days from one to the other; below 0 where the first is inside."""
    return max((asked[0] - noted).days, (noted - asked[1]).days)


def tells(phrase: str, noted: date, days: Sequence[Days]) -> bool:
    """Whether ``phrase``, in stems, means some of ``days`` in a note of the day ``noted``.

    A longer time may stand for the days asked for, but not just any: no day was meant by ``last year``.
    """
    told = _read(phrase, noted)
    return told is not None and any(_fits(told, asked) for asked in days)


def _phrase(body: str, start: int, end: int) -> str:
    """The words found, which after a count are only the last one."""
    words = body[start:end].split()
    if words != ["ago"]:
        return " ".join(words)
    before = body[max(0, start - _AROUND) : start].rpartition("\n")[2].split()
    return " ".join([*before[-3 if before[-2:-1] == ["of"] else -2 :], "ago"])


@lru_cache(_MEMO)
def _read(phrase: str, noted: date) -> Days | None:
    words = words_in(" ".join(_WORDS.get(stem, stem) for stem in phrase.split()))
    if words[-1].text == "ago" and len(words) == 3:
        count, unit = count_number(words[0].text), unit_name(words[1].text)
        if count and unit:
            return ago(noted, count, unit)
    part = Names(words, noted).read(0)
    return part.days if part else None


def _fits(told: Days, asked: Days) -> bool:
    """Whether most of the shorter time is in the other, and that told is not much the longer one."""
    shared = (min(told[1], asked[1]) - max(told[0], asked[0])).days + 1
    length, wanted = ((last - first).days + 1 for first, last in (told, asked))
    return 2 * shared >= min(length, wanted) and length <= _ROUGHER * wanted
