"""Chunks as stems, and how common each stem is among them. Pure, but for the stems' memo."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from math import log
from typing import NamedTuple, Protocol

from hippocampus_cli.anchors.chunks import Chunk
from hippocampus_cli.redaction.redactor import filled
from hippocampus_cli.search.tokens import stem_text

PLACE = 0.5
"""What a stem of a chunk's place (its path and headings) counts against one of its text."""
_K1, _B = 1.2, 0.5  # how soon more of a stem adds nothing; how much length is held against a chunk


class Worded(NamedTuple):
    """A chunk's stems, joined by single spaces: those of its text and those of its place."""

    body: str
    place: str

    @property
    def length(self) -> int:
        """Stems in the text."""
        return self.body.count(" ") + 1 if self.body else 0

    @property
    def stems(self) -> frozenset[str]:
        """Every stem once."""
        return frozenset(self.body.split()).union(self.place.split())

    def shares(self, average: float) -> dict[str, float]:
        """How much each stem stands here: nearly 0 for once in a long text, towards 1 for often in a short one.

        ``average`` is the length of the average chunk in stems.
        """
        counts: dict[str, float] = dict(Counter(self.body.split()))
        for stem in set(self.place.split()):
            counts[stem] = counts.get(stem, 0.0) + PLACE
        drag = self._drag(average)
        return {stem: count / (count + drag) for stem, count in counts.items()}

    def shares_of(self, stems: Iterable[str], average: float) -> Iterator[tuple[str, float]]:
        """The same of some stems, without looking at the others."""
        wanted = frozenset(stems)
        body, place = self.body.split(), self.place.split()
        drag = self._drag(average)
        here = wanted.intersection(place)
        for stem in wanted.intersection(body) | here:
            count = body.count(stem) + PLACE * (stem in here)
            yield stem, count / (count + drag)

    def _drag(self, average: float) -> float:
        return _K1 * (1.0 - _B + _B * self.length / average)

    def says(self, key: str) -> bool:
        """Whether the stems of ``key`` stand here next to each other."""
        return f" {key} " in f" {self.body} " or f" {key} " in f" {self.place} "


class Lexicon(Protocol):
    """How common stems are among the chunks of a workspace."""

    @property
    def chunks(self) -> int:
        """How many there are."""

    def frequency(self, stem: str) -> int:
        """In how many of them ``stem`` stands."""

    def holding(self, stems: Iterable[str], most: int) -> Sequence[Collection[str]]:
        """The stems of ``most`` chunks in which every one of ``stems`` stands, spread over all of them."""


def worded(chunk: Chunk) -> Worded:
    """The stems of a chunk."""
    return Worded(stem_text(filled(chunk.text)), stem_text(filled(chunk.place)))


def idf(lexicon: Lexicon, stem: str) -> float:
    """How much a stem says: 0 where it stands in every chunk."""
    times = lexicon.frequency(stem)
    return log(1.0 + max(lexicon.chunks - times + 0.5, 0.0) / (times + 0.5))


def average_length(chunks: Sequence[Worded]) -> float:
    """Stems in the average chunk, at least 1."""
    return max(1.0, sum(chunk.length for chunk in chunks) / max(1, len(chunks)))


class Posting(NamedTuple):
    """The chunks a stem stands in, by number in ascending order, and its share of each."""

    chunks: array[int]
    shares: array[float]


class Corpus:
    """The chunks of a build in memory: a :class:`Lexicon` that knows where each stem stands."""

    def __init__(self, chunks: Sequence[Worded], average: float) -> None:
        self.words = chunks
        self.postings: dict[str, Posting] = {}
        self._stems: list[tuple[str, ...]] = []
        for number, chunk in enumerate(chunks):
            shares = chunk.shares(average)
            self._stems.append(tuple(shares))
            for stem, share in shares.items():
                posting = self.postings.get(stem)
                if posting is None:
                    posting = self.postings[stem] = Posting(array("I"), array("f"))
                posting.chunks.append(number)
                posting.shares.append(share)

    @property
    def chunks(self) -> int:
        return len(self.words)

    def frequency(self, stem: str) -> int:
        posting = self.postings.get(stem)
        return len(posting.chunks) if posting else 0

    def share(self, stem: str, chunk: int) -> float:
        """How much ``stem`` stands in a chunk, 0 where it does not."""
        posting = self.postings.get(stem)
        if posting is None:
            return 0.0
        at = bisect_left(posting.chunks, chunk)
        found = at < len(posting.chunks) and posting.chunks[at] == chunk
        return posting.shares[at] if found else 0.0

    def holding(self, stems: Iterable[str], most: int) -> Sequence[Collection[str]]:
        return [self._stems[number] for number in spread(self.with_all(set(stems)), most)]

    def with_all(self, stems: Collection[str]) -> Sequence[int]:
        """The chunks in which every one of ``stems`` stands."""
        lists = [self.postings[stem].chunks for stem in stems if stem in self.postings]
        if not lists or len(lists) < len(stems):
            return ()
        shortest, *others = sorted(lists, key=len)
        if not others:
            return shortest
        kept = set(shortest).intersection(*others)
        return [number for number in shortest if number in kept]


def spread(numbers: Sequence[int], most: int) -> Sequence[int]:
    """At most ``most`` of ``numbers``, evenly from the first to the last."""
    if len(numbers) <= most:
        return numbers
    return [numbers[at * len(numbers) // most] for at in range(most)]
