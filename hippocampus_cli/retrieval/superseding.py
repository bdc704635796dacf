"""Answers that a later note takes back: ``03:15``, once somebody wrote ``01:40 (was 03:15)``. Pure.

Two signs count, and both need a later date. A later text says of a thing in the earlier one that it is over
(``things.over``). Or it speaks of the same matter (it has all words of the earlier one's label, and of the question),
says that something changes, and gives another value of the same kind. Rather none than a wrong one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from datetime import date
from functools import cached_property
from itertools import compress

from hippocampus_cli.retrieval.results import Later
from hippocampus_cli.retrieval.statements import Statement
from hippocampus_cli.retrieval.things import (
    VALUES,
    Over,
    Thing,
    is_changing,
    may_tell,
    over_in,
    things_of,
    worth_reading,
)
from hippocampus_cli.search.days import days_in
from hippocampus_cli.search.tokens import is_stop, stem_text

_TOLD = 90  # characters of a reason
_LABEL = 40
_STRONG = 2  # words of code, or of a label, that tell a thing for themselves
_WEAK = frozenset(("weekday", "time", "quantity"))  # many things have one


class Superseding:
    """What the places found say, to ask of each whether another one takes it back."""

    def __init__(
        self, statements: Iterable[Statement], asked: AbstractSet[str], today: date
    ) -> None:
        reads = [_Read(one, today) for one in statements]
        worth = worth_reading([read.text for read in reads])
        self._telling = [read for read in compress(reads, worth) if read.changing or read.over]
        self._reads = {read.said: read for read in reads} if self._telling else {}
        self._today = today
        self._asked = asked

    @property
    def tells(self) -> bool:
        """Whether anything is said that may take something back."""
        return bool(self._telling)

    def by(self, told: Sequence[Statement]) -> Later | None:
        """The latest place that takes back something of what ``told`` says."""
        found: list[tuple[date, Statement]] = []
        for one in told:
            if one.day is None or not one.close:
                continue  # what is kept current is right until somebody changes it
            old = self._reads.get(one) or _Read(one, self._today)
            for new in self._telling:
                if _may_follow(new, old) and _takes_back(old, new, self._asked):
                    found.append((new.day or one.day, new.said))
        if not found:
            return None
        _, best = max(found, key=lambda pair: pair[0])
        return Later(best.path, best.line, _reason(best))


def _may_follow(new: _Read, old: _Read) -> bool:
    """Whether the one may be later: its note is, or it is kept current."""
    if new.said.day is None or old.said.day is None:
        return new.said.path != old.said.path
    return new.said.day > old.said.day


class _Read:
    """A statement taken apart, no further than it is asked for."""

    def __init__(self, said: Statement, today: date) -> None:
        self.said = said
        self._today = today

    @cached_property
    def day(self) -> date | None:
        """When that was said; of a text that is kept current, the last day it speaks of."""
        return self.said.day or _latest_day(self.said.text, self._today)

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
    def things(self) -> list[Thing]:
        return things_of(self.text)

    @cached_property
    def over(self) -> list[Over]:
        return over_in(self.things, self.text) if may_tell(self.text) else []

    @cached_property
    def changing(self) -> bool:
        return is_changing(self.text)

    def has(self, thing: Thing) -> bool:
        """Whether this speaks of ``thing``."""
        if thing.kind == "weekday":
            return any(one.kind == "weekday" and one.key == thing.key for one in self.things)
        if thing.kind == "word":
            return all(stem in self.words for stem in thing.key.split())
        return f" {thing.key} " in self.stems

    @cached_property
    def label(self) -> frozenset[str]:
        """The words before a colon at the beginning, else those of the title."""
        head, colon, _ = self.said.text.lstrip(" -*+0123456789.").partition(":")
        words = stem_text(head if colon and len(head) <= _LABEL else self.said.title).split()
        return frozenset(word for word in words if not is_stop(word) and not word[0].isdigit())

    @property
    def title_days(self) -> frozenset[str]:
        """The days that its heading names (``Launch moved to 19 June``)."""
        return frozenset(one.key for one in things_of(self.said.title) if one.kind == "day")

    def keys(self, kind: str) -> frozenset[str]:
        """The things of one kind that it names."""
        return frozenset(one.key for one in self.things if one.kind == kind)


def _takes_back(old: _Read, new: _Read, asked: AbstractSet[str]) -> bool:
    """Whether the later one says that something in the earlier one is over, or says otherwise."""
    if not any(old.has(one.thing) for one in new.over):
        return _says_otherwise(old, new, asked)
    if new.day and old.day and new.day <= old.day:
        return False
    own = {one.thing.key for one in old.over}
    told = [one for one in new.over if new.day or one.thing.kind != "word"]
    for thing, now in told:
        alike = [one.thing for one in told if one.thing.kind == thing.kind and thing.kind in _WEAK]
        if thing.key in own or not all(map(old.has, alike or [thing])):
            continue
        if now is not None and old.has(now):
            continue  # it knows already what is new
        alone = thing.kind == "code" and thing.key.count(" ") + 1 >= _STRONG
        common = (old.around & new.around) - set(thing.key.split())
        if alone or (asked & old.around & new.around and len(common) >= _STRONG):
            return True
    return _says_otherwise(old, new, asked)


def _says_otherwise(old: _Read, new: _Read, asked: AbstractSet[str]) -> bool:
    """Whether the later one has the same label, a word of change, and another value of one kind."""
    if not new.changing or len(old.label) < _STRONG or not old.label <= new.words:
        return False
    if not asked & old.words & new.words or not new.day or not old.day or new.day <= old.day:
        return False
    pairs = [(old.keys(kind), new.keys(kind)) for kind in VALUES - {"code", "number", "day"}]
    pairs.append((old.title_days, new.title_days))  # of all days of a text few are its answer
    return any(before and after and not before & after for before, after in pairs)


def _reason(new: Statement) -> str:
    """The beginning of what the later one says, on one line."""
    text = " ".join(new.text.replace("*", "").replace("`", "").lstrip("-+ ").split())
    return text if len(text) <= _TOLD else text[: _TOLD - 1].rstrip() + "…"


def _latest_day(text: str, today: date) -> date | None:
    """Of a text that is kept current the last day it speaks of, not after ``today``."""
    days = []
    for one in days_in(text, today)[0]:
        day = one.first if one.last == today else one.last  # "since 8 May" speaks of that day
        exact = one.first == one.last or one.last == today or one.first == date.min
        days.extend([day] if exact and day <= today else [])
    return max(days, default=None)
