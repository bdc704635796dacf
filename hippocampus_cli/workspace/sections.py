"""Naming a section so that exactly one is meant, and finding it again (decision D5).

A name is a heading; where several sections have it, ``Parent > Heading``; else ``Heading #2``, the second section
with that heading. Nothing in a name is a line number, so it survives lines added above. A wrong name leads to the
heading that it most likely means, if there is only one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import count
from operator import itemgetter

from hippocampus_cli.fast_types import pattern
from hippocampus_cli.workspace.note import Section, fold, plain

CUT_OFF = 80.0  # rapidfuzz similarity, 0 to 100, below which two names are not the same
LEAD = 5.0  # by how much the winner must beat the next
_CONTAINED = 90.0  # every word of the name is in the heading: "Vercel" for "Vercel setup"
_MAX_LENGTH = 300
_WORD = pattern(r"[^\W_]+")


def _likeness(wanted: list[str], words: list[str]) -> float:
    """How alike two names are, 0 to 100. "Sprint 12" is never "Sprint 13"."""
    from rapidfuzz import fuzz

    contained = bool(wanted) and set(wanted) <= set(words)
    if not contained and _numbers(wanted) != _numbers(words):
        return 0.0
    names = " ".join(wanted), " ".join(words)
    whole = fuzz.ratio(*names, score_cutoff=CUT_OFF)
    ordered = fuzz.token_sort_ratio(*names, score_cutoff=CUT_OFF)
    return max(_CONTAINED if contained else 0.0, whole, ordered)


def _numbers(words: list[str]) -> list[str]:
    return sorted(re.findall(r"\d+", " ".join(words)))


_ORDINAL = pattern(r"(.*?)(?:^|\s)#0*([1-9][0-9]{0,8})\s*", re.DOTALL)


_Named = dict[str, list[Section]]


class SectionNames:
    """The names of one note's sections; :func:`names_of` keeps those of the latest notes."""

    def __init__(self, sections: Sequence[Section]) -> None:
        self.sections = sections
        self.headed = [section for section in sections if section.level > 0]

    @cached_property
    def _by_title(self) -> _Named:
        return _grouped((section.title, section) for section in self.headed)

    @cached_property
    def _by_ancestry(self) -> _Named:
        """Sections by ``Parent > Heading``, ``Grandparent > Parent > Heading`` and so on."""
        return _grouped(
            (" > ".join((*section.parents[-depth:], section.title)), section)
            for section in self.headed
            for depth in range(1, len(section.parents) + 1)
        )

    @cached_property
    def _numbers(self) -> dict[tuple[str, int], int]:
        """Of each section, by its folded heading and ordinal: the how-manieth with that heading it is, from 1."""
        return {
            (title, section.ordinal): number
            for title, same in self._by_title.items()
            for number, section in enumerate(same, 1)
        }

    def _named(self, name: str) -> list[Section]:
        """The sections that have this heading, else this ancestry."""
        wanted = fold(name)
        return self._by_title.get(wanted) or self._by_ancestry.get(wanted) or []

    def pointer_name(self, section: Section) -> str | None:
        """The text after ``§`` that finds ``section`` and no other; ``None`` for text before all headings.

        Each candidate is looked up before it is given out, so a heading that itself reads ``A > B`` or
        ``A #2`` cannot capture another section's name. The last resort writes the number with zeros in
        front; a note has only so many headings, so one of those is free. A section that is not of these, since
        the note was read anew meanwhile, has its title.
        """
        if section.level == 0:
            return None
        title, parent = plain(section.title), plain(section.parents[-1]) if section.parents else ""
        for name in (title, f"{parent} > {title}" if parent and title else ""):
            if name and [other.ordinal for other in self._named(name)] == [section.ordinal]:
                return name
        number = self._numbers.get((fold(section.title), section.ordinal))
        if number is None:
            return title or None
        for width in count(1):
            for base in (title, section.title):
                name = f"{base} #{number:0{width}}".strip()
                match = self.find(name)
                if match and match.ordinal == section.ordinal:
                    return name
        raise AssertionError("unreachable")

    def find(self, name: str) -> Section | None:
        """The section that has this name: its heading, its ancestry, or its number.

        Where a heading or an ancestry stands several times, the first is meant.
        """
        if fold(name) and (same := self._named(name)):
            return same[0]
        return self._numbered(name)

    def likeliest(self, name: str) -> Section | None:
        """The section with the name that is most like ``name``, if no other is nearly as like it."""
        wanted = fold(name)
        words = _WORD.findall(wanted) if len(wanted) <= _MAX_LENGTH else []
        scores = dict.fromkeys(self.headed, 0.0)
        for other, section in self._choices() if words else ():
            score = _likeness(words, _WORD.findall(other[:_MAX_LENGTH]))
            scores[section] = max(scores[section], score)
        ranked = sorted(scores.items(), key=itemgetter(1), reverse=True)
        (likeliest, first), (_, second) = [*ranked, (None, 0.0), (None, 0.0)][:2]
        return likeliest if first - second >= LEAD else None

    def _numbered(self, name: str) -> Section | None:
        match = _ORDINAL.fullmatch(name)
        same = self._named(match[1])[int(match[2]) - 1 :] if match else []
        return same[0] if same else None

    def _choices(self) -> Iterator[tuple[str, Section]]:
        """What a misremembered name is compared with: each heading, alone and with what it stands under."""
        for named in (self._by_title, self._by_ancestry):
            yield from ((name, section) for name, same in named.items() for section in same)


def _grouped(names: Iterable[tuple[str, Section]]) -> _Named:
    named: _Named = {}
    for name, section in names:
        named.setdefault(fold(name), []).append(section)
    return named


_latest: list[SectionNames] = []


def names_of(sections: Sequence[Section]) -> SectionNames:
    """The names of a note's sections, made once while a few notes are worked on: one may have thousands."""
    known = [names for names in _latest if names.sections is sections]
    names = known[0] if known else SectionNames(sections)
    _latest[:] = [names, *(other for other in _latest[:3] if other is not names)]
    return names


def pointer_name(sections: Sequence[Section], section: Section) -> str | None:
    """As :meth:`SectionNames.pointer_name`, for one section."""
    return names_of(sections).pointer_name(section)


def find_section(sections: Sequence[Section], name: str) -> Section | None:
    """The section that has this name, else the likeliest."""
    names = names_of(sections)
    return names.find(name) or names.likeliest(name)
