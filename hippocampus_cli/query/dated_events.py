"""Days told by an event of the notes: ``two weeks before the launch``, ``the day after the audit``.

Pure: what the notes say of the event is passed in as :class:`Place`, the best of a search first. A date that
stands with the event's name counts most, the last of several most of all (``19 June → 14 July``); a note of a
day that bears the name in its title or path counts half, one that only mentions it a quarter.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from itertools import chain
from typing import NamedTuple

from hippocampus_cli.dates.calendar import Days, run, years_later
from hippocampus_cli.dates.expressions import Reading, adjoining, away, day_of_heading, days_in
from hippocampus_cli.dates.names import Word, count_number, unit_name, words_in
from hippocampus_cli.fast_types import pattern
from hippocampus_cli.search.query_parser import Query, parse
from hippocampus_cli.text.tokenizer import is_stop, stems

_LONGEST = 4_000
_MOST_WORDS = 5
_EARLIER = 0.3  # of a date that another one follows in the same text
_TITLED = 0.5
_MENTIONED = 0.25
_LEAST = 0.4  # or nobody says more than that there was such a thing
_SHARE = 0.25  # of all that is said of the event's day, to be believed
_INNER = frozenset(["of", "the", "our", "my", "and", "to", "at", "nor", "s"])
_SENTENCE_END = pattern(r"(?<=[.!?;])\**\s+(?=[*_(]*[^\W\d_])|\n[ \t]*+(?:[-*+•]|\d++[.)])\s+")
_YEAR = pattern(r"\d{4}", re.ASCII)
_ARTICLES = frozenset(["the", "our", "my", "that", "this"])


class Place(NamedTuple):
    """Text that speaks of an event: its title with path, the day it is of, and how well it was found."""

    where: str
    title: str
    text: str
    day: date | None
    score: float


class Event(NamedTuple):
    """An event of the notes, its day, and the place that says so."""

    name: str
    day: date
    where: str


class Relative(NamedTuple):
    """A phrase that counts from an event; ``number`` 0 is the time that adjoins it."""

    name: str
    start: int
    end: int
    joint: str
    number: int = 0
    unit: str = "day"

    def days_from(self, event: date, today: date) -> Days | None:
        """The days meant, if the event was on that day."""
        if self.joint == "since":
            return run(event, today)
        later = self.joint == "after"
        if not self.number:
            return adjoining((event, event), self.unit, later=later)
        return away((event, event), self.number, self.unit, later=later)


def with_event(query: Query, today: date, find: Callable[[str], Event | None]) -> Query:
    """``query`` with the days that it tells by an event, where ``find`` knows that; else as it is."""
    relative = relative_in(query.text)
    event = find(relative.name) if relative else None
    days = relative.days_from(event.day, today) if relative and event else None
    if relative is None or event is None or days is None:
        return query
    text, words = query.text, query.text[relative.start : relative.end]
    because = f"{event.name}: {event.day.isoformat()}, {event.where}"
    rest = f"{text[: relative.start]} {text[relative.end :]}"
    return parse(rest, today, (Reading(words, *days, because),))._replace(text=text)


def relative_in(text: str) -> Relative | None:
    """The first phrase of ``text`` that counts from an event that is no date."""
    text = text[:_LONGEST]
    if not any(joint in text.lower() for joint in ("before", "after", "since")):
        return None
    words = words_in(text)
    for at, word in enumerate(words):
        if word.text in ("before", "after"):
            number, unit = _counted(words, at)
            start = at - 2 if unit else -1
        elif word.text == "since" and _text(words, at + 1) in _ARTICLES:
            number, unit, start = 0, "day", at
        else:
            continue
        first = at + 1 + (_text(words, at + 1) in _ARTICLES)
        end = _name_end(words, first)
        if unit and start >= 0 and end > first and not _is_dated(text, words, first):
            return Relative(
                name=text[words[first].start : words[end - 1].end],
                start=words[start].start,
                end=words[end - 1].end,
                joint=word.text,
                number=number,
                unit=unit,
            )
    return None


def event_day(name: str, places: Sequence[Place], today: date) -> Event | None:
    """The day of the event called ``name``, as ``places`` have it; ``None`` where they do not agree enough."""
    wanted = {stem for stem in stems(name) if not is_stop(stem)}
    votes: dict[date, float] = {}
    sayers: dict[date, tuple[float, str]] = {}
    fresh = _freshness(places, today)
    for place in places if wanted else ():
        for day, weight in _votes(place, wanted, today):
            weight *= fresh[_said(place, today)]
            votes[day] = votes.get(day, 0.0) + weight
            sayers[day] = max(sayers.get(day, (0.0, "")), (weight, place.where))
    best = max(votes, key=lambda day: (votes[day], day), default=None)
    if best is None or votes[best] < max(_LEAST, _SHARE * sum(votes.values())):
        return None
    return Event(name, best, sayers[best][1])


def _freshness(places: Sequence[Place], today: date) -> dict[date | None, float]:
    """What a place counts by when it was written: of many the newest counts twice as much as the oldest."""
    days = sorted({day for place in places if (day := _said(place, today))})
    return {None: 1.0} | {day: 0.5 + 0.5 * rank / len(days) for rank, day in enumerate(days, 1)}


def _said(place: Place, today: date) -> date | None:
    """When a place was written; ``None`` for a text that is kept current."""
    return place.day or day_of_heading(place.title, today)


def _votes(place: Place, wanted: set[str], today: date) -> Iterator[tuple[date, float]]:
    """The days that one place has for the event, with what each counts."""
    titled = _has(place.title, wanted)
    base = _said(place, today)
    near = base or today
    telling = _telling(place.text, wanted, near, titled=titled, minutes=base is not None)
    told = [_others(text, near, base) for text in (*[place.title][: int(titled)], *telling)]
    days = list(dict.fromkeys(chain.from_iterable(told)))
    if days:
        named = any(_has(one, wanted) for one in telling) or (titled and told[0])
        counts = place.score * (1.0 if named or base is None else _TITLED)
        yield from ((day, counts * _EARLIER) for day in days[:-1])
        yield days[-1], counts
    elif base and (titled or _has(f"{place.title} {place.text}", wanted)):
        yield base, place.score * (_TITLED if titled else _MENTIONED)


def _others(text: str, near: date, base: date | None) -> list[date]:
    """The days that a text names but for the one on which it was written."""
    return [day for day in _days_of(days_in(text, near)[0], near) if day != base]


def _has(text: str, wanted: set[str]) -> bool:
    """Whether an event is named: by all its words, or all but one in three."""
    return len(wanted - set(stems(text))) <= len(wanted) // 3


def _telling(text: str, wanted: set[str], near: date, *, titled: bool, minutes: bool) -> list[str]:
    """The sentences that say when: those with the event's name; under a title with it the first with a date.

    In a text that was written on a day (``minutes``) that is the first sentence or none: a later one may speak of
    something that was decided there.
    """
    sentences = _SENTENCE_END.split(text[:_LONGEST])
    named = [one for one in sentences if _has(one, wanted)]
    if named or not titled:
        return named
    if minutes:
        sentences = sentences[:1]
    return [one for one in sentences if _days_of(days_in(one, near)[0], near)][:1]


def _days_of(readings: Sequence[Reading], near: date) -> list[date]:
    """The single days named; one without a year is of the year that brings it nearest to ``near``."""
    days = []
    for one in readings:
        if one.first != one.last:
            continue
        next_year = None if _YEAR.search(one.words) else years_later(one.days, 1)
        choice = [one.first, *(next_year or ())]
        days.append(min(choice, key=lambda day: abs((day - near).days)))
    return days


def _counted(words: Sequence[Word], at: int) -> tuple[int, str]:
    """The count (0 for ``the``) and the unit before ``before``; no unit where there are none."""
    unit, counted = unit_name(_text(words, at - 1)), _text(words, at - 2)
    count = 0 if counted == "the" else count_number(counted)
    return (count, unit) if unit and count is not None and at >= 2 else (0, "")


def _is_dated(text: str, words: Sequence[Word], at: int) -> bool:
    """Whether what follows is a date, or belongs to another sentence."""
    if words[at].gap.strip() or words[at - 1].gap.strip():
        return True
    rest = text[words[at].start : words[at].start + 80]
    readings, _ = days_in(rest, date.max)
    return bool(readings) and rest.startswith(readings[0].words)


def _name_end(words: Sequence[Word], at: int) -> int:
    """The index after an event's name: up to a stop word, a sign, or so many words."""
    end = at
    while end < len(words) and end - at < _MOST_WORDS:
        if end > at and words[end].gap.strip(" '’"):
            break
        if is_stop(words[end].text) and not (end > at and words[end].text in _INNER):
            break
        end += 1
    while end > at and words[end - 1].text in _INNER:
        end -= 1
    return end


def _text(words: Sequence[Word], at: int) -> str:
    return words[at].text if 0 <= at < len(words) else ""
