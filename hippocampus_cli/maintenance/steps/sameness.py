"""Which entries say the same, among thousands, without comparing each with each (INDEX §8.2).

A wrong yes costs more than a wrong no. Two texts are alike where one holds every word of the other in the same order,
figures and signs included, and little else. So nothing that was said is ever the opposite of what is kept: a text
with another number, date, version, name or negation is another text.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from hippocampus_cli.index.document import Located
from hippocampus_cli.index.entry import Entry
from hippocampus_cli.index.metadata import Source
from hippocampus_cli.index.pointers import Pointer
from hippocampus_cli.text.words import key
from hippocampus_cli.workspace.kinds import NoteKind, kind_of
from hippocampus_cli.workspace.note import fold
from hippocampus_cli.workspace.paths import normal

_FEWEST = 4  # telling words that two texts must share: "Notes" is like any other "Notes"
_WORD = re.compile(r"[^\W_]+(?:[-.,:/'’@+][^\W_]+)*")
_SIGN = re.compile(r"[^\w\s.,;:!?'\"’“”„()\[\]{}*`~_|…–—-]")
_MINUS = re.compile(r"(?<!\w)[-–−](?=\d)")
_DAY = re.compile(r"(?:19|20)\d\d[-_./]?[01]\d(?:[-_./]?[0-3]\d)?")
_FIGURE = re.compile(r"\d+")
_GLUE = frozenset(("a", "an", "and", "are", "for", "is", "of", "the"))
_TURNING = """
allowed broken cancelled canceled denied deprecated disabled enabled except expected external failed forbidden
former formerly instead internal invalid missing obsolete optional planned prevent prevents previous private
production public rejected removed replaced required staging testing unless
"""
_TURNS = frozenset(_TURNING.split())
_SHORTEST = 6  # in nearly every language, what turns a sentence into its opposite is shorter
_OF_ONE_PLACE = frozenset((NoteKind.PROJECT, NoteKind.SKILL, NoteKind.AGENT))


@dataclass(frozen=True, slots=True)
class Saying:
    """What an entry says and where it leads. ``spare`` are words of it that another wording may lack.

    ``days`` and ``figures`` are those of the paths and sections that it points at, ``folders`` the projects,
    skills and agents; ``hand``: no draft of hippo's or of a defrag cycle.
    """

    topic: tuple[str, ...]
    words: tuple[str, ...]
    spare: frozenset[str]
    signs: Counter[str]
    targets: frozenset[Pointer]
    days: frozenset[str]
    figures: frozenset[str]
    folders: frozenset[str]
    hand: bool


def saying_of(entry: Entry) -> Saying:
    """What two entries are compared by."""
    text = f"{entry.topic} \n {entry.summary}"
    written = _WORD.findall(text)
    places = [f"{path} {section or ''}" for path, section in map(target, entry.pointers)]
    return Saying(
        topic=tuple(_levelled(_WORD.findall(entry.topic))),
        words=tuple(_levelled(written)),
        spare=frozenset(_form(word) for word in written)
        - {_form(word) for word in written if not _may_be_missing(word)},
        signs=Counter(_SIGN.findall(text) + _MINUS.findall(text)),
        targets=frozenset(map(target, entry.pointers)),
        days=frozenset(day for place in places for day in _DAY.findall(place)),
        figures=frozenset(_FIGURE.findall(_DAY.sub(" ", " ".join(places)))),
        folders=frozenset(filter(None, (_folder(path) for path, _ in entry.pointers))),
        hand=entry.src in (Source.MANUAL, None),
    )


def target(pointer: Pointer) -> Pointer:
    """A pointer in the form in which two to one place are equal."""
    path = normal(pointer.path.replace("\\", "/"))
    section = fold(pointer.section) if pointer.section else None
    return Pointer(pointer.path if path is None else path, section)


def same_subject(one: Saying, other: Saying, least: float) -> bool:
    """Whether the texts are alike by ``least``, and the places no reason to tell them apart."""
    return _compatible(one, other) and likeness(one, other) >= least


def same_handle(one: Saying, other: Saying, least: float) -> bool:
    """Whether two entries for one place may be one: a person who wrote two topics meant two."""
    if not (one.hand and other.hand):
        return True
    spare = one.spare | other.spare
    return _alike(one.topic, other.topic, spare) >= least


def likeness(one: Saying, other: Saying) -> float:
    """The share of the longer text's words that both have, in one order; 0 where they say different things."""
    shared = sum(1 for word in set(one.words).intersection(other.words) if key(word))
    if shared < _FEWEST or one.signs != other.signs:
        return 0.0
    return _alike(one.words, other.words, one.spare | other.spare)


def _alike(one: Sequence[str], other: Sequence[str], spare: frozenset[str]) -> float:
    short, long = (one, other) if len(one) <= len(other) else (other, one)
    at = 0
    for word in long:
        if at < len(short) and short[at] == word:
            at += 1
        elif word not in spare:
            return 0.0
    return len(short) / len(long) if long and at == len(short) else 0.0


def _compatible(one: Saying, other: Saying) -> bool:
    apart = (
        (one.days and other.days and one.days != other.days)
        or (one.folders and other.folders and one.folders != other.folders)
        or one.figures != other.figures
    )
    return not apart and not _sections_of_one_note(one, other)


def _sections_of_one_note(one: Saying, other: Saying) -> bool:
    """Whether both lead to one note and to different sections of it: who wrote two sections meant two."""
    mine = {path: section for path, section in one.targets - other.targets if section}
    return any(path in mine for path, section in other.targets - one.targets if section)


def _levelled(written: Sequence[str]) -> list[str]:
    return [_form(word) for word in written if word.casefold() not in _GLUE]


def _form(word: str) -> str:
    return key(word) or word.casefold()


def _may_be_missing(word: str) -> bool:
    """Whether a word adds detail: no name, no figure, nothing that could turn the meaning round."""
    plain = len(word) >= _SHORTEST and word.isalpha() and word.islower()
    return plain and bool(key(word)) and word not in _TURNS


def _folder(path: str) -> str:
    """The project, skill or agent that a path belongs to; empty for other notes."""
    clean = normal(path) or ""
    if kind_of(clean) not in _OF_ONE_PLACE:
        return ""
    parts = clean.split("/")
    return "/".join(parts[:2]) if len(parts) > 2 else clean


_MOST = 50  # entries of a group; where more say the same, the groups become one in the next round

_Key = tuple[str, frozenset[str], frozenset[str] | None]


class Merge(NamedTuple):
    """One entry, and those that become part of it."""

    kept: Located
    absorbed: list[Located]


class Groups:
    """Entries taken in one by one, the ones to be kept first; each joins the first group that it fits.

    Of two texts that are alike one holds all words of the other, hence also the rarest of them; and their
    places agree in figures and days. That is what groups are looked up by. ``precise`` says whether pointers
    lead to one place each; ``may_join`` whether an entry may become part of another.
    """

    def __init__(
        self,
        said: Mapping[str, Saying],
        least: float,
        precise: Callable[[Iterable[Pointer]], bool],
        may_join: Callable[[Located, Located], bool],
    ) -> None:
        self.found: list[Merge] = []
        self._said, self._least = said, least
        self._precise, self._may_join = precise, may_join
        self._counts = Counter(word for saying in said.values() for word in set(saying.words))
        self._holding: dict[_Key, list[int]] = defaultdict(list)
        self._named: dict[_Key, list[int]] = defaultdict(list)
        self._at: dict[frozenset[Pointer], list[int]] = defaultdict(list)

    def take(self, one: Located) -> None:
        """Put an entry into a group, its own if need be."""
        for at in self._near(self._said[one.key]):
            group = self.found[at]
            if len(group.absorbed) < _MOST and self._fits(one, group):
                group.absorbed.append(one)
                return
        self._open(one)

    def _near(self, saying: Saying) -> list[int]:
        """The groups that an entry may fit, in the order in which they were opened."""
        near = set(self._at.get(saying.targets, ()))
        days = (saying.days, frozenset[str]()) if saying.days else (None,)
        for day in days:
            if saying.words:
                near.update(self._holding.get((self._rarest(saying), saying.figures, day), ()))
            for word in set(saying.words):
                near.update(self._named.get((word, saying.figures, day), ()))
        return sorted(near)

    def _fits(self, one: Located, group: Merge) -> bool:
        members = (group.kept, *group.absorbed)
        return self._may_join(one, group.kept) and all(self._same(one, other) for other in members)

    def _same(self, one: Located, other: Located) -> bool:
        this, that = self._said[one.key], self._said[other.key]
        at_one = bool(this.targets) and this.targets == that.targets
        if at_one and same_handle(this, that, self._least) and self._precise(this.targets):
            return True
        return same_subject(this, that, self._least)

    def _open(self, one: Located) -> None:
        at, saying = len(self.found), self._said[one.key]
        self.found.append(Merge(one, []))
        self._at[saying.targets].append(at)
        for day in (saying.days, None):
            for word in set(saying.words):
                self._holding[word, saying.figures, day].append(at)
            if saying.words:
                self._named[self._rarest(saying), saying.figures, day].append(at)

    def _rarest(self, saying: Saying) -> str:
        return min(saying.words, key=lambda word: (self._counts[word], word))
