"""The words of a text as they are written, in any script, and how they are compared.

An emoji is a word, whatever its colour; so is a run of writing without spaces (Chinese, Japanese, Korean, Thai, ...).
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from hippocampus_cli.fast_types import pattern

# Letters that Unicode does not decompose are read as CLDR's Latin-ASCII has them, those of Arabic as Lucene's and
# Snowball's normalisers have them. Signs of vowels in Indic and South-East Asian scripts are letters: words that
# differ in them are different words.
_LATIN = {
    "ae": "æ",
    "oe": "œ",
    "o": "øɔ",
    "th": "þ",
    "d": "ðđɖɗ",
    "l": "ł",
    "i": "ıɨ",
    "h": "ħ",
    "n": "ŋɲ",
    "q": "ĸ",
    "t": "ŧ",
    "b": "ƀɓ",
    "k": "ƙ",
    "y": "ƴ",
    "z": "ƶ",
    "g": "ǥ",
    "f": "ƒ",
    "e": "ɛəǝ",
    "u": "ʉ",
    "j": "ȷɉ",
    "": "ʻ",  # the okina of Hawaiʻi
}
_ARABIC = {
    "ا": "ٱ",
    "ي": "ىی",
    "ه": "ة",
    "ك": "ک",
    "": "ـ",  # tatweel, which only makes a word longer
}
_PLAIN = {
    ord(letter): plain
    for table in (_LATIN, _ARABIC)
    for plain, letters in table.items()
    for letter in letters
}
_ACCENTS = pattern(
    "[\u0300-\u036f"
    "\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"  # points of Hebrew
    "\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed]+"  # and of Arabic
)


_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u3007\u3041-\u30ff\u3400-\u4dbf"
    "\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff"
)
_EMOJI = (
    "\u231a\u231b\u23e9-\u23f3\u2600-\u26ff\u2702-\u2767\u2795-\u2797\u2b1b\u2b1c\u2b50\u2b55"
    "\U0001f000-\U0001f3fa\U0001f400-\U0001faff"  # without the tones of skin
)
_FLAG = "[\U0001f1e6-\U0001f1ff]{2}"
# Combining marks are no word characters to `re`; without these, words in Devanagari, pointed Hebrew
# or decomposed Latin would fall apart.
_MARKS = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed"
    "\u0900-\u0963\u0966-\u0dff\u0f00-\u0fff"
)
_LETTER = rf"(?:[^\W{_UNSPACED}]|[{_MARKS}])"
_ASCII_WORDS = pattern(r"[A-Za-z](?:\+\+|#)(?![A-Za-z0-9_])|[A-Za-z0-9_]+(?:[.'-][A-Za-z0-9_]+)*")
_PLAIN_WORDS = pattern(r"\w+(?:[.'-]\w+)*", re.ASCII)  # the same where nothing is called C++ or C#
# Dashes, arrows and accents alone do not need the pattern of all scripts, which takes long to compile.
# Looked through, for a pattern with ranges as long as these takes longer to compile than all others together.
_BEYOND_ASCII = pattern(r"[^\0-\x7f]+")
_BEYOND_LATIN = pattern("[^\0-\u02ff]")
_RARE = "\u0300-\u036f\u0483-\u0489\u0591-\u1cff\u2e80-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff"
_COMMON_WORDS = pattern(rf"[A-Za-z](?:\+\+|#)(?!\w)|\w+(?:[.'’-]\w+)*|{_FLAG}|[{_EMOJI}]")
_ANY_WORDS = pattern(  # takes milliseconds to compile, which a query in ASCII need not spend
    rf"[A-Za-z](?:\+\+|#)(?!\w)|[{_UNSPACED}]+|{_LETTER}+(?:[.'’-]{_LETTER}+)*|{_FLAG}|[{_EMOJI}]"
)


def words_of(text: str) -> list[str]:
    """The words of ``text`` as they are written."""
    if text.isascii():
        return (_ASCII_WORDS if "#" in text or "++" in text else _PLAIN_WORDS).findall(text)
    from unicodedata import normalize

    text = normalize("NFKC", text)
    is_rare = any(_is_in(char, _RARE) for char in _BEYOND_LATIN.findall(text))
    return (_ANY_WORDS if is_rare else _COMMON_WORDS).findall(text)


def folded(text: str) -> str:
    """``text`` as it is compared. It may be longer: what is found in it has no place in ``text``."""
    lower = text.lower()
    return lower if text.isascii() else _BEYOND_ASCII.sub(lambda run: _folded(run[0]), lower)


@lru_cache(maxsize=4096)  # dashes, arrows and accents are the same ones in most lines
def _folded(run: str) -> str:
    from unicodedata import normalize

    bare = _ACCENTS.sub("", normalize("NFKD", run))
    bare = _ACCENTS.sub("", normalize("NFKD", bare.casefold()))
    return normalize("NFKC", bare.translate(_PLAIN))  # a Korean syllable is one character again


def is_unspaced(word: str) -> bool:
    """Whether a word is of a writing without spaces."""
    return _is_in(word[0], _UNSPACED)


@cache
def _is_in(char: str, ranges: str) -> bool:
    """Whether a character is of one of the ``ranges``, as a pattern has them."""
    pairs = zip(ranges[::3], ranges[2::3], strict=True)
    return any(first <= char <= last for first, last in pairs)
