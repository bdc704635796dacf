"""Whether two entries say the same (INDEX §8.2); a wrong yes costs more than a wrong no.

Two texts are alike where one holds every word of the other in the same order, figures and signs included, and
little else. So nothing that was said is ever the opposite of what is kept: a text with another number, date,
version, name or negation is another text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from hippocampus_cli.drafting.words import key
from hippocampus_cli.index.entry import Entry
from hippocampus_cli.index.fields import Source
from hippocampus_cli.index.pointers import Pointer
from hippocampus_cli.workspace.kinds import NoteKind, kind_of
from hippocampus_cli.workspace.paths import normal
from hippocampus_cli.workspace.titles import fold

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
