"""What a person typed as a query: its conditions, phrases, days and terms.

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
from hippocampus_cli.text.tokenizer import Term, forms, function_words, is_stop, stems, words_of

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


_QUOTED = pattern(r'"([^"]*)"|“([^“”]*)”')
_CHINESE_ASKING = pattern(
    "为什么|怎么样|怎么办|怎么|什么时候|什么|多少|哪里|哪儿|哪天|哪类|哪个|哪些|哪|谁|几点|几天|星期几|时候|请问|是不是|有没有|能不能"
    "|可以|应该|后来|我们|你们|他们|她们|[吗呢吧的了是我你他她该]"
)
_MOST_TERMS = 256  # of which the most informative are looked up
_MOST_PHRASES = 16
MOST_TYPED = 2_000
"""Characters of a query in which its words are looked for as they were typed."""


class Query(NamedTuple):
    """A parsed query. Every field may be empty: any text at all is a query.

    ``phrases`` are stems that must stand in this order, each next to the other. ``days`` are ranges
    of days, both ends inclusive, that make a note fit better; ``readings`` says which words those are. They are
    looked for like all others, but for those of ``dated``, stems that need not stand in any note.
    """

    text: str
    terms: tuple[Term, ...] = ()
    phrases: tuple[tuple[str, ...], ...] = ()
    days: tuple[DayRange, ...] = ()
    readings: tuple[Reading, ...] = ()
    dated: frozenset[str] = frozenset()

    @property
    def stems(self) -> frozenset[str]:
        """The stem of every term."""
        return frozenset(term.stem for term in self.terms)


def parse(text: str, today: date) -> Query:
    """Read ``text``. Nothing in it is an operator but quotation marks around a phrase."""
    phrases = tuple(dict.fromkeys(filter(None, map(_phrase, _QUOTED.finditer(text)))))[
        :_MOST_PHRASES
    ]
    readings, rest = days_in(text, today), text
    dated = frozenset(stem for one in readings for stem in stems(one.words))
    days = tuple(dict.fromkeys(one.days for one in readings))
    terms = _terms(rest if rest.isascii() else _without_asking(rest))
    if all(is_stop(term.stem) for term in terms):
        # words such as "the who" are all there is to go by, unless a date is
        return Query(text, () if days else terms, phrases, days, readings, dated)
    kept = tuple(term for term in terms if not is_stop(term.stem))
    little = {
        stem for word in function_words(map(str.lower, words_of(rest))) for stem in forms(word)[:1]
    }
    if little and not all(term.stem in little for term in kept):
        kept = tuple(term for term in kept if term.stem not in little)
    return Query(text, kept, phrases, days, readings, dated)


def _without_asking(text: str) -> str:
    """A text without the words that only ask, where a language writes none apart; all of it if nothing else is."""
    rest = _CHINESE_ASKING.sub(" ", text)
    return rest if any(map(str.isalnum, rest)) else text


def says_nothing(query: Query) -> bool:
    """Whether words such as "the" are all there is."""
    return not (query.phrases or query.days) and all(is_stop(term.stem) for term in query.terms)


def _phrase(match: re.Match[str]) -> tuple[str, ...]:
    return tuple(stems(match[1] or match[2] or ""))


def _terms(text: str) -> tuple[Term, ...]:
    terms: dict[str, Term] = {}
    for word in words_of(text):
        found = forms(word)
        if found and found[0] not in terms:
            for term in _terms_of(found):
                terms.setdefault(term.stem, term)
        if len(terms) >= _MOST_TERMS:
            break
    return tuple(terms.values())


def _terms_of(found: list[str]) -> list[Term]:
    whole, *parts = found
    if all(char >= "\u2e80" for char in whole) or not parts:  # pairs of characters have no whole
        return [Term(stem) for stem in found]
    return [Term(whole, tuple(parts))]
