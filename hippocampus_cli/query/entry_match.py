"""Matching a question with the entries of the index (INDEX §4.3).

An entry's score is the share of the question's words that it has, by how they begin: rare words count more, and each
word as much as the best place it stands in.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from math import log

from hippocampus_cli.fast_types import pattern
from hippocampus_cli.index.document import Located
from hippocampus_cli.index.entry import Entry
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.query.request import Query
from hippocampus_cli.text.terms import asked_words, start_of, terms, terms_of
from hippocampus_cli.text.tokenizer import folded, is_unspaced
from hippocampus_cli.workspace.kinds import is_core

MATCHED = 0.34  # share of the question that an entry must have for the index to speak
# How much a word counts by where it stands: what a person chose first, what was derived from the text last.
_WORTH = 1.0, 0.8, 0.6
_HITS = pattern(r"[|:]\s*hits=(\d{1,9})\b")
_LEFT_OUT = " created=", " accessed=", *"_'’.-→§"  # most signs beyond ASCII are the last two
Weighed = list[tuple[Located, float]]


class IndexWords:
    """The entries of an index by their words. Build it once for an index.

    Stemming every word of an index would take longer than all else in a query, so an entry's words are stemmed only
    where its text holds the beginning of a term that is asked for.
    """

    def __init__(self, index: Hierarchy) -> None:
        self.index = index

    def match(self, query: Query) -> Weighed:
        """The entries that have words of ``query``, each with its score, 0 to 1; words of days need not stand in
        any."""
        entries, scores, total = self.index.entries, defaultdict[int, float](float), 0.0
        for word in asked_words(query.text):
            rows = [self._having(start_of(term)) for term in terms_of(word)]
            for weights in rows if any(rows) or word.lower() not in query.dated else ():
                worth = log(1 + len(entries) / (len(weights) + 0.5))
                total += worth
                for number, weight in weights.items():
                    scores[number] += worth * weight
        return [(entries[number], score / total) for number, score in scores.items()]

    def _having(self, start: str) -> dict[int, float]:
        """The numbers of the entries that have a word which begins so, each with how much it counts there."""
        best: dict[int, float] = {}
        # one sign of writing without spaces stands anywhere in its pairs
        begin = start if is_unspaced(start) else f" {start}"
        root, entries = start.rstrip("i"), self.index.entries  # the stem of "fly" is "fli"
        for number, text in enumerate(self._texts):
            if root in text:
                for worth, said in zip(_WORTH, _parts(entries[number].entry), strict=True):
                    if root in _compared(said) and begin in _terms(said):
                        best[number] = worth
                        break
        return best

    @cached_property
    def used(self) -> Mapping[str, int]:
        """How often the entries of each note were used; of a core file, which is about everything, that says
        nothing."""
        found: Counter[str] = Counter()
        for located in self.index.entries:
            if hits := _HITS.search(located.entry.comment):  # its other fields need not be read
                for path in {pointer.path for pointer in located.entry.pointers}:
                    found[path] += 0 if is_core(path) else int(hits[1])
        return found

    @cached_property
    def _texts(self) -> list[str]:
        return [_compared(located.entry.raw) for located in self.index.entries]


def entry_terms(entry: Entry) -> frozenset[str]:
    """The terms of an entry."""
    return frozenset(terms("\n".join(_parts(entry))))


@lru_cache(maxsize=8192)
def _parts(entry: Entry) -> Sequence[str]:
    """What an entry says, what counts most first."""
    names = " ".join((entry.topic, *entry.tags, *entry.also, entry.id.replace("-", " ")))
    pointers = " ".join(f"{pointer.path} {pointer.section or ''}" for pointer in entry.pointers)
    return names, pointers, entry.summary


@lru_cache(maxsize=8192)
def _terms(text: str) -> str:
    """The terms of a text, a blank before each."""
    return " ".join(["", *terms(text)])


@lru_cache(maxsize=1 << 15)  # most entries are the same when an index was changed
def _compared(text: str) -> str:
    """A text folded, without joints, which are in no term, and what its days are called, which is in every entry."""
    for sign in _LEFT_OUT:
        text = text.replace(sign, "")
    return folded(text)
