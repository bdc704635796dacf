"""What compares anchors, chunks and messages, and how alike they are by words alone. Pure.

Most of a score is for naming the anchor, its words weighted by how rare they are, in full only where they
stand together. The rest is for the words that stand around the anchor elsewhere more than chance has them:
so an anchor leads to chunks, too, that speak of the same thing and never name it. Words of a message may be met by
related ones of the thesaurus, which takes the place of ANCHOR's semantic expansion where there is no embedder.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple, Protocol

from hippocampus_cli.anchors.chunks import Corpus, Lexicon, TokenizedChunk, idf
from hippocampus_cli.anchors.extract import Anchor, keys_of
from hippocampus_cli.text.thesaurus import LONGEST, thesaurus
from hippocampus_cli.text.tokenizer import forms, is_stop, words_of

_MOST_READ = 100  # words of a message that are looked up
_LEAST = 0.5  # similarity below which a word is no other name for the same thing
_KEPT = 10_000  # words and phrases whose line of the thesaurus is remembered

Related = Mapping[str, Mapping[str, float]]
"""By the stem of a word: stems, or phrases of stems, that may stand for it, with how similar they are (0 to 1)."""


def related_to(message: str) -> Related:
    """What may stand for each word of ``message`` that says something; for a phrase, at each of its words."""
    said = [found[0] for word in words_of(message)[:_MOST_READ] if (found := forms(word))]
    related: dict[str, dict[str, float]] = {
        stem: dict(_near(stem)) for stem in dict.fromkeys(said) if not is_stop(stem)
    }
    for length in range(2, LONGEST + 1):
        for at in range(len(said) - length + 1):
            phrase = said[at : at + length]
            for other, similarity in _near(" ".join(phrase)):
                for near in (related[stem] for stem in phrase if stem in related):
                    near[other] = max(near.get(other, 0.0), similarity)
    return related


@lru_cache(_KEPT)
def _near(stems: str) -> tuple[tuple[str, float], ...]:
    found = thesaurus().related(stems).items()
    return tuple((other, similarity) for other, similarity in found if similarity >= _LEAST)


NONE = "none"
"""The name of the likeness that works with words alone."""


class Scored(NamedTuple):
    """The number of a chunk, and its score from 0 to 1."""

    chunk: int
    score: float


class Likeness(Protocol):
    """A way of comparing. Scores are from 0 to 1 and rounded to four places, as they are written down."""

    @property
    def name(self) -> str:
        """The embedder's name, or ``none``. Equal names give equal scores."""

    @property
    def above(self) -> float:
        """The share of random pairs of an anchor and a chunk without its words that may reach the threshold."""

    def best(
        self, anchors: Sequence[Anchor], most: int, least: float
    ) -> Iterator[Sequence[Scored]]:
        """For each anchor the chunks that score ``least`` or more, at most ``most``: best first, then in order."""

    def sample(
        self, anchors: Sequence[Anchor], pairs: Sequence[tuple[int, int]]
    ) -> Sequence[float]:
        """The scores of pairs of an anchor and a chunk, by their numbers."""


def top(scored: Sequence[Scored], most: int) -> Sequence[Scored]:
    """The best ``most``; of equal ones those that come first."""
    return heapq.nsmallest(most, scored, key=lambda one: (-one.score, one.chunk))


NAMED = 0.75  # the most that naming the anchor is worth; its company is worth the rest
_APART = 0.6  # what its words are worth where they do not stand together

_COMMON = 1_000  # chunks of a word from which on it is worth knowing which of them need a score
_DEAR = 3  # what looking up one word of one chunk takes, beside going through a word's list
_MARGIN = 0.0002  # scores are rounded to four places before they are compared

RELATED = 0.5
"""What a word counts that is only related to one of a message, times how similar it is."""


class ByWords:
    """The likeness ``none``, over the chunks of ``corpus``."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus

    @property
    def name(self) -> str:
        return NONE

    @property
    def above(self) -> float:
        return 0.01  # naming an anchor scores far above anything else

    def best(
        self, anchors: Sequence[Anchor], most: int, least: float
    ) -> Iterator[Sequence[Scored]]:
        for anchor in anchors:
            scores = self._scores_of_best(anchor, most)
            rounded = ((chunk, round(score, 4)) for chunk, score in _near_best(scores, most, least))
            yield top([Scored(*one) for one in rounded if one[1] >= least], most)

    def sample(
        self, anchors: Sequence[Anchor], pairs: Sequence[tuple[int, int]]
    ) -> Sequence[float]:
        scores: dict[int, dict[int, float]] = {}
        for anchor, _ in pairs:
            if anchor not in scores:
                scores[anchor] = self.scores(anchors[anchor])
        return [round(scores[anchor].get(chunk, 0.0), 4) for anchor, chunk in pairs]

    def _scores_of_best(self, anchor: Anchor, most: int) -> dict[int, float]:
        """The scores of all chunks that may be among the best ``most``: not of each that has a common word."""
        found = self._candidates(anchor, most)
        if found is None:
            return self.scores(anchor)
        keys, says = keys_of(anchor.text), self._corpus.says
        bonds = sum(anchor.company.values())
        shares_of = self._corpus.shares_of
        own = [(NAMED * weight, shares_of(stem)) for stem, weight in anchor.own.items()]
        company = [
            ((1.0 - NAMED) / bonds * weight, shares_of(stem))
            for stem, weight in anchor.company.items()
        ]
        scores = {}
        for chunk in found:
            score, whole = 0.0, True
            for worth, shares in own:
                if share := shares.get(chunk):
                    score += worth * share
                else:
                    whole = False
            if len(own) > 1 and not (whole and says(chunk, keys)):
                score *= _APART
            for worth, shares in company:
                if share := shares.get(chunk):
                    score += worth * share
            scores[chunk] = score
        return scores

    def _candidates(self, anchor: Anchor, most: int) -> list[int] | None:
        """The chunks that may be among the best, found by the rarest words first (MaxScore, Turtle and Flood).

        ``None`` where looking at every chunk with one of the words is as cheap.
        """
        bonds = sum(anchor.company.values())
        terms = [
            *((stem, NAMED * weight, True) for stem, weight in anchor.own.items()),
            *(
                (stem, (1.0 - NAMED) / bonds * weight, False)
                for stem, weight in anchor.company.items()
            ),
        ]
        terms.sort(key=lambda term: self._corpus.frequency(term[0]))
        if not terms or self._corpus.frequency(terms[-1][0]) < _COMMON:
            return None
        at_least: dict[
            int, float
        ] = {}  # what a chunk scores by the words so far, were its words apart
        left = sum(worth for _, worth, _ in terms)  # the most that the other words can add
        for at, (stem, worth, own) in enumerate(terms[:-1]):
            self._add(at_least, {stem: worth}, _APART if own else 1.0)
            left -= worth
            if self._corpus.frequency(terms[at + 1][0]) < _COMMON or len(at_least) < most:
                continue
            bound = heapq.nlargest(most, at_least.values())[-1]
            if bound > left + _MARGIN:
                found = [
                    chunk
                    for chunk, score in at_least.items()
                    if score / _APART + left + _MARGIN > bound
                ]
                dear = len(found) * len(terms) * _DEAR > self._corpus.frequency(terms[-1][0])
                return None if dear else found
        return None

    def scores(self, anchor: Anchor) -> dict[int, float]:
        """The score of every chunk that has one above 0, not rounded."""
        scores: dict[int, float] = {}
        self._add(scores, anchor.own, NAMED)
        if len(anchor.own) > 1:
            together = self._together(anchor)
            scores = {
                chunk: score if chunk in together else score * _APART
                for chunk, score in scores.items()
            }
        bonds = sum(anchor.company.values())
        if bonds:
            self._add(scores, anchor.company, (1.0 - NAMED) / bonds)
        return scores

    def _add(self, scores: dict[int, float], weights: Mapping[str, float], factor: float) -> None:
        for stem, weight in weights.items():
            posting = self._corpus.postings.get(stem)
            if posting:
                worth = factor * weight
                for chunk, share in zip(posting.chunks, posting.shares, strict=True):
                    scores[chunk] = scores.get(chunk, 0.0) + worth * share

    def _together(self, anchor: Anchor) -> set[int]:
        """The chunks in which the words of an anchor stand next to each other."""
        keys, says = keys_of(anchor.text), self._corpus.says
        return {chunk for chunk in self._corpus.with_all(anchor.own) if says(chunk, keys)}


def _near_best(scores: Mapping[int, float], most: int, least: float) -> Sequence[tuple[int, float]]:
    """The chunks whose rounded scores may be ``least`` or more and among the best ``most``."""
    near = [one for one in scores.items() if one[1] > least - _MARGIN]
    if len(near) <= most:
        return near
    bound = heapq.nlargest(most, [score for _, score in near])[-1] - _MARGIN
    return [one for one in near if one[1] > bound]


class Message:
    """A message to be compared with chunks by its words, each worth what it is worth in the workspace."""

    def __init__(
        self, stems: Sequence[str], lexicon: Lexicon, average: float, related: Related
    ) -> None:
        """``stems`` without stop words; ``average`` is the length of the average chunk in stems; ``related`` may
        stand for them."""
        self._average = average
        known = {
            stem: idf(lexicon, stem)
            for stem in stems
            if related.get(stem) or lexicon.frequency(stem)
        }
        whole = sum(known.values())
        self._takes: dict[str, list[tuple[int, float]]] = {}
        for at, (stem, worth) in enumerate(known.items()):
            share = worth / whole if whole else 0.0
            self._takes.setdefault(stem, []).append((at, share))
            for other, similarity in related.get(stem, {}).items():
                self._takes.setdefault(other, []).append((at, RELATED * similarity * share))
        self._stems = frozenset(self._takes)

    def likeness(self, words: TokenizedChunk) -> float:
        """How much of the message a chunk takes up, 0 to 1: each word, or the best that stands for it."""
        taken: dict[int, float] = {}
        for stem, share in words.shares_of(self._stems, self._average):
            for at, most in self._takes[stem]:
                taken[at] = max(taken.get(at, 0.0), most * share)
        return sum(taken.values())
