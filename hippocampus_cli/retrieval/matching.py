"""Matching a query against the entries of the index: topic, tags, id, pointer names, summary (INDEX §4.3).

An entry's score is the share of the query's words that it has, rare words counting more and each word
as much as the best place it stands in. Words that no entry has are looked up by likeness once.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from hippocampus_cli.index.document import Document, Located
from hippocampus_cli.index.entry import Entry
from hippocampus_cli.search.parse import Query
from hippocampus_cli.search.tokens import forms, is_stop, stems, words_of

# How much a word counts by where it stands: what a person chose first, what was derived from the text last.
TOPIC, POINTER, SUMMARY = 1.0, 0.8, 0.6
MISSPELT = 0.8
_SHORTEST_MISSPELT = 4


class EntryMatch(NamedTuple):
    """An entry that has words of the query: ``score`` is 0 to 1, ``matched`` the query's stems it has."""

    located: Located
    score: float
    matched: frozenset[str]


@dataclass(frozen=True)
class IndexWords:
    """The entries of a document by the stems of their words. Build it once for a document."""

    document: Document

    @cached_property
    def entries(self) -> tuple[tuple[Located, Mapping[str, float]], ...]:
        """Every entry with the weight of each of its stems."""
        return tuple((located, entry_stems(located.entry)) for located in self.document.entries)

    @cached_property
    def frequency(self) -> Mapping[str, int]:
        """In how many entries each stem stands."""
        counts: dict[str, int] = {}
        for _, found in self.entries:
            for stem in found:
                counts[stem] = counts.get(stem, 0) + 1
        return counts

    def match(self, query: Query, cutoff: float) -> tuple[EntryMatch, ...]:
        """The entries that have words of ``query``, best first. ``cutoff``: likeness in percent of a misspelling."""
        wanted = self._wanted(query, cutoff)
        total = sum(worth for _, worth, _ in wanted)
        if not total:
            return ()
        matches = []
        for located, found in self.entries:
            score, matched = 0.0, []
            for stem, worth, spelled in wanted:
                best = max(
                    (weight * found.get(form, 0.0) for form, weight in spelled.items()), default=0.0
                )
                if best:
                    score += worth * best
                    matched.append(stem)
            if matched:
                matches.append(EntryMatch(located, score / total, frozenset(matched)))
        return tuple(sorted(matches, key=lambda one: (-one.score, one.located.key)))

    def _wanted(self, query: Query, cutoff: float) -> list[tuple[str, float, dict[str, float]]]:
        """For each word of the query: its stem, what it is worth, and the forms it may be met in."""
        rows = []
        for term in query.terms:
            forms = {term.stem: 1.0}
            if term.stem not in self.frequency:
                forms |= dict.fromkeys(
                    (p for p in term.parts if p in self.frequency), 1.0 / max(1, len(term.parts))
                )
                if len(forms) == 1:
                    forms |= dict.fromkeys(self._alike(term.stem, cutoff), MISSPELT)
            count = sum(self.frequency.get(form, 0) for form in forms)
            rows.append((term.stem, math.log(1 + len(self.entries) / (count + 0.5)), forms))
        return rows

    @cached_property
    def _spellings(self) -> Mapping[str, str]:
        """The words of the index, spelled out and as stems, each with its stem: a typo is near to either."""
        found = {stem: stem for stem in self.frequency if stem.isalpha()}
        for located, _ in self.entries:
            for word in words_of(_text_of(located.entry)):
                if word.isalpha() and len(word) >= _SHORTEST_MISSPELT:
                    found.setdefault(word.lower(), next(iter(forms(word)), ""))
        return found

    def _alike(self, stem: str, cutoff: float) -> Iterable[str]:
        if len(stem) < _SHORTEST_MISSPELT or not stem.isalpha() or len(stem) > 40:
            return ()
        from rapidfuzz import fuzz, process

        words = [word for word in self._spellings if abs(len(word) - len(stem)) <= 3]
        found = process.extract(stem, words, scorer=fuzz.ratio, score_cutoff=cutoff, limit=3)
        return dict.fromkeys(self._spellings[word] for word, _, _ in found)


def _text_of(entry: Entry) -> str:
    pointers = " ".join(f"{pointer.path} {pointer.section or ''}" for pointer in entry.pointers)
    return f"{entry.topic} {' '.join(entry.tags)} {pointers} {entry.summary}"


def entry_stems(entry: Entry) -> dict[str, float]:
    """The stems of an entry, each with the weight of the best place it stands in."""
    weights: dict[str, float] = {}
    pointers = " ".join(f"{pointer.path} {pointer.section or ''}" for pointer in entry.pointers)
    names = f"{entry.topic} {' '.join(entry.tags)} {entry.id.replace('-', ' ')}"
    for text, weight in ((names, TOPIC), (pointers, POINTER), (entry.summary, SUMMARY)):
        for stem in stems(text):
            if not is_stop(stem) and weights.get(stem, 0.0) < weight:
                weights[stem] = weight
    return weights
