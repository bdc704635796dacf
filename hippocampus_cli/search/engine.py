"""A question's answer from the notes: each wording of it is read, its candidates are ranked, and what is shown is
judged.

The steps are a module each: :mod:`store`, :mod:`candidates`, :mod:`features`, :mod:`ranker`, :mod:`confidence`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from math import inf
from types import MappingProxyType
from typing import TYPE_CHECKING

from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.search.candidates import Place, Standing, candidates
from hippocampus_cli.search.confidence import Confidence, confidence_of
from hippocampus_cli.search.features import FEATURES, Around, Wording, feature_rows
from hippocampus_cli.search.filters import Filter, allowed
from hippocampus_cli.search.question import missing_in, read_questions
from hippocampus_cli.search.ranker import NOTICE, Model, model
from hippocampus_cli.text.terms import language_of, terms
from hippocampus_cli.workspace.file_table import restored
from hippocampus_cli.workspace.kinds import is_backup

if TYPE_CHECKING:
    from hippocampus_cli.search.meaning import Meaning
    from hippocampus_cli.search.tables import Tables

# The most that earlier use of its note gives a place that has all of the question, and the uses that give half of it.
_USED, _HALF = 4.0, 3


class Pointed(NamedTuple):
    """Lines of a note that an entry of the index points at, and the ``words`` of the entry: a field of theirs."""

    start: int
    end: int
    words: str


class SearchRequest(NamedTuple):
    """What is asked: the question, other ``phrasings`` of it, the days that it asks for, and the files that may
    answer. ``pointed`` are the lines that entries point at, by the path of their note, with ``only_pointed`` the only
    ones that may answer; ``spared`` are words that no note needs to have, as those of days. ``used`` says how often
    what is in a note was used."""

    text: str
    phrasings: Sequence[str] = ()
    days: Sequence[tuple[date, date]] = ()
    where: Filter | None = None
    pointed: Mapping[str, Sequence[Pointed]] = MappingProxyType({})
    spared: frozenset[str] = frozenset()
    limit: int = 20
    only_pointed: bool = False
    used: Mapping[str, int] = MappingProxyType({})


class Hit(NamedTuple):
    """A passage that may answer: its ``score`` by the ranker (higher is likelier, on no scale), the share of the
    question that it has, with its headings but without the words of entries, and the places of its ``copies``."""

    place: Place
    score: float
    coverage: float
    copies: tuple[Place, ...]


class Found(NamedTuple):
    """The hits, best first; how likely it is that one of the first five answers, and that the first does; the
    words of the question that no note has; what misspelt words were taken for; and the terms that were looked for."""

    hits: tuple[Hit, ...]
    confidence: Confidence
    missing: tuple[str, ...]
    corrections: Mapping[str, str]
    terms: frozenset[str]
    notices: tuple[str, ...]


class Ranked(NamedTuple):
    """All that was worked out for a question: its wordings, the candidates of all of them, the rows of each
    wording and the scores of each candidate; ``missing`` is what the first wording names and no note has."""

    wordings: Sequence[Wording]
    pool: Sequence[Place]
    rows: Sequence[Sequence[Sequence[float]]]
    scores: Sequence[float]
    around: Around
    missing: tuple[str, ...]


def answer(db: Tables, request: SearchRequest, meaning: Meaning | None = None) -> Found:
    """The answer to ``request`` from what a :class:`~hippocampus_cli.search.store.PassageStore` has, as of its last
    refresh: what its ``healing`` does."""
    learned = model(len(FEATURES))
    ranked = rank(db, request, meaning, learned)
    known = with_use(ranked, request.used)
    groups = fold(known)
    order = [group[0] for group in groups]
    questions = [wording.standing.question for wording in ranked.wordings]
    return Found(
        hits=tuple(_hit(known, group) for group in groups[: request.limit]),
        confidence=confidence_of(ranked, order, learned),
        missing=ranked.missing,
        corrections=questions[0].corrections,
        terms=frozenset(term.key for question in questions for term in question.terms),
        notices=() if learned else (NOTICE,),
    )


def with_use(ranked: Ranked, used: Mapping[str, int]) -> Ranked:
    """With what answered before ahead of what has as much of the question: a note that is used for one thing has
    other lines, too. How likely it answers is another thing, and only what it says tells of that."""
    if not used:
        return ranked
    scores = list(ranked.scores)
    for number, place in enumerate(ranked.pool):
        if use := used.get(place.path, 0):
            gain = _USED * use / (use + _HALF)
            scores[number] += gain * _coverage(ranked, place) ** 3
    return ranked._replace(scores=scores)


def _coverage(ranked: Ranked, place: Place) -> float:
    """What part of the question a candidate has by itself, without the words of entries."""
    known = [wording.standing for wording in ranked.wordings]
    return max(standing.share(standing.own(place.id, place).here) for standing in known)


def fold(ranked: Ranked) -> list[list[int]]:
    """The numbers of the candidates, best first, those with the same text together."""
    groups: defaultdict[int, list[int]] = defaultdict(list)
    order = sorted(
        (-score, place.path, place.ordinal, number)
        for number, (score, place) in enumerate(zip(ranked.scores, ranked.pool, strict=True))
    )
    for *_, number in order:
        groups[ranked.pool[number].copy].append(number)
    return list(groups.values())


def _hit(ranked: Ranked, group: Sequence[int]) -> Hit:
    """The newest of passages with the same text, at the rank of the best; a note without a day is kept current, and
    a backup is no newer than what it is of."""
    copies = [ranked.pool[number] for number in group]
    place = max(
        copies, key=lambda copy: (not is_backup(copy.path), copy.day or copy.last_day or inf)
    )
    copies.remove(place)
    return Hit(place, ranked.scores[group[0]], _coverage(ranked, place), tuple(copies))


def rank(
    db: Tables, request: SearchRequest, meaning: Meaning | None, learned: Model | None
) -> Ranked:
    """The candidates of all wordings, each with its score (:func:`combined`)."""
    permitted = allowed(db, request.where) if request.where else None
    words = dict(_pointed(db, request))
    if request.only_pointed:
        permitted = frozenset(words) if permitted is None else permitted & words.keys()
    said = frozenset().union(*words.values())
    places: dict[int, Place] = {}
    wordings = []
    for question in read_questions(db, _texts(request), said):
        standing = Standing(question, words)
        found = candidates(db, standing, places, permitted=permitted, wordless=request.only_pointed)
        wordings.append(Wording(standing, found))
    pool = dict.fromkeys(passage for wording in wordings for passage in wording.scores)
    if meaning is not None:
        wordings = meaning.compared(db, wordings, pool, places, permitted)
    days = [(first.toordinal(), last.toordinal()) for first, last in request.days]
    around = Around(db.newest_day(date.max.toordinal()) or 0, days)
    order = [places[passage] for passage in pool]
    rows = [feature_rows(wording, order, around) for wording in wordings]
    ranked = combined(_said(wordings, order, rows, learned))
    missing = missing_in(db, wordings[0].standing.question, said, request.spared)
    return Ranked(wordings, order, rows, ranked, around, missing)


def _texts(request: SearchRequest) -> list[str]:
    """The wordings; of several also what they say together, a question of its own."""
    texts = [request.text, *request.phrasings]
    return [*texts, "\n".join(texts)] if request.phrasings else texts


def _said(
    wordings: Sequence[Wording],
    pool: Sequence[Place],
    rows: Sequence[Sequence[Sequence[float]]],
    learned: Model | None,
) -> list[list[float]]:
    """What each wording says of each candidate."""
    if learned is None:
        return [[wording.scores.get(place.id, 0.0) for place in pool] for wording in wordings]
    alone = len(wordings) == 1  # several say in words what vectors would
    trees = learned.meaning if alone and wordings[0].cosines else learned.rank
    return [list(map(trees.value, each)) for each in rows]


def combined(said: Sequence[Sequence[float]]) -> list[float]:
    """The scores of the candidates, of which each wording ``said`` something: on average, and by the last, which says
    what all of them do."""
    *each, together = said if len(said) > 1 else (*said, *said)
    return [last + sum(scores) / len(each) for last, *scores in zip(together, *each, strict=True)]


def _pointed(db: Tables, request: SearchRequest) -> Iterator[tuple[int, frozenset[str]]]:
    """The passages that entries point at, with the terms of the entries."""
    for path, passage, start, end in db.passages_of(request.pointed):
        entries = request.pointed[restored(path)]
        here = [each.words for each in entries if each.start <= end and start <= each.end]
        if here:
            said = " ".join(here)
            yield passage, frozenset(terms(said, language_of(said)))
