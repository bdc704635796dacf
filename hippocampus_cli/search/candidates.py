"""Candidates: the passages that may answer a question, by its words beside their neighbours and file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from heapq import nlargest
from operator import attrgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.search.postings import (
    HEAD,
    LABEL,
    Saturation,
    count_of,
    saturated,
)
from hippocampus_cli.search.question import Question
from hippocampus_cli.workspace.file_table import restored
from hippocampus_cli.workspace.kinds import kind_of

if TYPE_CHECKING:
    from hippocampus_cli.search.tables import Tables

COUNT = 100
"""Candidates by the words of a question."""
_LOOKED_AT = 2  # times as many are compared with what is around them
_OPEN = 2_500  # passages with rare words, after which common ones only add to those
_LOOKUP = 12  # times as long as to pass over a passage does it take to look one up
_HEADING = 0.6  # of a term's weight, where a heading has it
_NEIGHBOUR, _FILE = 0.5, 0.4


class Place(NamedTuple):
    """A passage as it is stored, and its file. ``first`` and ``passages`` are the ids of the file's passages, days
    are ordinals, ``changed_ns`` is when the file changed last."""

    id: int
    path: str
    first_day: int | None
    last_day: int | None
    changed_ns: int
    first: int
    passages: int
    file_length: int
    ordinal: int
    start: int
    end: int
    section: int
    headings: str
    title: str
    body: str
    length: int
    traits: int
    bold: int
    day: int | None
    copy: int
    digest: bytes

    @property
    def note_kind(self) -> str:
        """The kind of its note."""
        return kind_of(self.path)

    @property
    def siblings(self) -> range:
        """The passages of its file."""
        return range(self.first, self.first + self.passages)

    @property
    def neighbours(self) -> list[int]:
        """The passages before and after this one in its file."""
        siblings = self.siblings
        return [each for each in (self.id - 1, self.id + 1) if each in siblings]


def add_places(db: Tables, places: dict[int, Place], ids: Iterable[int]) -> None:
    """Read the passages with these ids that ``places`` does not have yet."""
    for record in db.places([passage for passage in ids if passage not in places]):
        row: list[Any] = [*record]
        for column in _TEXTS:
            row[column] = restored(row[column])
        places[row[0]] = Place(*row)


_TEXTS = tuple(map(Place._fields.index, ("path", "headings", "title", "body")))


class Own(NamedTuple):
    """Which terms of a question a passage has, a bit for each: in its text, in text, headings or path, in headings
    or path, in labels; BM25 of its text. What entries say of it counts as its text; ``here`` are those in text,
    headings or path without it."""

    text: int
    any: int
    head: int
    label: int
    words: float
    here: int


class Standing:
    """Where the terms of one question stand, worked out once for each passage and each range of passages."""

    def __init__(
        self,
        question: Question,
        words: Mapping[int, frozenset[str]] = MappingProxyType({}),
    ) -> None:
        """``words`` are the terms of the entries that point at a passage."""
        self.question = question
        self.terms = question.terms
        has = ((p, [term.key in said for term in self.terms]) for p, said in words.items())
        self.words = {
            passage: sum(flag << bit for bit, flag in enumerate(flags))
            for passage, flags in has
            if any(flags)
        }
        self.worth = question.weight or 1.0
        self._saturation = Saturation(question.totals, 0.0)
        self._files: dict[int, Held] = {}
        self._own: dict[int, Own] = {}
        self._totals: dict[int, tuple[int, float]] = {}
        self._shares: dict[int, float] = {}

    def own(self, passage: int, place: Place) -> Own:
        """What a passage of the file of ``place`` has."""
        if passage not in self._own:
            self._own[passage] = self._of(passage, self._of_file(place))
        return self._own[passage]

    def file(self, place: Place) -> tuple[int, float]:
        """The terms of its file, a bit for each, and BM25."""
        if place.first not in self._totals:
            present, score, totals = 0, 0.0, self.question.totals
            length = place.file_length / totals.of_each(totals.files)
            for bit, worth, held in self._of_file(place):
                present |= bit
                score += worth * saturated(sum(map(count_of, held.values())), length)
            self._totals[place.first] = present, score
        return self._totals[place.first]

    def share(self, bits: int) -> float:
        """What part of the question these terms are, rare ones counting more."""
        if bits not in self._shares:
            weights = (t.weight for bit, t in enumerate(self.terms) if bits >> bit & 1)
            self._shares[bits] = sum(weights) / self.worth
        return self._shares[bits]

    def _of_file(self, place: Place) -> Held:
        """The terms that the file of a passage has."""
        if place.first not in self._files:
            self._files[place.first] = [
                (1 << bit, term.weight, held)
                for bit, term in enumerate(self.terms)
                if (held := term.postings.among(place.siblings))
            ]
        return self._files[place.first]

    def _of(self, passage: int, terms: Held) -> Own:
        said, words = self.words.get(passage, 0), 0.0
        text = label = present = head = 0
        for bit, worth, held in terms:
            if each := held.get(passage):
                present |= bit
                if count_of(each):
                    text |= bit
                    words += worth * self._saturation[each]
                head |= bit if each & HEAD else 0
                label |= bit if each & LABEL else 0
        words += _HEADING * self.share(said & ~text) * self.worth
        return Own(text | said, present | said, head, label, words, present)


Held = Sequence[tuple[int, float, Mapping[int, int]]]
"""Of terms that a file has: the bit of each, what it is worth, and the weights of the passages that hold it."""


def candidates(
    db: Tables,
    standing: Standing,
    places: dict[int, Place],
    *,
    count: int = COUNT,
    permitted: frozenset[int] | None = None,
    wordless: bool = False,
) -> Mapping[int, float]:
    """The best ``count`` passages with their scores, best first; only those that are ``permitted``, if any are named,
    and where it may be ``wordless`` also such as have no word. ``places`` takes in those that were read."""
    first: dict[int, float] = _first_scores(standing)
    for passage, bits in standing.words.items():
        first[passage] += _HEADING * standing.share(bits) * standing.worth
    if permitted is not None:
        among = permitted if wordless else permitted & first.keys()
        first = {passage: first.get(passage, 0.0) for passage in among}
    order = nlargest(count * _LOOKED_AT, first, key=first.__getitem__)
    add_places(db, places, order)
    scores = {}
    for passage in order:
        place = places[passage]
        near = max([first.get(each, 0.0) for each in place.neighbours], default=0.0)
        scores[passage] = first[passage] + _NEIGHBOUR * near + _FILE * standing.file(place)[1]
    best = sorted(scores, key=lambda p: (-scores[p], places[p].path, p))
    return {passage: scores[passage] for passage in best[:count]}


def _first_scores(standing: Standing) -> defaultdict[int, float]:
    """The score of each passage with a word of the question, by its own words; rare words first."""
    saturation = Saturation(standing.question.totals, _HEADING)
    scores: defaultdict[int, float] = defaultdict(float)
    for term in sorted(standing.terms, key=attrgetter("weight"), reverse=True):
        weight, postings = term.weight, term.postings
        is_open = len(scores) <= _OPEN
        if is_open or len(postings) < _LOOKUP * len(scores):
            for passage, each in postings.items():
                if is_open or passage in scores:
                    scores[passage] += weight * saturation[each]
        else:
            for passage in scores:
                if each := postings.get(passage):
                    scores[passage] += weight * saturation[each]
    return scores
