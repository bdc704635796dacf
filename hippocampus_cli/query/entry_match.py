"""Matching a question with the entries of the index (INDEX §4.3).

An entry's score is the share of the question's words that it has, rare words counting more and each word as much as
the best place it stands in.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property, lru_cache
from math import log

from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.index.document import Located
from hippocampus_cli.index.entry import Entry
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.search.query_parser import MOST_TYPED, Query
from hippocampus_cli.text.tokenizer import (
    Term,
    folded,
    forms,
    is_another_word,
    is_stop,
    spellings,
    stems,
    words_of,
)

MATCHED = 0.34  # share of the question that an entry must have for the index to speak
# How much a word counts by where it stands: what a person chose first, what was derived from the text last.
TOPIC, POINTER, SUMMARY = 1.0, 0.8, 0.6
MISSPELT = 0.8
_ALIKE = 80.0  # rapidfuzz ratio from which a word may be a misspelt one
_SHORTEST, _LONGEST = 4, 40  # letters of a misspelt word


class EntryMatch(NamedTuple):
    """An entry that has words of the question; ``score`` is 0 to 1."""

    located: Located
    score: float


class IndexWords:
    """The entries of an index by their words. Build it once for an index."""

    def __init__(self, index: Hierarchy) -> None:
        self.index = index

    @cached_property
    def _having(self) -> dict[str, dict[str, float]]:
        """For each stem the entries that have it, by their key, with its weight there."""
        having: dict[str, dict[str, float]] = {}
        for located in self.index.entries:
            for stem, weight in entry_stems(located.entry).items():
                having.setdefault(stem, {})[located.key] = weight
        return having

    def match(
        self, query: Query, known: AbstractSet[str], of_days: AbstractSet[str] = frozenset()
    ) -> list[EntryMatch]:
        """The entries that have words of ``query``, or lead to one of the notes ``of_days``, best first. The stems
        in ``known`` stand in notes, and so are no misspelt ones."""
        typed = spellings(folded(query.text[:MOST_TYPED]))
        undated = [term for term in query.terms if term.stem not in query.dated]
        rows = [self._weights(term, typed if term.stem not in known else {}) for term in undated]
        dated = self._dated(query, of_days)
        scores: dict[str, float] = {}
        total = 0.0
        for row in (*rows, dated) if dated else rows:
            worth = log(1 + len(self.index.entries) / (len(row) + 0.5))
            total += worth
            for key, weight in row.items():
                scores[key] = scores.get(key, 0.0) + worth * weight
        by_key = self.index.by_key
        found = [EntryMatch(by_key[key], score / total) for key, score in scores.items()]
        return sorted(found, key=lambda match: (-match.score, match.located.key))

    def have(self, stems: Sequence[str]) -> bool:
        """Whether one entry has all of these stems."""
        rows = [self._having.get(stem, {}).keys() for stem in stems]
        return bool(rows and set(rows[0]).intersection(*rows))

    def _dated(self, query: Query, of_days: AbstractSet[str]) -> dict[str, float]:
        """The entries that have the words of the dates asked for, and those that lead to notes ``of_days``."""
        rows = [self._having.get(term.stem, {}) for term in query.terms if term.stem in query.dated]
        keys = set(rows[0]).intersection(*rows) if rows else set()
        for path in of_days:
            keys |= {located.key for located, _ in self.index.pointers.get(path, ())}
        return dict.fromkeys(keys, 1.0)

    def _weights(self, term: Term, typed: dict[str, str]) -> dict[str, float]:
        """The entries that have a word, as it is, in parts or misspelt, each with how much it has of it."""
        found = self._best({term.stem: 1.0})
        if not found and term.parts:
            found = self._best(dict.fromkeys(term.parts, 1.0 / len(term.parts)))
        if not found and term.stem in typed:
            found = self._best(dict.fromkeys(self._alike(typed[term.stem]), MISSPELT))
        return found

    def _best(self, wanted: dict[str, float]) -> dict[str, float]:
        """The entries that have one of the stems, with the best of what they count."""
        best: dict[str, float] = {}
        for stem, value in wanted.items():
            for key, weight in self._having.get(stem, {}).items():
                best[key] = max(best.get(key, 0.0), value * weight)
        return best

    @cached_property
    def _words(self) -> list[str]:
        """The words of the index as they are spelled: a typo is nearer to those than to stems."""
        texts = (" ".join(_fields(located.entry)) for located in self.index.entries)
        words = {word for text in texts for word in words_of(folded(text))}
        return sorted(word for word in words if word.isalpha() and len(word) >= _SHORTEST)

    def _alike(self, word: str) -> Iterable[str]:
        """The stems that a word may be a misspelling of."""
        if not word.isalpha() or not _SHORTEST <= len(word) <= _LONGEST:
            return ()
        from rapidfuzz import fuzz, process

        near = process.extract(word, self._words, scorer=fuzz.ratio, score_cutoff=_ALIKE, limit=3)
        meant = (spelled for spelled, *_ in near if not is_another_word(word, spelled))
        return dict.fromkeys(stem for spelled in meant for stem in forms(spelled)[:1])


def _fields(entry: Entry) -> tuple[str, str, str]:
    """What a person chose, where it leads, what was derived from the text."""
    names = f"{entry.topic} {' '.join(entry.tags)} {entry.id.replace('-', ' ')}"
    pointers = " ".join(f"{pointer.path} {pointer.section or ''}" for pointer in entry.pointers)
    return names, pointers, entry.summary


@lru_cache(maxsize=8192)  # most entries are the same when an index was changed
def entry_stems(entry: Entry) -> dict[str, float]:
    """The stems of an entry, each with the weight of the best place it stands in."""
    weights: dict[str, float] = {}
    for text, weight in zip(_fields(entry), (TOPIC, POINTER, SUMMARY), strict=True):
        for stem in stems(text):
            if not is_stop(stem):
                weights.setdefault(stem, weight)
    return weights
