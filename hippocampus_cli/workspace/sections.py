"""Naming a section so that exactly one is meant, and finding it again (decision D5).

A name is a heading; where several sections have it, ``Parent > Heading``; else ``Heading #2``, the second section
with that heading. Nothing in a name is a line number, so it survives lines added above. A wrong name leads to the
heading that it most likely means, if there is only one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum
from functools import cached_property
from itertools import count
from typing import Generic, NamedTuple, Protocol, TypeVar

from hippocampus_cli.fast_types import pattern
from hippocampus_cli.workspace.note import fold, plain

Named = TypeVar("Named", bound="SectionLike")

CUT_OFF = 80.0  # rapidfuzz similarity, 0 to 100, below which two names are not the same
LEAD = 5.0  # by how much the winner must beat the next
_CONTAINED = 90.0  # every word of the name is in the heading: "Vercel" for "Vercel setup"
_MAX_LENGTH = 300
_WORD = pattern(r"[^\W_]+")


def most_alike(wanted: str, choices: Sequence[tuple[str, Named]]) -> Named | None:
    """The one section whose (folded) name is like ``wanted`` by ``CUT_OFF``, ``LEAD`` ahead of all others."""
    ranked = alike(wanted, choices)
    if not ranked or (len(ranked) > 1 and ranked[0][1] - ranked[1][1] < LEAD):
        return None
    return ranked[0][0]


def alike(wanted: str, choices: Sequence[tuple[str, Named]]) -> list[tuple[Named, float]]:
    """Every section whose name is like ``wanted`` by ``CUT_OFF``, with its likeness, the likest first."""
    if len(wanted) > _MAX_LENGTH:
        return []
    scores: dict[int, tuple[Named, float]] = {}
    for section, score in _scored(_WORD.findall(wanted), choices):
        best = scores.get(section.ordinal)
        if best is None or score > best[1]:
            scores[section.ordinal] = section, score
    return sorted(scores.values(), key=lambda item: item[1], reverse=True)


def _scored(wanted: list[str], choices: Sequence[tuple[str, Named]]) -> list[tuple[Named, float]]:
    from rapidfuzz import fuzz

    needed = set(wanted)
    numbers = _numbers(wanted)
    phrase, ordered = " ".join(wanted), " ".join(sorted(wanted))
    found = []
    for text, section in choices:
        words = _WORD.findall(text[:_MAX_LENGTH])
        if needed and needed <= set(words):
            floor = _CONTAINED
        elif numbers == _numbers(words):  # "Sprint 12" is never "Sprint 13"
            floor = 0.0
        else:
            continue
        score = max(
            floor,
            fuzz.ratio(phrase, " ".join(words), score_cutoff=CUT_OFF),
            fuzz.ratio(ordered, " ".join(sorted(words)), score_cutoff=CUT_OFF),
        )
        if score >= CUT_OFF:
            found.append((section, score))
    return found


def _numbers(words: list[str]) -> list[str]:
    return sorted(re.findall(r"\d+", " ".join(words)))


_PLACEHOLDER = pattern(r"\[redacted:[\w-]+\]")
_ORDINAL = pattern(r"(.*?)(?:^|\s)#0*([1-9][0-9]{0,8})\s*", re.DOTALL)


class SectionLike(Protocol):
    """A section of a note, or a stored row of one."""

    @property
    def ordinal(self) -> int: ...
    @property
    def level(self) -> int: ...
    @property
    def title(self) -> str: ...
    @property
    def parents(self) -> tuple[str, ...]: ...


S = TypeVar("S", bound=SectionLike)


class How(StrEnum):
    """By what a section was found."""

    EXACT = "exact"
    QUALIFIED = "qualified"
    ORDINAL = "ordinal"
    FUZZY = "fuzzy"


class FoundSection(NamedTuple, Generic[S]):
    """The section that a name means."""

    section: S
    how: How


class SectionNames(Generic[S]):
    """The names of one note's sections. Build it once where many are named or found."""

    def __init__(self, sections: Sequence[S]) -> None:
        self.headed = [section for section in sections if section.level > 0]

    @cached_property
    def _by_title(self) -> dict[str, list[S]]:
        found: dict[str, list[S]] = {}
        for section in self.headed:
            found.setdefault(fold(section.title), []).append(section)
        return found

    @cached_property
    def _numbers(self) -> dict[int, int]:
        """Of each section, by its ordinal: the how-manieth with its heading it is, from 1."""
        return {
            section.ordinal: number
            for same in self._by_title.values()
            for number, section in enumerate(same, 1)
        }

    @cached_property
    def _by_ancestry(self) -> dict[str, list[S]]:
        """Sections by ``Parent > Heading``, ``Grandparent > Parent > Heading`` and so on."""
        found: dict[str, list[S]] = {}
        for section in self.headed:
            for depth in range(1, len(section.parents) + 1):
                name = fold(" > ".join((*section.parents[-depth:], section.title)))
                found.setdefault(name, []).append(section)
        return found

    def pointer_name(self, section: S) -> str | None:
        """The text after ``§`` that finds ``section`` and no other; ``None`` for text before all headings.

        Each candidate is looked up before it is given out, so a heading that itself reads ``A > B`` or
        ``A #2`` cannot capture another section's name. The last resort writes the number with zeros in
        front; a note has only so many headings, so one of those is free.
        """
        if section.level == 0:
            return None
        title, parent = plain(section.title), plain(section.parents[-1]) if section.parents else ""
        for name in (title, f"{parent} > {title}" if parent and title else ""):
            if name and self._is_only(name, section):
                return name
        number = self._numbers[section.ordinal]
        for width in count(1):
            for base in (title, section.title):
                name = f"{base} #{number:0{width}}".strip()
                found = self.find(name, fuzzy=False)
                if found and _is(found.section, section):
                    return name
        raise AssertionError("unreachable")

    def find(self, name: str, *, fuzzy: bool = True) -> FoundSection[S] | None:
        """The section meant by ``name``: by its heading, its ancestry, its number, then by likeness.

        Where a heading or an ancestry stands several times, the first is meant.
        """
        wanted = fold(name)
        if wanted and (exact := self._by_title.get(wanted)):
            return FoundSection(exact[0], How.EXACT)
        if wanted and (qualified := self._by_ancestry.get(wanted)):
            return FoundSection(qualified[0], How.QUALIFIED)
        if (numbered := self._numbered(name)) is not None:
            return FoundSection(numbered, How.ORDINAL)
        if "[redacted:" in name and (shaped := self._redacted(name)) is not None:
            return FoundSection(shaped, How.EXACT)
        if fuzzy and wanted and (alike := most_alike(wanted, self._choices())):
            return FoundSection(alike, How.FUZZY)
        return None

    def near(self, name: str) -> list[tuple[S, float]]:
        """The sections with a name like ``name``, each with its likeness in percent, the likest first."""

        return alike(fold(name), self._choices())

    def _is_only(self, name: str, section: S) -> bool:
        wanted = fold(name)
        same = self._by_title.get(wanted) or self._by_ancestry.get(wanted) or []
        return len(same) == 1 and _is(same[0], section)

    def _redacted(self, name: str) -> S | None:
        """The first section that ``name`` may have been before a part of it was redacted."""
        pieces = [re.escape(fold(one)) for one in _PLACEHOLDER.split(name)]
        shape = re.compile(r"\s*\S.*".join(pieces))
        return next((one for title, one in self._choices() if shape.fullmatch(title)), None)

    def _numbered(self, name: str) -> S | None:
        found = _ORDINAL.fullmatch(name)
        if not found:
            return None
        base, number = fold(found[1]), int(found[2])
        same = self._by_title.get(base) or self._by_ancestry.get(base) or []
        return same[number - 1] if number <= len(same) else None

    def _choices(self) -> list[tuple[str, S]]:
        """What a misremembered name is compared with: each heading alone, and with its parent."""
        alone = [(fold(section.title), section) for section in self.headed]
        return alone + [
            (fold(f"{section.parents[-1]} > {section.title}"), section)
            for section in self.headed
            if section.parents
        ]


def pointer_name(sections: Sequence[S], section: S) -> str | None:
    """As :meth:`SectionNames.pointer_name`, for one section."""
    return SectionNames(sections).pointer_name(section)


def find_section(sections: Sequence[S], name: str) -> FoundSection[S] | None:
    """As :meth:`SectionNames.find`, for one name."""
    return SectionNames(sections).find(name)


def _is(one: SectionLike, other: SectionLike) -> bool:
    return one.ordinal == other.ordinal
