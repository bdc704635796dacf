"""A question as terms of the notes: which words of it the notes have, what a misspelt one is taken for, and what
none of them has.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING

from hippocampus_cli.fast_types import NamedTuple, pattern
from hippocampus_cli.search.postings import Postings, Totals, read_postings
from hippocampus_cli.search.thesaurus import related
from hippocampus_cli.text.stop_words import STOP_WORDS
from hippocampus_cli.text.terms import (
    ENGLISH,
    STEMMED,
    asked_words,
    forms_of,
    language_of,
    terms_of,
)
from hippocampus_cli.text.tokenizer import folded, is_unspaced, words_of
from hippocampus_cli.workspace.file_table import restored

if TYPE_CHECKING:
    from hippocampus_cli.search.tables import Tables

MOST_CHARACTERS = 2_000
"""Of a question; what is longer is no question, and its beginning tells."""
_LIKE = 0.76  # Damerau-Levenshtein similarity from which a word may be a misspelt one: "per" is none of "Perú"
_CORRECTED = 4  # characters of a word that may be misspelt
_DIGIT = pattern(r"\d")
_MISSING = 8  # words at most that are said to be missing
_TRIMMED = ".,;:!?…\"'`()[]{}<>«»“”„‚‘’*。，；：！？（）「」"
_IDENTIFIER = pattern(
    r"""(?:\d\D*){3}                     # a number that is no count
    | ^[^\W\d_].*\d                     # a letter, and later a digit
    | ^[-/~]+[^\W\d_]                   # a flag, or a path from the root
    | [a-z][A-Z] | \w[_@]\w | ::        # camelCase, a_b, a@b, a::b
    | [a-zA-Z]\.[a-z]                   # a.b
    | ^(?=.*(?:\.|/.*/)).*\w/\w         # a path; "and/or" is none
    | ^[A-Z\u00c0-\u00de\u0410-\u042f]{3,}$  # an acronym
    """,
    re.X,
)
_NAME = pattern(r"[A-Z\u00c0-\u00de\u0410-\u042f][a-z\u00df-\u00ff\u0430-\u044f]{2,}")


class Term(NamedTuple):
    """A term of the question: the ``word`` it is of, its ``weight`` (idf), where it stands, and its ``forms``, the
    ``key`` first."""

    word: str
    key: str
    weight: float
    postings: Postings
    forms: Sequence[str] = ()


class Question(NamedTuple):
    """What is looked for. ``weight`` is what all its words are worth; ``corrections`` say what unknown words were
    taken for, ``totals`` how much there is."""

    text: str
    terms: tuple[Term, ...]
    weight: float
    corrections: Mapping[str, str]
    totals: Totals


def read_questions(
    db: Tables, texts: Sequence[str], entries: frozenset[str] = frozenset()
) -> list[Question]:
    """Each of ``texts`` in the terms of a store, and those that only ``entries`` have."""
    totals, asked = db.totals(), [asked_words(text) for text in texts]
    words = dict.fromkeys(chain.from_iterable(asked))
    keys = [(word, key) for word in words for key in _keys(db, word)]
    known = _terms(db, keys, totals.passages, entries)
    corrected = {word: _corrected(db, word) for word in words if word not in known}
    taken = [(word, (term,)) for word, term in corrected.items() if term]
    known |= _terms(db, taken, totals.passages, entries)
    questions = []
    for text, own in zip(texts, asked, strict=True):
        terms = {term.key: term for word in own for term in known.get(word, ())}
        weight = sum(term.weight for term in terms.values())
        weight += sum(word not in known for word in own) * idf(0, totals.passages)
        corrections = {word: term for word in own if (term := corrected.get(word))}
        questions.append(Question(text, tuple(terms.values()), weight, corrections, totals))
    return questions


def _terms(
    db: Tables,
    keys: Sequence[tuple[str, Sequence[str]]],
    passages: int,
    entries: frozenset[str],
) -> dict[str, list[Term]]:
    """The known terms of each word by what its whole and its parts are looked up by."""
    known: defaultdict[str, list[Term]] = defaultdict(list)
    held = read_postings(db, [key for _, key in keys])
    for (word, key), postings in zip(keys, held, strict=True):
        if len(postings) or not entries.isdisjoint(key):
            known[word].append(Term(word, key[0], idf(len(postings), passages), postings, key))
    return known


def missing_in(
    db: Tables, question: Question, entries: frozenset[str], spared: frozenset[str]
) -> tuple[str, ...]:
    """The names, numbers and identifiers of a question that neither a note nor ``entries`` have; ``spared`` are words
    that none needs to have."""
    known = spared.union(map(str.lower, question.corrections))
    named = (word for word in dict.fromkeys(named_in(question.text)) if word.lower() not in known)
    absent = (w for w in named if not (_stands(db, w) or entries.issuperset(terms_of(w))))
    return tuple(islice(absent, _MISSING))


def _keys(db: Tables, word: str) -> Iterator[Sequence[str]]:
    """What the whole of a word and its parts are looked up by, in every language: a few words tell none, and a note
    may be in another one. What is a word without meaning, as Spanish has *not* for *notes*, is no form."""
    if len(word) == 1 and is_unspaced(word):
        yield (word, *db.terms_like(word))
        return
    for own, *others in forms_of(word):
        yield tuple(dict.fromkeys((own, *(term for term in others if term not in STOP_WORDS))))


def idf(found: int, passages: int) -> float:
    """What a term is worth that stands in so many of all passages."""
    return math.log(1 + (passages - found + 0.5) / (found + 0.5))


def _corrected(db: Tables, word: str) -> str | None:
    """The term of the notes that a word which none of them has, or its stem, is most like.

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
    for term, postings in zip(like, read_postings(db, [[term] for term in like]), strict=True):
        alike = sum(similarity(text, term) for text in texts)
        ranked.append((round(alike, 6), len(postings), term))
    return max(ranked)[-1] if ranked else None


def _stands(db: Tables, word: str) -> bool:
    """Whether a note has this word in any language; of several, as a path has, next to each other."""
    words = words_of(word)
    forms = {tuple(terms_of(each, language) for each in words) for language in STEMMED}
    return not words or any(_stand_together(db, parts) for parts in forms)


def _stand_together(db: Tables, parts: Sequence[Sequence[str]]) -> bool:
    """Whether the text of a passage, or its heading, has these words, each with its parts, next to each other."""
    held = read_postings(db, [part[:1] for part in parts if part])
    rarest = min(held, key=len, default=Postings({}))
    together = [passage for passage, _ in rarest.items() if all(each.get(passage) for each in held)]
    if len(parts) == 1:
        return bool(together)
    phrase = f" {' '.join(chain.from_iterable(parts))} "
    return any(phrase in f" {restored(text)} " for _, *row in db.texts(together) for text in row)


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
            if named or "()" in raw or _IDENTIFIER.search(part):
                yield part
        begins = raw.endswith((".", "!", "?", ":"))
