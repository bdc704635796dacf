"""A question as terms of the notes: which words of it the notes have, what a misspelt one is taken for, and what
none of them has.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence, Set
from itertools import islice
from typing import TYPE_CHECKING

from hippocampus_cli.fast_types import NamedTuple, pattern
from hippocampus_cli.search.postings import Postings, read_postings
from hippocampus_cli.search.thesaurus import related
from hippocampus_cli.text.stop_words import STOP_WORDS
from hippocampus_cli.text.terms import (
    ENGLISH,
    STEMMED,
    asked_words,
    forms_of,
    language_of,
    languages_of,
    terms_of,
)
from hippocampus_cli.text.tokenizer import folded, is_unspaced, words_of
from hippocampus_cli.workspace.file_table import restored

if TYPE_CHECKING:
    from hippocampus_cli.search.tables import Tables

MOST_CHARACTERS = 2_000
"""Of a question; what is longer is no question, and its beginning tells."""
MOST_WORDS = 40
"""Of a question that are looked for."""
_SPOKEN = 0.2  # of the notes, from which on a word is looked for as their language has it
_LIKE = 0.74  # Damerau-Levenshtein similarity from which a word may be a misspelt one
_DOUBTFUL = 0.81  # below which it may be another word: "per" for "Perú", not "rota" for "rotta"
_CORRECTED = 4  # characters of a word that may be misspelt
_DIGIT = pattern(r"\d")
_MISSING = 8  # words at most that are said to be missing
_TRIMMED = ".,;:!?…\"'`()[]{}<>«»“”„‚‘’*。，；：！？（）「」"
_SIGN = pattern(
    r"[a-z][A-Z]|\w[_@]\w|::|\w/\w|[a-zA-Z]\.[a-z]"
)  # camelCase, a_b, a@b, a::b, a/b, a.b
_NAME = pattern(r"[A-Z\u00c0-\u00de\u0410-\u042f][a-z\u00df-\u00ff\u0430-\u044f]{2,}")
_DIGITS = 3  # of a number that is no count
_QUOTED = pattern(r"[\"“]([^\"“”]+)[\"”]")


class Term(NamedTuple):
    """A term of the question: the ``word`` it is of, its ``weight`` (idf), and where it stands."""

    word: str
    key: str
    weight: float
    postings: Postings


class Question(NamedTuple):
    """What is looked for. ``weight`` is what all its words are worth; ``corrections`` say what unknown words were
    taken for; ``only`` are the passages that have all that stands in quotation marks, ``None`` where nothing does;
    ``doubtful`` are corrected words that may be others."""

    text: str
    terms: tuple[Term, ...]
    weight: float
    corrections: Mapping[str, str]
    only: frozenset[int] | None = None
    doubtful: Set[str] = frozenset()


def read_question(db: Tables, text: str, entries: frozenset[str] = frozenset()) -> Question:
    """``text`` in the terms of a store, in its own language and those of many notes there, and those that only
    ``entries`` have."""
    text, passages = text[:MOST_CHARACTERS], db.totals().passages
    languages = tuple(dict.fromkeys((*languages_of(text), *_languages_in(db))))
    doubtful: set[str] = set()
    terms: dict[str, Term] = {}
    unknown = 0.0
    corrections: dict[str, str] = {}
    words = asked_words(text)[:MOST_WORDS]
    db.expect(term for word in words for key in _keys(word, languages) for term in key)
    for word in words:
        found = list(_terms(db, word, languages, passages, entries))
        found = found or list(_terms(db, word, STEMMED, passages, entries))
        if not found and (taken := _corrected(db, word)):
            corrections[word], alike = taken
            postings = read_postings(db, taken[:1])
            found = [Term(word, taken[0], idf(len(postings), passages), postings)]
            if alike < _DOUBTFUL:
                doubtful.add(word)
        if not found:
            unknown += idf(0, passages)
        terms |= {term.key: term for term in found}
    weight = unknown + sum(term.weight for term in terms.values())
    return Question(text, tuple(terms.values()), weight, corrections, _quoted(db, text), doubtful)


def missing_in(
    db: Tables, question: Question, entries: frozenset[str], spared: frozenset[str]
) -> tuple[str, ...]:
    """The names, numbers and identifiers of a question that neither a note nor ``entries`` have; ``spared`` are words
    that none needs to have."""
    known = spared.union(map(str.lower, question.corrections))
    named = (word for word in dict.fromkeys(named_in(question.text)) if word.lower() not in known)
    absent = (w for w in named if not (_stands(db, w) or entries.issuperset(terms_of(w))))
    return tuple(islice(absent, _MISSING))


def _terms(
    db: Tables,
    word: str,
    languages: Sequence[str],
    passages: int,
    entries: frozenset[str],
) -> Iterator[Term]:
    """The known terms of a word: its whole and its parts, each in every language that the question may be of."""
    keys = _keys(word, languages)
    if len(word) == 1 and is_unspaced(word):
        keys = iter(((word, *db.terms_like(word)),))
    for key in keys:
        postings = read_postings(db, key)
        if len(postings) or not entries.isdisjoint(key):
            yield Term(word, key[0], idf(len(postings), passages), postings)


def _keys(word: str, languages: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """What the whole of a word and its parts are looked up by, each once; another language's form that is a word
    without meaning here, as Spanish has *not* for *notes*, is none."""
    for form in forms_of(word, languages):
        yield tuple(dict.fromkeys(term for term in form if term not in STOP_WORDS)) or form[:1]


def _languages_in(db: Tables) -> list[str]:
    """The languages of many of the notes: a few words of a question tell none, and a note may be in another one."""
    counts = db.languages()
    return [name for name, count in counts.items() if count >= _SPOKEN * counts.total()]


def idf(found: int, passages: int) -> float:
    """What a term is worth that stands in so many of all passages."""
    return math.log(1 + (passages - found + 0.5) / (found + 0.5))


def _corrected(db: Tables, word: str) -> tuple[str, float] | None:
    """The term of the notes that a word which none of them has, or its stem, is most like, and how much, 0 to 1.

    A word that the thesaurus knows is not misspelt: only what it relates to it may be another spelling of it.
    """
    key = terms_of(word)[0] if terms_of(word) else ""
    if len(key) < _CORRECTED or is_unspaced(word) or _DIGIT.search(word):
        return None
    spellings = related(key)
    known = [term for term in db.terms_like(key[0]) if not spellings or term in spellings]
    if not known:
        return None
    from rapidfuzz import distance, process

    similarity, texts = distance.DamerauLevenshtein.normalized_similarity, (key, folded(word))
    like = {
        term
        for text in texts
        for term, *_ in process.extract(text, known, scorer=similarity, limit=5, score_cutoff=_LIKE)
    }
    ranked = []
    for term in like:
        alike = [similarity(text, term) for text in texts]
        stands = len(read_postings(db, (term,)))
        ranked.append((round(sum(alike), 6), stands, term, max(alike)))
    return max(ranked)[2:] if ranked else None


def _stands(db: Tables, word: str) -> bool:
    parts = words_of(word)
    return bool(next(_passages_with(db, parts), None)) if parts else True


def _quoted(db: Tables, text: str) -> frozenset[int] | None:
    """The passages that have all phrases of ``text`` in quotation marks."""
    phrases = [words_of(match[1]) for match in _QUOTED.finditer(text)]
    found = [frozenset(_passages_with(db, phrase)) for phrase in phrases if phrase]
    return frozenset.intersection(*found) if found else None


def _passages_with(db: Tables, words: Sequence[str]) -> Iterator[int]:
    """The passages that have these words next to each other, in their text or in its heading, in any language."""
    for language in STEMMED:
        parts = [terms_of(word, language) for word in words]
        held = [read_postings(db, part[:1]) for part in parts if part]
        rarest = min(held, key=len, default=Postings({}))
        together = [
            passage for passage, _ in rarest.items() if all(each.get(passage) for each in held)
        ]
        if len(held) == len(words) == 1:
            yield from together
            continue
        phrase = f" {' '.join(term for part in parts for term in part)} "
        for passage, *texts in db.texts(together):
            if any(phrase in f" {restored(text)} " for text in texts):
                yield passage


def named_in(text: str) -> Iterator[str]:
    """The words of a question that an answer must have, as they are written: the identifiers and numbers, and the
    names, words with a capital that do not begin a sentence, but in a language of other function words, which may
    write any noun so."""
    names = language_of(text) == ENGLISH
    begins = True
    for raw in text.split():
        word = raw.strip(_TRIMMED).removesuffix("'s").removesuffix("’s")
        named = names and not begins and _NAME.fullmatch(word) and word.lower() not in STOP_WORDS
        for part in words_of(word) if any(map(is_unspaced, word)) else (word,):
            if named or "()" in raw or _is_identifier(part):
                yield part
        begins = raw.endswith((".", "!", "?", ":"))


def _is_identifier(word: str) -> bool:
    """Whether a word is a number, a key, a flag, a path, a name in code, or an acronym."""
    digits = sum(map(str.isdigit, word))
    if digits >= _DIGITS or (digits and word[0].isalpha()):
        return True
    if word.startswith(("-", "/", "~")):
        return word.lstrip("-/~")[:1].isalpha()
    signs = _SIGN.search(word)
    if signs and "/" in signs[0]:  # "and/or" is none
        return word.count("/") > 1 or "." in word
    return bool(signs) or (len(word) >= _DIGITS and word.isupper() and word.isalpha())
