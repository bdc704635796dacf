"""Letters as they are compared: without case, accents, vowel points, and what a keyboard may lack.

Letters that Unicode does not decompose are read as CLDR's Latin-ASCII has them (``æ`` is ae, ``ø`` o, ``þ`` th), and
those of Arabic as in the normalisers of Lucene and Snowball. Signs of vowels in Indic and South-East Asian scripts
are letters: words that differ in them are different words.
"""

from __future__ import annotations

from hippocampus_cli.fast_types import pattern

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


def folded(text: str) -> str:
    """``text`` as it is compared. It may be longer: what is found in it has no place in ``text``."""
    if text.isascii():
        return text.lower()
    from unicodedata import normalize

    bare = _ACCENTS.sub("", normalize("NFKD", text))
    bare = _ACCENTS.sub("", normalize("NFKD", bare.casefold()))  # the dot of İ
    return normalize("NFKC", bare.translate(_PLAIN))  # a Korean syllable is one character again
