"""What the ranker knows of a candidate: one row of numbers, of which :data:`FEATURES` says the names and why.

None of them is a rule for sentences: they count words and places, and the ranker learns what they are worth.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, reduce
from itertools import pairwise
from operator import or_
from types import MappingProxyType

from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.search.candidates import Place, Standing
from hippocampus_cli.workspace.kinds import NoteKind, is_backup, is_core, kind_of

RELATIVE = (
    "words",
    "inside",
    "label",
    "window",
    "inside_head",
)
FEATURES = (
    # of its words
    "score",  # the candidate's score, of the best one's
    "worth",  # its score, of what the question is worth
    "rank",  # its place among the candidates
    "words",  # BM25 of its text
    "beside",  # BM25 of the better neighbour
    "inside",  # share of the question in its text
    "inside_head",  # share in its text, its headings or its path
    "inside_file",  # share in its file or headings
    "inside_near",  # share in its text, headings and neighbours
    "head",  # share in its headings or path
    "label",  # share in what it sets in bold or before a colon: what it is a value of
    "next_to",  # share of the question's pairs that stand next to each other
    "window",  # largest share of the question within thirteen words
    "title",  # share of its heading that the question names
    "in_file",  # its place among the candidates of its file
    "of_file",  # how many candidates its file has
    "best_of_file",  # the best score of its file, of the best one's
    "at_file",  # which of the files it is in, by their best candidate
    # of its file
    "core",  # whether it is a core file, rules or lessons (decision D22)
    "daily",  # whether it is of a day
    "skill",  # whether it belongs to a skill
    "data",  # whether it is data, not prose
    "old",  # whether its path says archive, backup or old: copies of what stands elsewhere
    "depth",  # folders above it
    "parts",  # how many passages it has (log)
    "age",  # days before the newest note (log); 9 where it has no day
    "place",  # where in its file it stands, 0 to 1
    # of its text
    "length",  # terms (log)
    "number",  # whether it has a number
    "dated",  # whether it names a day
    "list",  # whether it is a list
    "change",  # whether it says that a value became another, by an arrow or by striking it out
    "bold",  # how much of it is bold
    "headings",  # how many headings are above it
    # of the question
    "asked",  # terms of the question
    "asked_known",  # share of the question that the notes have
    "asked_sentence",  # whether it is a sentence with a question mark, and not a few words
    "notes",  # how many passages there are (log)
    "on_days",  # whether it is of the days asked for
    # of vectors
    "cosine",  # cosine of its vector and the question's; 0 without vectors
    "cosine_of_best",  # the same, of the nearest one's
    "cosine_rank",  # its place among the nearest
    # of the highest of these among the candidates
    *(f"{name}_of_best" for name in RELATIVE),
)
"""The names of a row's numbers, in their order, each with why."""
_COLUMNS = tuple(map(FEATURES.index, RELATIVE))
_UNRANKED = 150.0  # the rank of what only another wording has found: behind all of its candidates
_FAR = 100.0  # the rank of what is not among the nearest
_NO_DAY = 9.0
_WINDOW = 13
_KINDS = (NoteKind.DAILY, NoteKind.SKILL, NoteKind.STATE)
_TRAITS = [[float(traits >> bit & 1) for bit in range(4)] for traits in range(16)]


class Wording(NamedTuple):
    """Where the terms of a question stand, its candidates with their scores, best first, and the cosines of its
    vector with those of passages."""

    standing: Standing
    scores: Mapping[int, float]
    cosines: Mapping[int, float] = MappingProxyType({})


class Around(NamedTuple):
    """What else is known where a question is asked: the ``newest`` day of the notes and the days asked for as
    ordinals (first, last)."""

    newest: int = 0
    days: Sequence[tuple[int, int]] = ()


def feature_rows(
    wording: Wording, candidates: Sequence[Place], around: Around
) -> list[list[float]]:
    """A row for each of ``candidates``: those of ``wording``, and maybe those of others."""
    words = _Words(wording, candidates)
    meaning, far = _of_meaning(wording.cosines), [0.0, 0.0, _FAR if wording.cosines else 0.0]
    asked = _of_question(wording.standing)
    rows = [
        [
            *words.row(place),
            *_of_file(place.path),
            *_of_place(place, around.newest),
            *asked,
            _on_days(place, around.days),
            *meaning.get(place.id, far),
        ]
        for place in candidates
    ]
    _add_relative(rows)
    return rows


class _Words:
    """The features of the question's own words."""

    def __init__(self, wording: Wording, candidates: Sequence[Place]) -> None:
        self._scores, self._standing = wording.scores, wording.standing
        self._best = max(wording.scores.values(), default=0.0) or 1.0
        self._ranks = {passage: float(rank) for rank, passage in enumerate(wording.scores)}
        terms = wording.standing.terms
        self._bits = {form: 1 << bit for bit, term in enumerate(terms) for form in term.forms}
        self._pairs = [3 << bit for bit in range(len(terms) - 1)]
        self._siblings: dict[int, dict[int, int]] = {}
        for place in sorted(candidates, key=lambda place: -self._scores.get(place.id, 0.0)):
            siblings = self._siblings.setdefault(place.first, {})
            siblings[place.id] = len(siblings)
        self._files = {first: float(number) for number, first in enumerate(self._siblings)}

    def row(self, place: Place) -> list[float]:
        """The numbers of one candidate."""
        standing, bits = self._standing, self._bits
        share, worth = standing.share, standing.worth
        own = standing.own(place.id, place)
        near = [standing.own(passage, place) for passage in place.neighbours]
        title, words = place.title.split(), enumerate(place.body.split(" "))
        there = [(number, bits[word]) for number, word in words if word in bits]
        pairs = {bit | other for (at, bit), (to, other) in pairwise(there) if to == at + 1}
        score = self._scores.get(place.id, 0.0)
        siblings = self._siblings[place.first]
        best = next(iter(siblings))
        return [
            score / self._best,
            score / worth,
            self._ranks.get(place.id, _UNRANKED),
            own.words / worth,
            max([each.words for each in near], default=0.0) / worth,
            share(own.text),
            share(own.any),
            share(standing.file(place)[0] | own.any),
            share(reduce(or_, [each.any for each in near], own.any)),
            share(own.head),
            share(own.label),
            sum([pair in pairs for pair in self._pairs]) / max(1, len(self._pairs)),
            max(map(share, windows(there)), default=0.0),
            sum([term in bits for term in title]) / max(1, len(title)),
            float(siblings[place.id]),
            float(len(siblings)),
            self._scores.get(best, 0.0) / self._best,
            self._files[place.first],
        ]


def windows(there: Sequence[tuple[int, int]]) -> Iterator[int]:
    """The terms within :data:`_WINDOW` words, a bit for each, from each of those on that are ``there``."""
    for start, _ in there:
        yield reduce(or_, [bit for number, bit in there if 0 <= number - start < _WINDOW])


@lru_cache(maxsize=1 << 15)
def _of_file(path: str) -> tuple[float, ...]:
    kinds = (kind_of(path) is each for each in _KINDS)
    return tuple(map(float, (is_core(path), *kinds, is_backup(path), path.count("/"))))


def _of_place(place: Place, newest: int) -> list[float]:
    day = place.day or place.last_day
    headings = place.headings.count("\n") + bool(place.headings)
    return [
        math.log1p(place.passages),
        math.log1p(max(0, newest - day)) if day else _NO_DAY,
        place.ordinal / max(1, place.passages),
        math.log1p(place.length),
        *_TRAITS[place.traits & 15],
        place.bold / (1 + place.length / 20),
        float(headings),
    ]


def _of_question(standing: Standing) -> list[float]:
    known = sum(term.weight for term in standing.terms)
    text = standing.question.text
    return [
        float(len(standing.terms)),
        known / standing.worth,
        float(text.rstrip().endswith(("?", "？"))),
        math.log1p(standing.question.totals.passages),
    ]


def _on_days(place: Place, days: Sequence[tuple[int, int]]) -> float:
    first, last = (place.day, place.day) if place.day else (place.first_day, place.last_day)
    if first is None or last is None:
        return 0.0
    return float(any(first <= end and begin <= last for begin, end in days))


def _of_meaning(cosines: Mapping[int, float]) -> dict[int, list[float]]:
    """The features of vectors, for those passages that have one."""
    best = max(cosines.values(), default=0.0) or 1.0
    order = sorted(cosines, key=lambda passage: (-cosines[passage], passage))
    return {
        passage: [cosines[passage], cosines[passage] / best, min(rank, _FAR)]
        for rank, passage in enumerate(order)
    }


def _add_relative(rows: Sequence[list[float]]) -> None:
    """Add to each row what some of its numbers are of the highest."""
    tops = [max((row[column] for row in rows), default=0.0) or 1.0 for column in _COLUMNS]
    for row in rows:
        row += [row[column] / top for column, top in zip(_COLUMNS, tops, strict=True)]
