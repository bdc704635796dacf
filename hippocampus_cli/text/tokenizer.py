"""Text as stems: what is indexed and what is looked up, by one and the same function.

A word is folded (case, accents, vowel points, width) and cut down to its English Snowball stem; words of other
languages stay near themselves. A compound (``node.js``, ``foo_bar``, ``fooBar``, ``follow-up``)
gives its whole, separators removed, and then its parts, so it is found however it is spelled.
Writing without spaces (Chinese, Japanese, Korean, Thai, ...) gives pairs of characters, and the
characters themselves where one can be a word. A date gives the stems of :func:`day_stems` in whatever
form it is written. An emoji is a word, whatever its colour. Stems hold nothing but letters, digits,
emoji and ``.+#-``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from functools import cache
from typing import TYPE_CHECKING

from hippocampus_cli.fast_types import NamedTuple, pattern
from hippocampus_cli.text.stop_words import ALSO_ENGLISH, LANGUAGES, STOP_WORDS

if TYPE_CHECKING:
    from Stemmer import Stemmer


MONTH_NAMES = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
MONTHS = {name.lower(): number for number, name in enumerate(MONTH_NAMES, 1)}
"""The number of a month, 1 to 12, by its name or abbreviation in lower case."""
MONTHS |= {name[:3]: number for name, number in MONTHS.items()} | {"sept": 9}
_LONG, _ENOUGH = 4, 2  # of the words of another language: a long one counts two
_OTHER_MONTHS = (
    *("januar enero", "februar febrero", "märz marzo", "april abril", "mai mayo", "juni junio"),
    *("juli julio", "august agosto", "september septiembre", "oktober octubre"),
    *("november noviembre", "dezember diciembre"),
)
ALL_MONTHS = MONTHS | {
    name: number for number, names in enumerate(_OTHER_MONTHS, 1) for name in names.split()
}
"""The same with the German and Spanish names."""


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


TOKENS_VERSION = 3
"""Raised when the same text gives other stems than before: what was cached is then worthless."""

_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u3007\u3041-\u30ff\u3400-\u4dbf"
    "\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff"
)
# Of those, the scripts in which a character is a word or a syllable; in the others it is only a letter.
_SINGLE = "\u3005-\u3007\u3041-\u30fe\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff"
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
# Pairs, for a pattern with ranges as long as these takes longer to compile than all others together.
_BEYOND_LATIN = pattern("[^\0-\u02ff]")
_RARE_SCRIPTS = (
    *(("\u0300", "\u036f"), ("\u0483", "\u0489"), ("\u0591", "\u1cff")),
    *(("\u2e80", "\ud7ff"), ("\uf900", "\ufaff"), ("\U00020000", "\U0003ffff")),
)
_COMMON_WORDS = pattern(rf"[A-Za-z](?:\+\+|#)(?!\w)|\w+(?:[.'’-]\w+)*|{_FLAG}|[{_EMOJI}]")
_ANY_WORDS = (
    rf"[A-Za-z](?:\+\+|#)(?!\w)|[{_UNSPACED}]+|{_LETTER}+(?:[.'’-]{_LETTER}+)*|{_FLAG}|[{_EMOJI}]"
)
_JOINT = pattern(r"[_'’-]+|\.(?!\d)|(?<!\d)\.")  # the dot of 2.1 holds it together
_CAMEL = pattern(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_AMOUNT = pattern(r"(\d+(?:\.\d+)*)([a-z]{1,4})|([a-z]{2,})(\d+(?:\.\d+)*)")
_ORDINAL = pattern(r"(\d{1,2})(?:st|nd|rd|th)?", re.ASCII)
_VERSION = pattern(r"v(\d+(?:\.\d+)+)")
_CONTRACTION = pattern(r"['’](?:s|m|re|ve|ll|d)$")
_ISO_DAY = pattern(r"(\d{4})[-_](\d\d)[-_](\d\d)(?!\d)", re.ASCII)
_ISO_MONTH = pattern(r"((?:19|20)\d\d)[-_](\d\d)", re.ASCII)
_YEAR = pattern(r"(?:19|20)\d\d", re.ASCII)
_MONTH_MARK = "\x01"  # before the stem of a month's name: a date may stand around it
_LONGEST = 64
_MOST_PARTS = 16
_MEMO_SIZE = 200_000


class Term(NamedTuple):
    """A word of the query: its stem, and the stems of its parts if it is a compound."""

    stem: str
    parts: tuple[str, ...] = ()


def stems(text: str) -> list[str]:
    """The stems of ``text`` in their order; a compound's whole stands before its parts."""
    return stem_text(text).split()


def stem_text(text: str) -> str:
    """:func:`stems` joined by single spaces."""
    words = words_of(text)
    joined = " ".join(filter(None, map(_MEMO.__getitem__, words)))
    return _with_dates(words) if _MONTH_MARK in joined else joined


def words_of(text: str) -> list[str]:
    """The words of ``text`` as they are written: what :func:`forms` takes."""
    if text.isascii():
        return (_ASCII_WORDS if "#" in text or "++" in text else _PLAIN_WORDS).findall(text)
    text = _composed(text)
    words = _any_words() if _has_rare_script(text) else _COMMON_WORDS
    return words.findall(text)


def spellings(text: str) -> dict[str, str]:
    """The words of ``text`` in lower case by their stem; of several with one stem, the first."""
    found: dict[str, str] = {}
    for word in words_of(text):
        for stem in forms(word)[:1]:
            found.setdefault(stem, word.lower())
    return found


def forms(word: str) -> list[str]:
    """The stems of one word of :func:`words_of`: the whole first, then the parts of a compound.

    Of writing without spaces only the pairs, if there are any: they tell more than single characters do.
    """
    found = _MEMO[word].replace(_MONTH_MARK, "").split()
    if len(found) > 2 and len(found[0]) == 1 and is_unspaced(word):
        return [stem for stem in found if len(stem) > 1]
    return found


SHORT_WORD = 5
"""Letters: with one of them changed a word as short as this is another word."""


def is_another_word(typed: str, word: str) -> bool:
    """Whether a short word with one letter changed is likelier another word (mango, mongo) than a slip."""
    short = len(typed) == len(word) <= SHORT_WORD
    return short and sorted(typed) != sorted(word)


def is_stop(stem: str) -> bool:
    """Whether ``stem`` is too common a word to tell one text from another."""
    return stem in _stop_stems() or (len(stem) == 1 and stem.isascii() and stem.isalpha())


def function_words(words: Iterable[str]) -> frozenset[str]:
    """Those of the words of a question, in lower case, that say nothing in its language, where that is not English.

    It is in a language of which it has two such words, or a long one, that are none in English: *wie* and *der*, or
    *welche*, but not the *die* of an English question.
    """
    there = frozenset(words)
    foreign = there - ALSO_ENGLISH - STOP_WORDS
    found: frozenset[str] = frozenset()
    for name in LANGUAGES if foreign else ():
        own = _words_of(name)
        if sum(1 + (len(word) >= _LONG) for word in foreign & own) >= _ENOUGH:
            found |= there & own
    return found


@cache
def _words_of(language: str) -> frozenset[str]:
    return frozenset(LANGUAGES[language].split())


def day_stems(day: date) -> tuple[str, str, str]:
    """What mentions of a day share: ``2026-03-12``, ``2026-03``, and ``03-12`` for any year."""
    iso = day.isoformat()
    return iso, iso[:7], iso[5:]


class _Memo(dict[str, str]):
    """A word to its stems, worked out once. Holds nothing that depends on anything but the word."""

    def __missing__(self, word: str) -> str:
        value = " ".join(_forms(word))
        if word.lower() in ALL_MONTHS:
            value = _MONTH_MARK + value
        if len(word) <= _LONGEST:
            if len(self) >= _MEMO_SIZE:
                self.clear()
            self[word] = value
        return value


_MEMO = _Memo()
_STEMMERS: list[Stemmer] = []  # one is enough: it stems a word without letting another thread in


@cache
def _stop_stems() -> frozenset[str]:
    return frozenset((*STOP_WORDS, *map(_stem, STOP_WORDS)))


def _stem(word: str) -> str:
    if not _STEMMERS:
        from Stemmer import Stemmer

        _STEMMERS.append(Stemmer("english", 0))  # 0: no cache of its own, _MEMO is one
    return str(_STEMMERS[0].stemWord(word))[:_LONGEST]


@cache
def _any_words() -> re.Pattern[str]:
    return re.compile(_ANY_WORDS)  # takes milliseconds, which a query in ASCII need not spend


def _has_rare_script(text: str) -> bool:
    return any(map(_is_rare, _BEYOND_LATIN.findall(text)))


@cache
def _is_rare(char: str) -> bool:
    return any(first <= char <= last for first, last in _RARE_SCRIPTS)


def _composed(text: str) -> str:
    from unicodedata import is_normalized, normalize

    return text if is_normalized("NFKC", text) else normalize("NFKC", text)


def folded(text: str) -> str:
    """``text`` as it is compared. It may be longer: what is found in it has no place in ``text``."""
    if text.isascii():
        return text.lower()
    from unicodedata import normalize

    bare = _ACCENTS.sub("", normalize("NFKD", text))
    bare = _ACCENTS.sub("", normalize("NFKD", bare.casefold()))  # the dot of İ
    return normalize("NFKC", bare.translate(_PLAIN))  # a Korean syllable is one character again


def _forms(word: str) -> list[str]:
    if word.isalpha() and word.isascii() and (word[1:].islower() or word.isupper()):
        return [_stem(word.lower())]  # nearly every word is of one piece
    if word.isdigit() and word.isascii():
        return [word[:_LONGEST]]
    if not word[0].isascii() and is_unspaced(word):
        return _pairs(word)
    if word[-1] in "+#":
        return [word.lower()]
    if iso := _ISO_DAY.match(word):
        return _iso_day(iso, word[iso.end() :])
    if iso := _ISO_MONTH.fullmatch(word):
        return [f"{iso[1]}-{iso[2]}"]
    word = _CONTRACTION.sub("", word)
    if word.lower().endswith(("n't", "n’t")):
        word = word[:-2] + "t"
    pieces = [piece for joint in _JOINT.split(word) for piece in _CAMEL.split(joint) if piece]
    return _compound([folded(piece) for piece in pieces[:_MOST_PARTS]])


def _compound(pieces: list[str]) -> list[str]:
    if not pieces:
        return []
    whole = "".join(pieces)
    if version := _VERSION.fullmatch(whole):
        return [version[1]]
    if len(pieces) == 1 and (found := _AMOUNT.fullmatch(whole)) and not _ORDINAL.fullmatch(whole):
        pieces = [part for part in found.groups() if part]
    if len(pieces) == 1:
        ordinal = _ORDINAL.fullmatch(whole)
        return [ordinal[1] if ordinal else _stem(whole)]
    parts = [_stem(piece) for piece in pieces if len(piece) > 1 or piece.isdigit()]
    return [_stem(whole), *parts] if len(whole) <= _LONGEST else parts


def _iso_day(iso: re.Match[str], rest: str) -> list[str]:
    try:
        day = date(int(iso[1]), int(iso[2]), int(iso[3]))
    except ValueError:
        return [iso[1], iso[2], iso[3]]
    return [
        *day_stems(day),
        *_compound([folded(p) for p in _JOINT.split(rest)[:_MOST_PARTS] if p]),
    ]


def is_unspaced(word: str) -> bool:
    """Whether a word is of a writing without spaces."""
    return _has_rare_script(word[0]) and bool(_any_unspaced().match(word))


@cache
def _any_unspaced() -> re.Pattern[str]:
    return re.compile(f"[{_UNSPACED}]")


@cache
def _any_single() -> re.Pattern[str]:
    return re.compile(f"[{_SINGLE}]")


def _pairs(run: str) -> list[str]:
    """The pairs of a run, each after its first character where that may be a word of its own.

    So a phrase that is part of a longer run has its stems in the same order without gaps.
    """
    single = _any_single().match
    found = []
    for at, char in enumerate(run):
        if single(char):
            found.append(char)
        if at + 1 < len(run):
            found.append(run[at : at + 2])
    return found or [run]


def _with_dates(words: Sequence[str]) -> str:
    """The stems of ``words`` with the tokens of every date written with a month's name put in."""
    out: list[str] = []
    for at, word in enumerate(words):
        value = _MEMO[word]
        if value.startswith(_MONTH_MARK):
            out.append(value[1:])
            out.extend(_named_day(words, at, ALL_MONTHS[word.lower()]))
        elif value:
            out.append(value)
    return " ".join(out)


def _named_day(words: Sequence[str], at: int, month: int) -> Iterator[str]:
    """The date tokens of the month's name at ``words[at]`` with the day and year around it."""
    around = [*words[max(at - 2, 0) : at], "", *words[at + 1 : at + 3], "", ""]
    here = min(at, 2)
    before = around[here - 1] if here else ""
    if before.lower() in ("of", "de") and here == 2:
        before = around[0]
    day = _ORDINAL.fullmatch(before)
    after = here + 1
    if not day and (day := _ORDINAL.fullmatch(around[after])):
        after += 1
    year = _YEAR.fullmatch(around[after])
    if day and 1 <= int(day[1]) <= 31:
        if year:
            yield f"{year[0]}-{month:02}-{int(day[1]):02}"
            yield f"{year[0]}-{month:02}"
        yield f"{month:02}-{int(day[1]):02}"
    elif year:
        yield f"{year[0]}-{month:02}"
