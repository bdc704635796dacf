"""Whether one statement tells what came instead of another. Pure.

By their shape: ``The port is 5432`` and, a week later, ``The port is 5433`` read alike but for one run of words in
one place, and that run is a value: it stands after a word that says how things are (*is*, *in*, *uses*, ``:``), or
before one. What is asked for must stand in what they share: *the capital of France* is not *the capital of Spain*.

By signs: a log says in other words than the note that is kept current that something changed (``starts 02:00``,
``restic moved to 04:30``). So signs are added up: how much of the question both speak of, whether the earlier value
is said to be over, words of change, words in common.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from datetime import date
from functools import cached_property, lru_cache

from hippocampus_cli.dates.expressions import days_in
from hippocampus_cli.fast_types import NamedTuple, pattern
from hippocampus_cli.query.values import (
    VALUES,
    Retracted,
    Value,
    is_changing,
    may_tell,
    retracted_in,
    values_of,
)
from hippocampus_cli.text.tokenizer import forms, is_stop, stem_text

_LONGEST = 300  # characters: a longer sentence speaks of too much
_EXACT = frozenset(("money", "time", "day", "quantity"))  # what a thing has one of
_COMPARED = VALUES | {"name"}
_LABEL = 40  # characters of a label before a colon
_LEAST = 0.3  # share of the question that both have to speak of
_HEAD = 40  # characters at the beginning that are the label
_ENDS = pattern(r"(?<=[^\d\s][.!?;])(?<!Prof\.)(?<!Dr\.)(?<!Nr\.)\s+|(?<=[。！？；])|\n")
_MONTH = "(?:jan|feb|m[aä]r|apr|ma[yi]|jun|jul|aug|sep|o[ck]t|nov|de[cz])"
_FROM_ON = (
    rf"\bfrom (?:next |now|today|\d|{_MONTH}|(?:mon|tue|wed|thu|fri|sat|sun))"
    rf"|\bab (?:sofort|heute|nächste|\d|{_MONTH}|(?:mo|di|mi|do|fr|sa|so)n?[nrs])"
)
_NOW = rf"\b(?:now|no longer|set back|as of|correction|jetzt|nicht mehr|korrektur)\b|改|现在|不再|起|{_FROM_ON}"
_CHANGE = (
    r"\b(?:new|raised|lowered|moved?|moves|remapped|switched|change[sd]? (?:from|to)|instead|replaced|becomes?"
    r"|closed|stopped|nun|statt|neue?[rsnm]?|umgezogen|gewechselt|geändert|erhöht|verlegt|umgestellt)\b"
    r"|\b(?:set|go|goes|went|gone|back) to\b|\bsince \d|\bany ?more\b|→|换成|调整|更新为|搬到"
)
_IN_ALL = (
    *(
        "now",
        "longer",
        "set ",
        "as of",
        "correct",
        "jetzt",
        "nicht mehr",
        "korrekt",
        "from ",
        "ab ",
        "new",
        "rais",
    ),
    *(
        "lower",
        "move",
        "remap",
        "switch",
        "chang",
        "instead",
        "replac",
        "become",
        "close",
        "stop",
        "nun",
        "statt",
    ),
    *(
        "neu",
        "umge",
        "gewechs",
        "geänd",
        "erhöh",
        "verleg",
        "umgest",
        " to ",
        "since ",
        "more",
        "→",
        "改",
        "现在",
    ),
    *("不再", "起", "换成", "调整", "更新为", "搬到"),
)
"""One of these is in every text that has a word of change."""
_SAYS_NOW = pattern(_NOW, re.IGNORECASE)
_SAYS_CHANGE = pattern(f"{_NOW}|{_CHANGE}", re.IGNORECASE)


class Sentence:
    """A sentence or a line, taken apart no further than it is asked for."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def stems(self) -> frozenset[str]:
        """The stems that say something."""
        return _stems(self.text)

    @cached_property
    def values(self) -> Mapping[str, frozenset[str]]:
        """What it names, by kind."""
        things = [one for one in self._things if one.kind in _COMPARED]
        kinds = {one.kind for one in things}
        return {kind: frozenset(one.key for one in things if one.kind == kind) for kind in kinds}

    @cached_property
    def over(self) -> list[Retracted]:
        """What it says is so no more."""
        found = retracted_in(self._things, self.text)
        return [one for one in found if one.thing.kind != "word"]

    @cached_property
    def _things(self) -> list[Value]:
        return values_of(self.text)


@lru_cache(maxsize=1024)  # the same statements are compared for other questions too
def sentences_in(text: str) -> tuple[Sentence, ...]:
    """The sentences and lines of a text, without quotes and without what is too long to compare."""
    return tuple(
        Sentence(part)
        for part in _ENDS.split(text)
        if part and len(part) <= _LONGEST and not part.isspace() and not part.startswith(">")
    )


def changes_in(text: str) -> list[Sentence]:
    """Those that have a word of change."""
    lowered = text.lower()
    if not any(sign in lowered for sign in _IN_ALL):
        return []  # a tenth of the time that the pattern takes
    return [one for one in sentences_in(text) if _SAYS_CHANGE.search(one.text)]


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem for stem in stem_text(text).split() if not is_stop(stem))


class Signs(NamedTuple):
    """What speaks for it that a later sentence tells what came instead of an earlier one; each 0 to 1."""

    coverage: float  # share of the question that both speak of
    several: float  # more than one word of it
    told: float  # the later says that the earlier's value is over
    now: float  # says so for now, or from a day on
    shared: float  # words in common that nobody asked for
    label: float  # a word in common at both beginnings
    kept: float  # the earlier stands in a text that is kept current


WEIGHTS = Signs(0.35, 0.75, 1.3, 2.0, 1.2, 1.15, 0.75)
"""Fitted on made-up workspaces, judged with one of them left out: ``python -m bench.fit.changes``."""
ENOUGH = 4.0
"""The sum from which one is taken for superseded."""


def signs_of(
    old: Sentence, around: AbstractSet[str], new: Sentence, asked: AbstractSet[str], kept: bool
) -> Signs | None:
    """How two sentences compare; ``around`` are the stems of the earlier one with its title and path.

    ``None`` where they have too little of the question in common, or no value of the later is another one.
    """
    common = asked & around & new.stems
    if not speaks_of(common, asked) or old.stems == new.stems:
        return None
    if any(one.now and _has(old, one.now) for one in new.over):
        return None  # it knows already what is new
    before, after = _unasked(old, asked), _unasked(new, asked)
    kinds = before.keys() & after.keys()
    told = any(_has(old, one.thing) and _has_all(old, one.thing.kind, new) for one in new.over)
    named = _names_value(before, after)
    exact = any(not before[kind] & after[kind] and _is_exact(before, after, kind) for kind in kinds)
    if not (told or named or exact):
        return None
    return Signs(
        len(common) / len(asked),
        len(common) > 1,
        told,
        bool(_SAYS_NOW.search(new.text)),
        min(len((old.stems & new.stems) - asked), 3) / 3,
        bool(_stems(old.text[:_HEAD]) & _stems(new.text[:_HEAD])),
        kept,
    )


def speaks_of(stems: AbstractSet[str], asked: AbstractSet[str]) -> bool:
    """Whether enough of what is asked is in there for a comparison."""
    common = len(asked & stems)
    return common > 0 and common >= _LEAST * len(asked)


def is_instead(signs: Signs) -> bool:
    """Whether the signs are enough."""
    return sum(weight * sign for weight, sign in zip(WEIGHTS, signs, strict=True)) >= ENOUGH


def _has(sentence: Sentence, value: Value) -> bool:
    return value.key in sentence.values.get(value.kind, ())


def _has_all(old: Sentence, kind: str, new: Sentence) -> bool:
    """Whether it speaks of all days of the week that are over: *Tuesday and Thursday*, not any Thursday."""
    return kind != "weekday" or all(
        _has(old, one.thing) for one in new.over if one.thing.kind == kind
    )


def _unasked(sentence: Sentence, asked: AbstractSet[str]) -> dict[str, frozenset[str]]:
    """The values that are not of the question: *phase 2* is asked for, and says nothing."""
    found = {kind: keys - asked for kind, keys in sentence.values.items()}
    return {kind: keys for kind, keys in found.items() if keys}


def _is_exact(
    before: Mapping[str, frozenset[str]], after: Mapping[str, frozenset[str]], kind: str
) -> bool:
    """Whether a thing has one of these: one day, one price; of quantities, one of each unit."""
    if kind != "quantity":
        return kind in _EXACT
    return bool(
        {key.split()[-1] for key in before[kind]} & {key.split()[-1] for key in after[kind]}
    )


def _names_value(before: Mapping[str, frozenset[str]], after: Mapping[str, frozenset[str]]) -> bool:
    kinds = (before.keys() & after.keys()) - {"name"}
    return any(
        any(len(key) > 1 for key in before[kind] & after[kind]) and after[kind] - before[kind]
        for kind in kinds
    )


_WORD = pattern(r"\w+(?:[.'’/-]\w+)*|[:=→]")
_LEADING = pattern(r"[\s>*+-]*(?:\d{1,9}[.)]\s)?(?:\[[ xX]\]\s)?")
_MOST_WORDS = 40
_LONGEST_VALUE = 10
_SHORTEST_FRAME = 3
_CONTENT = 2
_RELATIONS = """
    is are was were be been being am to of in by at on from for with as has have had likes prefers uses use runs wants
    needs costs takes lives works speaks plays named called a an the
    ist sind war waren heißt wohnt arbeitet nutzt mag die der das es son era fue est sont était
    := : = →
"""
_BEFORE_VALUE = frozenset(_RELATIONS.split())
_AFTER_VALUE = frozenset(["is", "are", "was", "were", "ist", "sind", "war"])


class Frame(NamedTuple):
    """The words of a statement, in lower case."""

    words: tuple[str, ...]


def frame_of(text: str) -> Frame:
    """A statement's words; none for one that is too long to have a shape."""
    head = _LEADING.match(text)
    words = _WORD.findall(text[head.end() if head else 0 :].lower())
    return Frame(tuple(words) if len(words) <= _MOST_WORDS else ())


def other_value(old: Frame, new: Frame, asked: AbstractSet[str]) -> bool:
    """Whether they say the same of the same thing, with another value that nobody asked for by name."""
    one, other = old.words, new.words
    if not one or not other or one == other:
        return False
    most = min(len(one), len(other))
    first = next((at for at in range(most) if one[at] != other[at]), most)
    last = next((at for at in range(most - first) if one[-1 - at] != other[-1 - at]), most - first)
    values = one[first : len(one) - last], other[first : len(other) - last]
    if not all(0 < len(value) <= _LONGEST_VALUE for value in values):
        return False
    shared = (*one[:first], *one[len(one) - last :])
    after = first > 0 and one[first - 1] in _BEFORE_VALUE
    before = last > 0 and first == 0 and one[len(one) - last] in _AFTER_VALUE
    if len(shared) < _SHORTEST_FRAME or not (after or before):
        return False
    frame = _content(shared)
    sought = asked & (frame | _content(values[0]) | _content(values[1]))
    return len(frame) >= _CONTENT and bool(sought) and sought <= frame


def _content(words: tuple[str, ...]) -> set[str]:
    return {stem for word in words for stem in forms(word)[:1] if not is_stop(stem)}


class Statement(NamedTuple):
    """A unit of a note under its ``title``.

    ``day``: of its note or heading; ``None`` for a text that is kept current. ``close``: it answers nearly as well
    as the best unit of its place.
    """

    path: str
    line: int
    title: str
    text: str
    day: date | None = None
    close: bool = True


class ReadStatement:
    """A statement taken apart, no further than it is asked for."""

    def __init__(self, said: Statement, today: date) -> None:
        self.said = said
        self._today = today

    @cached_property
    def day(self) -> date | None:
        """When that was said; of a text that is kept current, the last day it speaks of."""
        return self.said.day or latest_day(self.said.text, self._today)

    @cached_property
    def text(self) -> str:
        return f"{self.said.title}\n{self.said.text}"

    @cached_property
    def stems(self) -> str:
        return f" {stem_text(self.text)} "

    @cached_property
    def words(self) -> frozenset[str]:
        """The stems that say something."""
        return frozenset(stem for stem in self.stems.split() if not is_stop(stem))

    @cached_property
    def around(self) -> frozenset[str]:
        """The words and those of the path."""
        return self.words | frozenset(stem_text(self.said.path).split())

    @cached_property
    def things(self) -> list[Value]:
        return values_of(self.text)

    @cached_property
    def over(self) -> list[Retracted]:
        return retracted_in(self.things, self.text) if may_tell(self.text) else []

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        return sentences_in(self.said.text)

    @cached_property
    def changes(self) -> list[Sentence]:
        """The sentences with a word of change."""
        return changes_in(self.said.text)

    @cached_property
    def frame(self) -> Frame:
        return frame_of(self.said.text)

    @cached_property
    def changing(self) -> bool:
        return is_changing(self.text)

    def has(self, thing: Value) -> bool:
        """Whether this speaks of ``thing``."""
        if thing.kind in ("weekday", "day"):  # which languages write in different words
            return any(one.kind == thing.kind and one.key == thing.key for one in self.things)
        if thing.kind == "word":
            return all(stem in self.words for stem in thing.key.split())
        return f" {thing.key} " in self.stems

    def has_both(self, one: Retracted) -> bool:
        """Whether this speaks of what is so no more and of what is so instead."""
        return bool(one.now and one.now.key and self.has(one.now) and self.has(one.thing))

    @cached_property
    def label(self) -> frozenset[str]:
        """The words before a colon at the beginning, else those of the title."""
        head, colon, _ = self.said.text.lstrip(" -*+0123456789.").partition(":")
        words = stem_text(head if colon and len(head) <= _LABEL else self.said.title).split()
        return frozenset(word for word in words if not is_stop(word) and not word[0].isdigit())

    @property
    def title_days(self) -> frozenset[str]:
        """The days that its heading names (``Launch moved to 19 June``)."""
        return frozenset(one.key for one in values_of(self.said.title) if one.kind == "day")

    def keys(self, kind: str) -> frozenset[str]:
        """The things of one kind that it names."""
        return frozenset(one.key for one in self.things if one.kind == kind)


_YEAR = pattern(r"\d{4}|\d[./]\d{1,2}[./]\d\d")
_LONG_AGO = 240  # days


@lru_cache(maxsize=1024)  # it takes a while to read a long text for days, and texts come again
def latest_day(text: str, today: date) -> date | None:
    """Of a text that is kept current the last day it names, not after ``today``; *Wednesday* names none.

    *11 July* in June is likelier ahead than a year ago.
    """
    days = []
    for one in days_in(text, today)[0] if any(map(str.isdigit, text)) else ():
        if not any(map(str.isdigit, one.words)):
            continue
        day = one.first if one.last == today else one.last  # "since 8 May" speaks of that day
        exact = one.first == one.last or one.last == today or one.first == date.min
        ahead = (today - day).days > _LONG_AGO and not _YEAR.search(one.words)
        days.extend([day] if exact and day <= today and not ahead else [])
    return max(days, default=None)
