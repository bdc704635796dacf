"""Matching a question with the entries of the index, and following those that match (INDEX §4.3).

An entry's score is the share of the question's words that it has, rare words counting more and each word as much as
the best place it stands in. Some match and do not answer: those that are silent, and those of which nothing is left.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property, lru_cache
from math import log

from hippocampus_cli.config.settings import Bands
from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.index.decay import Band, band
from hippocampus_cli.index.document import Located
from hippocampus_cli.index.entry import Entry
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.query.results import Suppressed
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
from hippocampus_cli.workspace.note import Section
from hippocampus_cli.workspace.resolve import Resolved, Status

MATCHED = 0.34  # share of the question that an entry must have for the index to speak
# How much a word counts by where it stands: what a person chose first, what was derived from the text last.
TOPIC, POINTER, SUMMARY = 1.0, 0.8, 0.6
MISSPELT = 0.8
_DESCRIBED = 100  # entries that lead search somewhere though they match too little to answer
_ALIKE = 80.0  # rapidfuzz ratio from which a word may be a misspelt one
_SHORTEST, _LONGEST = 4, 40  # letters of a misspelt word
_START = 3  # letters of a stem that its words share
_NOWHERE = frozenset((Status.MISSING_FILE, Status.OUTSIDE))


class EntryMatch(NamedTuple):
    """An entry that has words of the question; ``score`` is 0 to 1."""

    located: Located
    score: float


class IndexWords:
    """The entries of an index by their words. Build it once for an index.

    Stemming every word of an index would take longer than all else in a query, so an entry's words are stemmed only
    where its text holds the beginning of a stem that is asked for.
    """

    def __init__(self, index: Hierarchy) -> None:
        self.index = index
        self._begun: dict[str, list[Located]] = {}

    def match(
        self, query: Query, known: AbstractSet[str], of_days: AbstractSet[str] = frozenset()
    ) -> list[EntryMatch]:
        """The entries that have words of ``query``, or lead to one of the notes ``of_days``, best first. The stems
        in ``known`` stand in notes, and so are no misspelt ones."""
        typed = spellings(folded(query.text[:MOST_TYPED]))
        scores: dict[str, tuple[Located, float]] = {}
        total = 0.0
        rows = [
            self._weights(term, typed if term.stem not in known else {})
            for term in query.terms
            if term.stem not in query.dated
        ]
        dated = self._dated(query, of_days)
        for weights in (*rows, dated) if dated else rows:
            worth = log(1 + len(self.index.entries) / (len(weights) + 0.5))
            total += worth
            for located, weight in weights:
                score = scores.get(located.key, (located, 0.0))[1]
                scores[located.key] = located, score + worth * weight
        found = [EntryMatch(located, score / total) for located, score in scores.values()]
        return sorted(found, key=lambda match: (-match.score, match.located.key))

    def described(self, asked: Iterable[AbstractSet[str]]) -> list[Located]:
        """The entries with phrases that somebody gave them, of which the text has one of these stems."""
        stems = {stem for each in asked for stem in each if not is_stop(stem)}
        near = {at.key: at for stem in sorted(stems) for at in self._beginning(stem[:_START])}
        described = (located for located in near.values() if located.entry.also)
        return [at for at in described if entry_stems(at.entry).keys() & stems][:_DESCRIBED]

    def have(self, stems: Sequence[str]) -> bool:
        """Whether one entry has all of these stems."""
        near = self._beginning(stems[0][:_START])
        return any(entry_stems(located.entry).keys() >= set(stems) for located in near)

    def _dated(self, query: Query, of_days: AbstractSet[str]) -> list[tuple[Located, float]]:
        """The entries that have the words of the dates asked for, and those that lead to notes ``of_days``."""
        naming = [
            {located.key: located for located, _ in self._having({term.stem: 1.0})}
            for term in query.terms
            if term.stem in query.dated
        ]
        shared = set(naming[0]).intersection(*naming) if naming else set()
        found = {key: naming[0][key] for key in shared}
        for path in sorted(of_days):
            found |= {located.key: located for located, _ in self.index.pointers.get(path, ())}
        return [(located, 1.0) for located in found.values()]

    def _weights(self, term: Term, typed: dict[str, str]) -> list[tuple[Located, float]]:
        """The entries that have a word, as it is, in parts or misspelt, each with how much it has of it."""
        found = self._having({term.stem: 1.0})
        if not found and term.parts:
            found = self._having(dict.fromkeys(term.parts, 1.0 / len(term.parts)))
        if not found and term.stem in typed:
            alike = self._alike(typed[term.stem])
            found = self._having(dict.fromkeys(alike, MISSPELT))
        return found

    def _having(self, wanted: dict[str, float]) -> list[tuple[Located, float]]:
        """The entries that have one of the stems, with the best of what they count."""
        best: dict[str, tuple[Located, float]] = {}
        for stem, value in wanted.items():
            for located in self._beginning(stem[: _START if len(stem) > _START else 1]):
                weight = value * entry_stems(located.entry).get(stem, 0.0)
                if weight > best.get(located.key, (located, 0.0))[1]:
                    best[located.key] = located, weight
        return list(best.values())

    def _beginning(self, start: str) -> list[Located]:
        """The entries whose text has a word of this beginning, or looks so."""
        if start not in self._begun:
            self._begun[start] = [located for located, text in self._folded if start in text]
        return self._begun[start]

    @cached_property
    def _folded(self) -> list[tuple[Located, str]]:
        # These two are in every entry, and all that many entries have beyond ASCII.
        signs = str.maketrans("→§", "  ")
        return [
            (located, folded(located.entry.raw.translate(signs))) for located in self.index.entries
        ]

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
    names = " ".join((entry.topic, *entry.tags, *entry.also, entry.id.replace("-", " ")))
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


def silent(located: Located, strength: float, bands: Bands) -> Iterator[Suppressed]:
    """An entry that has faded too far to be heard (INDEX §6.2, decision D11)."""
    if band(strength, bands) is Band.SILENT:
        reason = f"silent: strength {strength:.2f} is below {bands.silent:g}"
        yield Suppressed(located.key, round(strength, 4), reason)


def gone(
    located: Located, strength: float, targets: Sequence[Resolved[Section]]
) -> Iterator[Suppressed]:
    """An entry of which nothing is left: ``targets`` are what its pointers lead to."""
    pairs = zip(located.entry.pointers, targets, strict=True)
    missing = [str(pointer) for pointer, target in pairs if target.status is Status.MISSING_FILE]
    if missing and all(target.status in _NOWHERE for target in targets):
        others = f" and {len(missing) - 1} more" if missing[1:] else ""
        reason = f"points at {missing[0]}{others}, which {'are' if others else 'is'} gone"
        yield Suppressed(located.key, round(strength, 4), reason, "gone")
