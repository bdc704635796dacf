"""Candidates: the passages that may answer a question, by its words beside their neighbours, section and file."""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter

from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.search.passage_store import Totals
from hippocampus_cli.search.postings import Saturation, saturated
from hippocampus_cli.search.question import Question, Term
from hippocampus_cli.workspace.database import restored

COUNT = 200
"""Candidates by the words of a question."""
_LOOKED_AT = 3  # times as many are compared with what is around them
_OPEN = 6_000  # passages with rare words, after which common ones only add to those
_HEADING = 0.6  # of a term's weight, where a heading has it
_NEIGHBOUR, _SECTION, _FILE = 0.35, 0.45, 0.25


class Place(NamedTuple):
    """A passage as it is stored, and its file. ``first`` and ``passages`` are the ids of the file's passages, days
    are ordinals."""

    id: int
    path: str
    note_kind: str
    first_day: int | None
    last_day: int | None
    mtime_ns: int
    first: int
    passages: int
    file_length: int
    ordinal: int
    start: int
    end: int
    section: int
    kind: str
    headings: str
    title: str
    body: str
    length: int
    section_first: int
    section_last: int
    section_length: int
    traits: int
    bold: int
    day: int | None
    copy: int
    digest: bytes

    @property
    def around(self) -> tuple[int, int]:
        """The first and the last passage of the section."""
        return self.id + self.section_first, self.id + self.section_last

    @property
    def of_file(self) -> tuple[int, int]:
        """The first and the last passage of the file."""
        return self.first, self.first + self.passages - 1

    @property
    def neighbours(self) -> list[int]:
        """The passages before and after this one in its file."""
        first, last = self.of_file
        return [near for near in (self.id - 1, self.id + 1) if first <= near <= last]


def read_places(db: sqlite3.Connection, ids: Iterable[int]) -> dict[int, Place]:
    """The passages with these ids, by id."""
    query = (
        "SELECT p.id, f.path, f.kind, first_day, last_day, mtime_ns, first, passages, f.length, ordinal, start, end,"
        " section, p.kind, headings, title, body, p.length, section_first, section_last, section_length, traits,"
        " bold, day, copy, p.digest FROM json_each(?) JOIN passages p ON p.id = value JOIN files f ON f.id = file"
    )
    rows = db.execute(query, (json.dumps(list(ids)),))
    return {row[0]: _place(row) for row in rows}


def _place(row: Sequence[object]) -> Place:
    place = Place(*row)  # type: ignore[arg-type]
    if all(isinstance(text, str) for text in (place.path, place.headings, place.body)):
        return place
    return place._replace(
        path=restored(place.path),
        headings=restored(place.headings),
        title=restored(place.title),
        body=restored(place.body),
    )


class Scorer:
    """The scores of passages for one question: BM25 of a passage, its neighbours, its section and its file."""

    def __init__(self, question: Question, totals: Totals) -> None:
        self.terms = question.terms
        self._totals = totals
        self._saturation = Saturation(totals.passage, 0.0)
        self._sections: dict[tuple[int, int], float] = {}

    def words(self, passage: int) -> float:
        """BM25 of a passage's text."""
        saturation = self._saturation
        return sum(t.weight * saturation[t.postings.weight_of(passage)] for t in self.terms)

    def beside(self, place: Place) -> float:
        """BM25 of the better neighbour."""
        return max(map(self.words, place.neighbours), default=0.0)

    def section(self, place: Place) -> float:
        """BM25 of the whole section."""
        return self._of(place.around, place.section_length / max(1.0, self._totals.section))

    def file(self, place: Place) -> float:
        """BM25 of the whole file."""
        return self._of(place.of_file, place.file_length / max(1.0, self._totals.file))

    def _of(self, ids: tuple[int, int], length: float) -> float:
        if ids not in self._sections:
            counts = ((t.weight, t.postings.count(*ids)) for t in self.terms)
            self._sections[ids] = sum(w * saturated(count, length) for w, count in counts if count)
        return self._sections[ids]


def candidates(
    db: sqlite3.Connection,
    question: Question,
    totals: Totals,
    places: dict[int, Place],
    *,
    count: int = COUNT,
    files: frozenset[int] | None = None,
) -> Mapping[int, float]:
    """The best ``count`` passages with their scores, best first. ``places`` takes in those that were read."""
    first = _first_scores(question.terms, totals)
    order = sorted(first, key=lambda passage: (-first[passage], passage))[: count * _LOOKED_AT]
    places |= read_places(db, (passage for passage in order if passage not in places))
    scorer = Scorer(question, totals)
    scores = {}
    for passage in order:
        place = places[passage]
        near = max((first.get(each, 0.0) for each in place.neighbours), default=0.0)
        around = _SECTION * scorer.section(place) + _FILE * scorer.file(place)
        scores[passage] = first[passage] + _NEIGHBOUR * near + around
    best = sorted(scores, key=lambda passage: (-scores[passage], places[passage][1], passage))
    return {passage: scores[passage] for passage in best[:count]}


def _first_scores(terms: Sequence[Term], totals: Totals) -> Mapping[int, float]:
    """The score of each passage with a word of the question, by its own words; rare words first."""
    saturation = Saturation(totals.passage, _HEADING)
    scores: defaultdict[int, float] = defaultdict(float)
    for term in sorted(terms, key=attrgetter("weight"), reverse=True):
        weight, postings = term.weight, term.postings
        if len(scores) > _OPEN:
            there = dict(zip(postings.ids, postings.weights, strict=True))
            for passage in scores.keys() & there.keys():
                scores[passage] += weight * saturation[there[passage]]
        else:
            for passage, each in zip(postings.ids, postings.weights, strict=True):
                scores[passage] += weight * saturation[each]
    return scores
