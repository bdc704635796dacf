"""A lookup: the passages that the anchors of a message lead to (ANCHOR, ``lookup.py``).

The words of a message that the notes have are its anchors. Related words, which take the place of ANCHOR's semantic
expansion where there are no vectors, lead too, and count less. Search's store says where they stand, and search's
candidates how well a passage has them, with its neighbours and its file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from hippocampus_cli.errors import FileUnreadable, OutsideWorkspace, UsageError
from hippocampus_cli.search.candidates import Place, Standing, candidates
from hippocampus_cli.search.features import Wording
from hippocampus_cli.search.filters import Filter, allowed
from hippocampus_cli.search.library import Library
from hippocampus_cli.search.postings import read_postings
from hippocampus_cli.search.question import (
    MOST_CHARACTERS,
    Question,
    Term,
    idf,
    read_questions,
)
from hippocampus_cli.search.thesaurus import related as related_to
from hippocampus_cli.text.plain_text import shorten
from hippocampus_cli.text.terms import telling_words, terms_of
from hippocampus_cli.text.tokenizer import words_of

if TYPE_CHECKING:
    from hippocampus_cli.search.meaning import Meaning
    from hippocampus_cli.search.tables import Tables
    from hippocampus_cli.workspace.note import Note

PREVIEW = 100
"""Characters of a preview: a longer one is cut there."""
RELATED = 0.5
"""What a word counts that is only related to one of a message, times how similar it is."""
_SIMILAR = 0.5  # from which a word is another name for the same thing
_MOST_WORDS = 40  # of a message
_LOOKED_AT = (
    4  # times as many passages as are returned: some are copies, or too many are of one file
)
# What a message may be all of that wants nothing ("ok, go ahead"): none of these words tells notes apart.
_COURTESIES = """
    thanks thank ok okay yes yeah sure good great nice fine perfect cool awesome super done look looks looking please
    go ahead continue danke gut prima passt klar bitte gerne weiter 谢谢 好的 可以 不错
"""
COURTESIES = frozenset(_COURTESIES.split())


class AnchorHit(NamedTuple):
    """A passage that a message's anchors lead to: lines ``start_line`` to ``end_line`` of ``path``.

    ``score`` ranks it, 0 to 1; ``source`` is the kind of the note; ``anchors`` are the words of the message that lead
    there, the rarest first: none where only its vector does.
    """

    path: str
    start_line: int
    end_line: int
    score: float
    source: str
    preview: str
    anchors: tuple[str, ...]


class AnchorsFound(NamedTuple):
    """What a lookup found, and what a person should know."""

    hits: tuple[AnchorHit, ...]
    notices: tuple[str, ...]


class Lead(NamedTuple):
    """A passage, how surely anchors lead there (0 to 1), and their words."""

    place: Place
    score: float
    words: tuple[str, ...]


def lookup(library: Library, text: str, project: str = "", *, related: bool = True) -> AnchorsFound:
    """The passages that ``text`` leads to in the notes as they are now, best first; none where it has no anchor.

    ``project`` is the active one: its name counts as a part of the message. Without ``related`` the words of the
    message are the only ones. Raises :class:`UsageError` for an empty text.
    """
    if not text.strip():
        advice = 'say something: hippo anchors lookup "how do we deploy it"'
        raise UsageError(reason="there is nothing to look up", advice=advice)
    library.refresh()
    settings, message = library.config.anchors, f"{text[:MOST_CHARACTERS]} {project}"
    count = settings.max_chunks * _LOOKED_AT

    def ranked(db: Tables) -> Sequence[Lead]:
        words = () if wants_nothing(text) else anchors_in(message, settings.deny)
        if not words:
            return ()
        question = _question(db, message, words, related=related)
        permitted = permitted_in(db, settings.sources, settings.allow)
        return rank(db, question, count, permitted, library.meaning)

    leads = bounded(library.store.healing(ranked), settings.max_chunks, settings.per_file)
    notes = Notes(library.source)
    hits = [_hit(lead, notes.preview(lead.place)) for lead in leads]
    return AnchorsFound(tuple(hits), library.meaning.take_notices() if library.meaning else ())


def wants_nothing(text: str) -> bool:
    """Whether a message is no more than signs, or of the kind of *ok, go ahead*."""
    words = [word.lower() for word in words_of(text) if any(map(str.isalnum, word))]
    telling = {word.lower() for word in telling_words(text)}
    said = [word for word in words if word in telling or word in COURTESIES]
    return not words or (bool(said) and COURTESIES.issuperset(said))


def anchors_in(message: str, deny: Collection[str]) -> Sequence[str]:
    """The words of a message that may lead somewhere: those that tell texts apart, none of a phrase of ``deny``."""
    words = words_of(message)
    denied: set[str] = set()
    for phrase in map(words_of, deny):
        keys = [terms_of(word)[:1] for word in phrase]
        for start in range(len(words) - len(phrase) + 1):
            run = words[start : start + len(phrase)]
            if [terms_of(word)[:1] for word in run] == keys:
                denied.update(run)
    telling = telling_words(message)
    return [word for word in telling if word not in denied][:_MOST_WORDS]


def _question(db: Tables, message: str, words: Sequence[str], *, related: bool) -> Question:
    """What the notes have of these words of a message, and of those that are related to them."""
    [question] = read_questions(db, [message])
    near = {word: dict(_related(word)) if related else {} for word in words}
    terms = _related_terms(db, near)
    terms |= {term.key: term for term in question.terms if term.word in near}
    return question._replace(terms=tuple(terms.values()))


def rank(
    db: Tables,
    question: Question,
    count: int,
    permitted: frozenset[int] | None = None,
    meaning: Meaning | None = None,
) -> Sequence[Lead]:
    """The best ``count`` passages that the terms of ``question`` lead to, and those whose vectors are the nearest to
    its own."""
    places: dict[int, Place] = {}
    standing = Standing(question)
    found = candidates(db, standing, places, count=count, permitted=permitted)
    scores = {passage: score / (score + standing.worth) for passage, score in found.items()}
    if meaning is not None:
        pool = dict.fromkeys(scores)
        wording = Wording(standing, found)
        cosines = meaning.compared(db, [wording], pool, places, permitted)[0].cosines
        if cosines:  # half what is said, half what is meant
            for passage in pool:
                meant = max(0.0, cosines.get(passage, 0.0))
                scores[passage] = (scores.get(passage, 0.0) + meant) / 2
    leads = [_lead(places[passage], score, standing) for passage, score in scores.items()]
    return sorted(leads, key=lambda lead: (-lead.score, lead.place.path, lead.place.id))


def bounded(leads: Iterable[Lead], most: int, per_file: int) -> Iterator[Lead]:
    """The best, each text once, and at most ``per_file`` of one file: a log answers in several places, and must not
    push others out."""
    files: Counter[str] = Counter()
    texts: set[int] = set()
    for lead in leads:
        path, copy = lead.place.path, lead.place.copy
        if len(texts) < most and copy not in texts and files[path] < per_file:
            files[path] += 1
            texts.add(copy)
            yield lead


def permitted_in(db: Tables, *patterns: Sequence[str]) -> frozenset[int] | None:
    """The passages of the files that all of ``patterns`` speak of; ``None`` for all there are."""
    filters = (Filter(tuple(each)) for each in patterns if each)
    found = [allowed(db, where) for where in filters]
    return frozenset.intersection(*found) if found else None


class Notes:
    """The notes that ``read`` gives, each read once."""

    def __init__(self, read: Callable[[str], Note]) -> None:
        self._read = read
        self._known: dict[str, Note | None] = {}

    def get(self, path: str) -> Note | None:
        """A note; ``None`` for one that cannot be read any more."""
        if path not in self._known:
            try:
                self._known[path] = self._read(path)
            except (FileUnreadable, OutsideWorkspace):
                self._known[path] = None
        return self._known[path]

    def preview(self, place: Place) -> str:
        """The beginning of a passage on one line."""
        note = self.get(place.path)
        text = note.text_of(place.start, place.end) if note else ""
        return shorten(" ".join(text[: 4 * PREVIEW].split()), PREVIEW)


def _lead(place: Place, score: float, standing: Standing) -> Lead:
    bits = standing.own(place.id, place).any
    here = [term for bit, term in enumerate(standing.terms) if bits >> bit & 1]
    here.sort(key=lambda term: -term.weight)
    return Lead(place, round(score, 4), tuple(dict.fromkeys(term.word for term in here)))


def _hit(lead: Lead, preview: str) -> AnchorHit:
    place = lead.place
    return AnchorHit(
        place.path, place.start, place.end, lead.score, place.note_kind, preview, lead.words
    )


def _related(word: str) -> Iterator[tuple[str, float]]:
    """The terms that may stand for a word, with how similar they are."""
    for key in terms_of(word)[:1]:
        for term, similarity in related_to(key).items():
            if similarity >= _SIMILAR and " " not in term:
                yield term, similarity


def _related_terms(db: Tables, near: Mapping[str, Mapping[str, float]]) -> dict[str, Term]:
    """The terms that are ``near`` to words, of those that the notes have; near to several, as to the nearest."""
    passages = db.totals().passages
    terms: dict[str, Term] = {}
    for word, similarities in near.items():
        for key, similarity in similarities.items():
            [postings] = read_postings(db, [[key]])
            weight = RELATED * similarity * idf(len(postings), passages)
            if len(postings) and (key not in terms or terms[key].weight < weight):
                terms[key] = Term(word, key, weight, postings)
    return terms
