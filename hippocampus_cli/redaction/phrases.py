"""Phrases that are known by their hashes alone: what was forgotten is found again without being kept.

A text is read as a row of words: letters and digits, without case and accents. What stands between them (blanks, line
breaks, punctuation, the escapes of JSON, HTML and URLs) makes no difference, so that a slug, a wrapped line and a
string in JSON are the same phrase. Chinese, Japanese, Korean and Thai letters are words of their own.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate

from hippocampus_cli.light import NamedTuple
from hippocampus_cli.redaction.redactor import Span

KIND = "forgotten"
_ROUNDS = 4_000
"""Of PBKDF2: about a millisecond and a half a guess, for whoever got hold of the hashes and their salt."""
_SIEVE = 0xFFFF
_LONGEST_RUN = 8
_LETTERS = "\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
_WORD = re.compile(
    r"&(?:amp|lt|gt|quot|apos|nbsp|#\d+|#x[0-9a-fA-F]+);|%[0-9a-fA-F]{2}|\\+u00[0-7][0-9a-fA-F]|\\+[nrtbf]"
    rf"|(?P<word>[{_LETTERS}]|(?:(?![{_LETTERS}])[^\W_]|[\u0300-\u036f]|\\+u[0-9a-fA-F]{{4}})+)"
)
_ESCAPED = re.compile(r"\\+u([0-9a-fA-F]{4})")


class Word(NamedTuple):
    """A word of a text, ``text[start:end]``, and its form without case and accents."""

    start: int
    end: int
    form: str


class Phrase(NamedTuple):
    """``words`` words in a row. ``sieve`` are 16 bits that rule out nearly every other row, ``hash`` settles it."""

    words: int
    sieve: int
    hash: str


def words_of(text: str) -> list[Word]:
    """The words of a text in their order."""
    return [
        Word(found.start(), found.end(), _form(found["word"]))
        for found in _WORD.finditer(text)
        if found["word"]
    ]


def forms_of(text: str) -> list[str]:
    """The forms of its words alone, ten times as fast."""
    return list(map(_form, filter(None, _WORD.findall(text))))


def runs_of(text: str) -> list[tuple[str, ...]]:
    """The rows of words by which a text is known again, also where only a part of it was taken over.

    Up to three words are one row. Of a longer text it is every row of half its length, at least three and at most
    eight words; and each word of its own that looks like a key rather than like a word of a language.
    """
    forms = tuple(forms_of(text))
    length = len(forms) if len(forms) <= 3 else min(_LONGEST_RUN, max(3, (len(forms) + 1) // 2))
    rows = [forms[at : at + length] for at in range(len(forms) - length + 1)] if forms else []
    return [*rows, *((form,) for form in forms if _is_key(form))]


def tiles_of(text: str) -> list[tuple[str, ...]]:
    """As :func:`runs_of` for a line of a note that is only ever met whole: fewer rows, none of them short."""
    forms = tuple(forms_of(text))
    starts = {
        *range(0, max(1, len(forms) - _LONGEST_RUN), _LONGEST_RUN // 2),
        len(forms) - _LONGEST_RUN,
    }
    return [forms[at : at + _LONGEST_RUN] for at in sorted(starts) if at >= 0]


def plain_matcher(rows: Iterable[Sequence[str]]) -> Callable[[str], Iterator[Span]]:
    """What finds rows of words that are at hand."""
    wanted: dict[str, set[tuple[str, ...]]] = {}
    for row in rows:
        if row:
            wanted.setdefault(row[0], set()).add(tuple(row))

    def spans(text: str) -> Iterator[Span]:
        forms = forms_of(text)
        found = [
            (at, len(row))
            for at, form in enumerate(forms)
            if form in wanted
            for row in wanted[form]
            if tuple(forms[at : at + len(row)]) == row
        ]
        yield from _placed(text, found)

    return spans


def _placed(text: str, found: Sequence[tuple[int, int]]) -> Iterator[Span]:
    """The spans of rows of words, each given by its first word and how many they are."""
    words = words_of(text) if found else []
    for at, length in found:
        yield Span(words[at].start, words[at + length - 1].end, KIND)


class Hashes:
    """Makes phrases and recognises them, with one salt. It remembers what it worked out."""

    def __init__(self, salt: bytes) -> None:
        self.salt = salt
        self._values: dict[str, int] = {}
        self._slow: dict[str, str] = {}

    def phrase(self, row: Sequence[str]) -> Phrase:
        """The phrase that stands for a row of words."""
        return Phrase(len(row), self.sieve(row), self._hash(" ".join(row)))

    def sieve(self, row: Iterable[str]) -> int:
        """The quick half of :meth:`phrase`."""
        return sum(map(self._value, row)) & _SIEVE

    def name(self, text: str) -> str:
        """A name in the place of one that may not be kept: the same for the same, and nothing to read in it."""
        return f"{KIND}-{self._digest(text.casefold(), 4).hex()}"

    def matcher(self, phrases: Iterable[Phrase]) -> Callable[[str], Iterator[Span]]:
        """What finds these phrases in a text."""
        lengths: dict[int, dict[int, set[str]]] = {}
        for one in phrases:
            lengths.setdefault(one.words, {}).setdefault(one.sieve, set()).add(one.hash)

        def spans(text: str) -> Iterator[Span]:
            forms = forms_of(text)
            sums = list(accumulate(map(self._value, forms), initial=0))
            found = [
                (at, length)
                for length, sieves in lengths.items()
                for at, (last, first) in enumerate(zip(sums[length:], sums, strict=False))
                if (hashes := sieves.get((last - first) & _SIEVE))
                and self._hash(" ".join(forms[at : at + length])) in hashes
            ]
            yield from _placed(text, found)

        return spans

    def _value(self, word: str) -> int:
        found = self._values.get(word)
        if found is None:
            found = self._values[word] = int.from_bytes(self._digest(word, 4), "big")
        return found

    def _hash(self, row: str) -> str:
        found = self._slow.get(row)
        if found is None:
            from hashlib import pbkdf2_hmac

            data = row.encode("utf-8", "surrogatepass")
            found = self._slow[row] = pbkdf2_hmac("sha256", data, self.salt, _ROUNDS, 16).hex()
        return found

    def _digest(self, text: str, size: int) -> bytes:
        from hashlib import blake2b

        data = text.encode("utf-8", "surrogatepass")
        return blake2b(data, digest_size=size, key=self.salt).digest()


@lru_cache(maxsize=100_000)
def _form(word: str) -> str:
    if word.isascii() and "\\" not in word:
        return word.lower()
    plain = _ESCAPED.sub(lambda found: chr(int(found[1], 16)), word)
    folded = unicodedata.normalize("NFKD", plain).casefold()
    return "".join(one for one in folded if not unicodedata.combining(one)) or folded


def _is_key(form: str) -> bool:
    digits = sum(map(str.isdigit, form))
    return len(form) >= 16 or (len(form) >= 6 and 0 < digits < len(form)) or digits >= 8
