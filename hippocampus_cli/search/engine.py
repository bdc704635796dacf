"""A question's answer from the notes: each wording of it is read, its candidates are ranked, and what is shown is
judged.

The steps are a module each: :mod:`passage_store`, :mod:`pool`, :mod:`features`, :mod:`trees`, :mod:`confidence`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.search.confidence import Confidence, confidence_of
from hippocampus_cli.search.features import FEATURES, Around, Entry, Wording, feature_rows
from hippocampus_cli.search.filters import Filter, allowed
from hippocampus_cli.search.passage_store import PassageStore, totals_of
from hippocampus_cli.search.pool import Place, Standing, candidates, read_places
from hippocampus_cli.search.question import Question, read_question
from hippocampus_cli.search.trees import NOTICE, Model, model, scores
from hippocampus_cli.workspace.database import Connection, storable

if TYPE_CHECKING:
    from hippocampus_cli.search.meaning import Meaning

MOST_PHRASINGS = 4
SHOWN = 5
"""Places of which the confidence is said."""
Range = tuple[int, int]
"""A first and a last number, both inclusive."""


class Pointed(NamedTuple):
    """Lines of a note that an entry of the index points at, or that something else leads to."""

    lines: Range
    entry: Entry


class Hit(NamedTuple):
    """A passage that may answer: its score by the ranker (higher is likelier, on no scale), and the ``copies`` of its
    text elsewhere, best first."""

    place: Place
    score: float
    copies: tuple[Place, ...] = ()


class Answer(NamedTuple):
    """The hits, best first; how likely it is that one of those shown answers, and that the first does; the names,
    numbers and identifiers of the question that no note has; and what misspelt words were taken for."""

    hits: tuple[Hit, ...] = ()
    confidence: Confidence = Confidence()
    missing: tuple[str, ...] = ()
    corrections: Mapping[str, str] = MappingProxyType({})
    wordings: tuple[Question, ...] = ()
    notices: tuple[str, ...] = ()


class Request(NamedTuple):
    """What is asked: the question, other ``phrasings`` of it, and the days that it asks for, as ordinals. ``pointed``
    are lines by the path of their note."""

    text: str
    phrasings: Sequence[str] = ()
    days: Sequence[Range] = ()
    where: Filter | None = None
    pointed: Mapping[str, Sequence[Pointed]] = MappingProxyType({})
    limit: int = 20


class Ranked(NamedTuple):
    """All that was worked out for a question: its wordings, the candidates of all of them, the rows of each
    wording and the scores of each candidate."""

    wordings: Sequence[Wording]
    pool: Sequence[int]
    places: Mapping[int, Place]
    rows: Sequence[Sequence[Sequence[float]]]
    scores: Sequence[float]
    around: Around


def search(
    store: PassageStore,
    request: Request,
    meaning: Meaning | None = None,
    learned: Model | None = None,
) -> Answer:
    """The answer to ``request`` from what the store has, as of its last refresh."""
    learned = learned or model(len(FEATURES))
    return store.healing(lambda db: _answer(db, request, meaning, learned))


def _answer(
    db: Connection, request: Request, meaning: Meaning | None, learned: Model | None
) -> Answer:
    ranked = rank(db, request, meaning, learned)
    groups = fold(ranked)
    first = ranked.wordings[0].question
    return Answer(
        hits=tuple(_hit(ranked, group) for group in groups[: request.limit]),
        confidence=confidence_of(ranked, [group[0] for group in groups], learned),
        missing=first.missing,
        corrections=first.corrections,
        wordings=tuple(wording.question for wording in ranked.wordings),
        notices=() if learned else (NOTICE,),
    )


def fold(ranked: Ranked) -> list[list[int]]:
    """The numbers of the candidates, best first, those with the same text together."""
    places = [ranked.places[passage] for passage in ranked.pool]
    order = sorted(
        range(len(places)),
        key=lambda number: (-ranked.scores[number], places[number].path, places[number].ordinal),
    )
    groups: dict[int, list[int]] = {}
    for number in order:
        groups.setdefault(places[number].copy, []).append(number)
    return list(groups.values())


def _hit(ranked: Ranked, group: Sequence[int]) -> Hit:
    first, *others = (ranked.places[ranked.pool[number]] for number in group)
    return Hit(first, ranked.scores[group[0]], tuple(others))


def rank(
    db: Connection, request: Request, meaning: Meaning | None, learned: Model | None
) -> Ranked:
    """The candidates of all wordings, each scored by the wording that speaks most for it and by all on average."""
    totals = totals_of(db)
    files = allowed(db, request.where) if request.where else None
    places: dict[int, Place] = {}
    wordings = []
    for text in wordings_of(request):
        question = read_question(db, text, totals.passages)
        standing = Standing(question, totals)
        found = candidates(db, standing, totals, places, files=files)
        wordings.append(Wording(question, standing, found))
    pointed = list(_pointed(db, request.pointed))
    pool = dict.fromkeys(passage for wording in wordings for passage in wording.scores)
    pool |= dict.fromkeys(passage for passage, entry in pointed if entry.lead and files is None)
    if meaning is not None:
        wordings = meaning.compared(db, wordings, pool, places, files)
    places |= read_places(db, (passage for passage in pool if passage not in places))
    around = Around(totals, _newest(db), request.days, dict(pointed))
    order = list(pool)
    rows = [feature_rows(wording, order, places, around) for wording in wordings]
    said = _scores(wordings, order, rows, learned)
    return Ranked(wordings, order, places, rows, said, around)


def wordings_of(request: Request) -> list[str]:
    """The question and its other wordings, each once."""
    others = [text.strip() for text in request.phrasings]
    texts = [request.text.strip(), *filter(None, others)]
    return list(dict.fromkeys(texts))[: MOST_PHRASINGS + 1]


def _scores(
    wordings: Sequence[Wording],
    pool: Sequence[int],
    rows: Sequence[Sequence[Sequence[float]]],
    learned: Model | None,
) -> list[float]:
    if learned is None:
        said = [[wording.scores.get(passage, 0.0) for passage in pool] for wording in wordings]
    else:
        said = [scores(learned.rank, each) for each in rows]
    return [max(each) + sum(each) / len(each) for each in zip(*said, strict=True)]


def _pointed(
    db: Connection, pointed: Mapping[str, Sequence[Pointed]]
) -> Iterator[tuple[int, Entry]]:
    """The passages of these lines, with what leads there."""
    query = (
        "SELECT p.id, start, end FROM files f JOIN passages p"
        " ON p.id BETWEEN f.first AND f.first + f.passages - 1 WHERE path = ?"
    )
    for path, places in pointed.items():
        for passage, start, end in db.execute(query, (storable(path),)):
            inside = [one.entry for one in places if one.lines[0] <= end and start <= one.lines[1]]
            if inside:
                yield passage, _together(inside)


def _together(entries: Iterable[Entry]) -> Entry:
    """The best that several say of one passage."""
    pointed, strengths, hits, leads = zip(*entries, strict=True)
    return Entry(any(pointed), max(strengths), max(hits), max(leads))


def _newest(db: Connection) -> int:
    return int(db.execute("SELECT ifnull(max(last_day), 0) FROM files").fetchone()[0])
