"""What a person typed as a query: its conditions, its days and its words.

Conditions are ``tag:ship``, ``path:memory/``, ``kind:daily``, ``since:2026-05-01``: only these names, straight before
their value. ``path: what is it?``, ``https://...`` and whatever stands in quotation marks are words like any other.
So is a condition whose value makes no sense; :func:`odd_ones` tells which those are.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from datetime import date

from hippocampus_cli.fast_types import NamedTuple, pattern
from hippocampus_cli.text.dates import DayRange, Reading, ago, days_in, shifted
from hippocampus_cli.text.terms import asked_words, telling_words

_NAMES = {"tag": "tag", "path": "path", "kind": "kind", "type": "kind"}
_NAMES |= {name: name for name in ("since", "until", "before", "after")}
_DIGITS = pattern(r"\d{4}-\d\d?(-\d\d?)?|\d{1,2}\.\d{1,2}\.\d{4}|\d+[dwmy]", re.ASCII)
_MARK = pattern(
    r'"[^"]*"|“[^“”]*”|(?<!\S)(?P<name>[a-z]{3,6}):(?:"(?P<quoted>[^"]+)"|(?P<value>(?!//)[^\s":][^\s"]*))(?!\S)',
    re.IGNORECASE,
)


class Conditions(NamedTuple):
    """What a text asks of the notes beside its words; the fields are those of the command's options."""

    tags: frozenset[str] = frozenset()
    paths: tuple[str, ...] = ()
    kinds: frozenset[str] = frozenset()
    since: date | None = None
    until: date | None = None

    def __bool__(self) -> bool:
        return any(self)


class Odd(NamedTuple):
    """A condition whose value makes no sense: as it is written, its name and its value."""

    written: str
    name: str
    value: str

    @property
    def is_day(self) -> bool:
        """Whether the value is written as a day, and so can be meant as nothing else."""
        return self.name != "kind" and _DIGITS.fullmatch(self.value.lower()) is not None


def conditions_in(
    text: str, today: date, kinds: AbstractSet[str]
) -> tuple[Conditions, str, tuple[str, ...]]:
    """The conditions in ``text``, ``text`` without them, and the words that they were written in.

    ``kinds`` are the kinds of notes that there are.
    """
    if ":" not in text:
        return Conditions(), text, ()
    found, written = Conditions(), []

    def take(match: re.Match[str]) -> str:
        nonlocal found
        name, value = _named(match)
        more = _with(found, name, value, today, kinds) if name and value else None
        if more is None:
            return match[0]
        found = more
        written.append(match[0])
        return " "

    rest = _MARK.sub(take, text) if ":" in text else text
    return (found, rest.strip(), tuple(written)) if written else (found, text, ())


def odd_ones(text: str, today: date, kinds: AbstractSet[str]) -> Iterator[Odd]:
    """What is written as a condition in ``text`` and is none, for its value makes no sense."""
    for match in _MARK.finditer(text) if ":" in text else ():
        name, value = _named(match)
        if name and value and _with(Conditions(), name, value, today, kinds) is None:
            yield Odd(match[0], name, value)


def _named(match: re.Match[str]) -> tuple[str | None, str]:
    name = _NAMES.get((match["name"] or "").lower())
    value = match["quoted"] or match["value"] or ""
    return name, value if match["quoted"] or name == "path" else value.rstrip("?!,;.")


def _days(value: str, today: date) -> DayRange | None:
    """The days that a value names: as the command's options do, or in words (``"last week"``)."""
    if day := ago(value.lower(), today):
        return day, day
    with contextlib.suppress(ValueError):  # also the last day of all, after which no span can end
        day = date.fromisoformat(value)
        return day, day
    for text in (value, f"in {value}"):  # alone, "june" may be anybody
        readings = days_in(text, today)
        if len(readings) == 1 and readings[0].words.strip() == value.strip():
            return readings[0].days
    return None


def _with(
    known: Conditions, name: str, value: str, today: date, kinds: AbstractSet[str]
) -> Conditions | None:
    """``known`` and one more condition; ``None`` if it is none."""
    if name == "tag":
        return known._replace(tags=known.tags | {value.lstrip("#").casefold()})
    if name == "path":
        return known._replace(paths=(*known.paths, value))
    if name == "kind":
        kind = value.lower()
        return known._replace(kinds=known.kinds | {kind}) if kind in kinds else None
    days = _days(value, today)
    if days is None:
        return None
    first, last = days
    if name in ("since", "after"):
        day = first if name == "since" else shifted(last, 1) or date.max
        return known._replace(since=max(filter(None, (known.since, day)), default=None))
    day = last if name == "until" else shifted(first, -1) or date.min
    return known._replace(until=min(filter(None, (known.until, day)), default=None))


MOST_TYPED, MOST_WORDS = 2_000, 40
"""Characters of a query that are read, and words of these that are looked for."""


class Query(NamedTuple):
    """A question as it is matched with entries. Every field may be empty: any text at all is a query.

    ``words`` are those that tell what is asked for, all of them where none does (``vague``). ``readings`` say which
    words were taken for which days.
    """

    text: str
    words: tuple[str, ...] = ()
    readings: tuple[Reading, ...] = ()
    vague: bool = False

    @property
    def days(self) -> tuple[DayRange, ...]:
        """The days that are asked for, first and last."""
        return tuple(dict.fromkeys(reading.days for reading in self.readings))

    @property
    def dated(self) -> frozenset[str]:
        """The words of days, in lower case: they need not stand in any note."""
        return frozenset(word for one in self.readings for word in one.words.lower().split())

    @property
    def telling(self) -> tuple[str, ...]:
        """The words that an answer should have."""
        return () if self.vague else tuple(w for w in self.words if w.lower() not in self.dated)


def parse(text: str, today: date) -> Query:
    """Read ``text``. Nothing in it is an operator."""
    telling = telling_words(text[:MOST_TYPED])
    words = telling or asked_words(text[:MOST_TYPED])
    return Query(text, tuple(words[:MOST_WORDS]), tuple(days_in(text, today)), vague=not telling)


def says_nothing(query: Query) -> bool:
    """Whether words such as "the" are all there is."""
    return query.vague and not query.readings
