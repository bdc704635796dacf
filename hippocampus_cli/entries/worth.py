"""How much an entry of a note adds to the master: how likely somebody asks for what the note has (decision D31).

The weights were counted on 484 questions about eight workspaces, each judged by weights of the other seven: a hundred
notes chosen by them hold the answer to four questions in five.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import date
from heapq import nlargest
from types import MappingProxyType
from typing import NamedTuple

from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.metadata import day_of
from hippocampus_cli.text.terms import telling_terms
from hippocampus_cli.workspace.fingerprints import Fingerprint
from hippocampus_cli.workspace.kinds import NoteKind, is_core, kind_of

_OF_KIND = {
    NoteKind.CONFIG: 20.0,  # what comes first and stays (decision D22)
    NoteKind.DAILY: 1.1,
    NoteKind.SKILL: -0.9,
    NoteKind.RESEARCH: -1.8,
    NoteKind.TEMP: -1.8,
    NoteKind.STATE: -3.3,
}
_CORE, _DEEPER, _OLDER = 1.3, -0.6, -0.2
_NUMBERS = re.compile(r"\d+")
_LETTERS = re.compile(r"[^\W\d_]")
_DEEP = 3
SERIES = 8
"""So many files of a folder whose names differ in numbers alone were made by a program."""


def stem_of(path: str) -> str:
    """The name of a file without its ending."""
    return path.rpartition("/")[2].rpartition(".")[0]


def form_of(path: str) -> str:
    """The path with its numbers alike; as it is where the file's name is a number or a date alone, as of a log. Logs
    deep in the folder of another one's are a program's."""
    name = path if path.count("/") >= _DEEP else stem_of(path)
    return _NUMBERS.sub("0", path) if _LETTERS.search(name) else path


_COMMON = 3
"""A heading of so many sections, or a line of so many notes, is a form."""
_RAREST = 3  # words of a heading that count


class Frequencies(NamedTuple):
    """Of how many ``sections`` of a workspace each heading and each word of headings is; checksums of the ``lines``
    that several notes have."""

    sections: int = 0
    headings: Mapping[str, int] = MappingProxyType({})
    lines: frozenset[int] = frozenset()

    def rarity(self, heading: str) -> float:
        """How rare the words of a heading are, by their idf; 0 where several sections have it, or its words together
        are less rare than one that no other section has."""
        most = self.sections + 2
        words = filter(str.isalpha, telling_terms(heading))
        idf = (math.log(most / self.headings.get(word, 1)) for word in words)
        rarity = sum(nlargest(_RAREST, idf))
        return (
            rarity if self.headings.get(heading, 0) < _COMMON and rarity >= math.log(most) else 0.0
        )


def frequencies(prints: Iterable[Fingerprint]) -> Frequencies:
    """The frequencies in the notes with these fingerprints, each text once."""
    headings, lines = Counter[str](), Counter[int]()
    notes = {each.text: each.sections for each in prints}
    for sections in notes.values():
        lines.update({line for section in sections for line in section.lines})
        for section in sections:
            name = section.name.rpartition(" > ")[2]
            headings.update({name, *telling_terms(name)})
    forms = frozenset(line for line in lines if lines[line] >= _COMMON)
    return Frequencies(sum(map(len, notes.values())), headings, forms)


def worth_of(path: str, day: date, today: date, series: Counter[str]) -> float:
    """The worth of a note of that day in the master, the higher the better."""
    value = _OF_KIND.get(kind_of(path), 0.0) + _CORE * is_core(path)
    value += _DEEPER * path.count("/") - math.log(series[form_of(path)] or 1)
    return value + _OLDER * math.log1p(max(0, (today - day).days))


def worths(index: Hierarchy, today: date) -> dict[str, float]:
    """The worth of every living entry, by the note that it leads to first."""
    series = Counter(map(form_of, index.pointers))
    return {
        located.key: worth_of(
            next((pointer.path for pointer in located.entry.pointers), ""),
            day_of(located.entry.created) or date.min,
            today,
            series,
        )
        for located in index.entries
    }
