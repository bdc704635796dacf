"""Names, numbers and identifiers of a question: what the notes must have for an answer to be sure of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from collections.abc import Set as AbstractSet
from itertools import islice

from hippocampus_cli.fast_types import pattern
from hippocampus_cli.text.stop_words import STOP_WORDS
from hippocampus_cli.text.terms import ENGLISH, language_of

_TRIMMED = ".,;:!?…\"'`()[]{}<>«»“”„‚‘’*。，；：！？（）「」"
_SIGN = pattern(
    r"[a-z][A-Z]|\w[_@]\w|::|\w/\w|[a-zA-Z]\.[a-z]"
)  # camelCase, a_b, a@b, a::b, a/b, a.b
_NAME = pattern(r"[A-Z\u00c0-\u00de\u0410-\u042f][a-z\u00df-\u00ff\u0430-\u044f]{2,}")
_DIGITS = 3  # of a number that is no count
_MOST = 8


def missing_from(
    words: Iterable[str], spared: AbstractSet[str], knows: Callable[[str], bool]
) -> tuple[str, ...]:
    """Those of the ``words`` that are named that stand in no note; ``spared`` are words of dates, ``knows`` says
    whether a word, with all its parts next to each other, stands in a note."""
    absent = (word for word in words if word.lower() not in spared and not knows(word))
    return tuple(islice(absent, _MOST))


def named_in(text: str) -> list[str]:
    """The words of a question that an answer must have, as they are written, each once."""
    return list(dict.fromkeys(_named(text)))


def _named(text: str) -> Iterator[str]:
    """The identifiers and numbers, and the names: words with a capital that do not begin a sentence, but in a
    language of other function words, which may write any noun so."""
    names = language_of(text) == ENGLISH
    begins = True
    for raw in text.split():
        word = raw.strip(_TRIMMED).removesuffix("'s").removesuffix("’s")
        named = names and not begins and _NAME.fullmatch(word) and word.lower() not in STOP_WORDS
        if named or "()" in raw or _is_identifier(word):
            yield word
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
