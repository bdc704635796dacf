"""Text as terms: what is indexed and what is asked for, by one and the same function.

A word is folded (case, accents, width) and cut down to its Snowball stem: by its script, and where that is Latin by
the language that :func:`language_of` tells of the whole text. A compound (``fooBar``, ``foo_bar``, ``node.js``) gives
its whole without separators, then its parts. Writing without spaces (Chinese, Japanese, Korean, Thai, ...) gives
pairs of characters. Terms hold no white space.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, lru_cache, partial
from typing import Any

from hippocampus_cli.fast_types import pattern
from hippocampus_cli.text.stop_words import ASKING, LANGUAGES, STOP_WORDS
from hippocampus_cli.text.tokenizer import folded, is_unspaced, words_of

TERMS_VERSION = 1
"""Raised when the same text gives other terms than before: an index of the former ones is then worthless."""
ENGLISH = "english"
_RUSSIAN = "russian"
STEMMED = (ENGLISH, *LANGUAGES)
"""The languages that words are cut down by."""
_LONGEST = 64  # characters of a term
_MOST_PARTS = 16  # of a compound
_MEMO_SIZE = 200_000  # words
_SHORT = 3  # characters of a term that words have as it is
_ASKED = 40  # words of a question
_DETECTED = 2_000  # characters that tell the language of a text

_JOINT = pattern(r"[_'’.-]+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_CONTRACTION = pattern(r"['’](?:s|m|re|ve|ll|d)$")


def terms(text: str, language: str = ENGLISH) -> list[str]:
    """The terms of ``text`` in their order."""
    memo = _memo(language)
    return [term for word in words_of(text) for term in memo(word)]


def terms_of(word: str, language: str = ENGLISH) -> tuple[str, ...]:
    """The terms of one word of :func:`words_of`: the whole first, then the parts of a compound."""
    return _memo(language)(word)


@cache
def _memo(language: str) -> Callable[[str], tuple[str, ...]]:
    """The terms of a word in a language, worked out once."""
    return lru_cache(maxsize=_MEMO_SIZE)(partial(_terms, language))


def _terms(language: str, word: str) -> tuple[str, ...]:
    if word.isalpha() and word.isascii() and (word[1:].islower() or word.isupper()):
        return (_stem(word.lower(), language),)  # nearly every word is of one piece
    if is_unspaced(word):
        return tuple(map(str.__add__, word, word[1:])) or (word,)  # pairs of characters
    if word[-1] in "+#":
        return (word.lower(),)
    return tuple(_compound(_CONTRACTION.sub("", word)[: 4 * _LONGEST], language))


def _compound(word: str, language: str) -> Iterator[str]:
    pieces = [piece for piece in _JOINT.split(word) if piece]
    parts = folded(" ".join(pieces[:_MOST_PARTS])).split()
    if len(parts) != 1:
        whole = "".join(parts)
        if whole and len(whole) <= _LONGEST:
            yield _stem(whole, language)
    for part in parts:
        yield _stem(part, language)


def _stem(word: str, language: str) -> str:
    stemmer = _stemmer(_RUSSIAN if "\u0400" <= word[:1] <= "\u04ff" else language)
    return str(stemmer.stemWord(word))[:_LONGEST]


@cache
def _stemmer(language: str) -> Any:
    from Stemmer import Stemmer

    return Stemmer(language, 0)


def asked_words(text: str) -> list[str]:
    """The words of a question that say what it is about; all of them where none does. Each one once, and no more than
    are looked for."""
    return (telling_words(text) or list(dict.fromkeys(words_of(text))))[:_ASKED]


def telling_words(text: str) -> list[str]:
    """The words of a question that say what it is about, each once; none where only such as "the" are there."""
    stop = _stop_words(language_of(text, enough=1))
    words = words_of(text if text.isascii() else ASKING.sub(" ", text))
    telling = (w for w in words if len(w) > 1 or not w.isascii() or w.isdigit())
    return list(dict.fromkeys(w for w in telling if w.lower() not in stop))


def telling_terms(text: str) -> list[str]:
    """The terms of the words of a text that say something, each once, in order."""
    return list(dict.fromkeys(term for word in telling_words(text) for term in terms_of(word)))


def forms_of(word: str) -> Iterator[tuple[str, ...]]:
    """The terms of a word, its whole and its parts, each as the languages :data:`STEMMED` have it, in their order."""
    return zip(*(terms_of(word, language) for language in STEMMED), strict=False)


def start_of(term: str) -> str:
    """What words of a term begin with: "countr" of "countri"; a term of few characters as it is."""
    return term[:-1] if term.isascii() and len(term) > _SHORT else term


def language_of(text: str, enough: int = 2) -> str:
    """The name of the stemmer for the Latin words of ``text``, by its function words; English where fewer than
    ``enough`` tell."""
    told = frozenset(text[:_DETECTED].lower().split())
    count, best = max((len(told & words), name) for name, words in _function_words().items())
    return best if count >= enough and count > len(told & STOP_WORDS) else ENGLISH


@cache
def _function_words() -> dict[str, frozenset[str]]:
    """The function words of each language that are none in English."""
    return {name: frozenset(words.split()) - STOP_WORDS for name, words in LANGUAGES.items()}


@cache
def _stop_words(language: str) -> frozenset[str]:
    words = _function_words()
    return STOP_WORDS.union(words.get(language, ()), words[_RUSSIAN])
