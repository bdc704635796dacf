"""Phrases known by their hashes alone: what was forgotten is found again without being kept.

A text is read as a row of words: letters and digits, without case and accents. What stands between them (blanks, line
breaks, punctuation, the escapes of JSON, HTML and URLs) makes no difference, so that a slug, a wrapped line and a
string in JSON are the same phrase. Chinese, Japanese, Korean and Thai letters are words of their own.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import accumulate, groupby
from operator import itemgetter

from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.redaction.redactor import Span

_WRAP = r"(?:\\*\r?\n[ \t>|]*)?"
_GAP = r"(?:[\s>|*#\-]|\\+[nrt]|%20|&nbsp;)+"
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;|&#39;|&apos;"}


class ForgottenText:
    """Finds one text that is at hand. ``rows`` are the rows of words by which it is known without being kept: those
    of the text itself, and what was met of it in other shapes (cut off, wrapped; a key within a longer word)."""

    def __init__(self, text: str) -> None:
        self._forms = tuple(forms_of(text))
        self.rows = set(runs_of(text))
        self.pattern = _pattern(text)
        self._keys = {row[0] for row in self.rows if len(row) == 1 and not _is_plain(text)}
        self._whole = plain_matcher([self._forms])

    def whole(self, text: str) -> list[Span]:
        """Where all of it is in ``text``."""
        spans = [Span(*match.span(), KIND) for match in self.pattern.finditer(text)]
        if spans or (not text.isascii() and all(self._glimpsed(text))):
            spans += self._whole(text)
        return spans

    def __call__(self, text: str) -> Iterator[Span]:
        """Where it stands, in whole or in part; what is met is added to ``rows``."""
        literal = [one.span() for one in self.pattern.finditer(text)]
        if not literal and not any(self._glimpsed(text)):
            return
        words = words_of(text) if literal else []
        for start, end in literal:
            if met := words[
                bisect_right(words, start, key=itemgetter(1)) : bisect_left(words, (end,))
            ]:
                self.rows.add(tuple(one.form for one in met))
                yield Span(min(start, met[0].start), max(end, met[-1].end), KIND)
        forms = forms_of(text)
        self.rows.update((one,) for one in set(forms) if len(one) >= _KEY and self._is_part(one))
        if "…" in text:
            self.rows.update(self._cut_off(text))
        self.rows.update(self._shuffled(forms))
        yield from plain_matcher(self.rows)(text)

    def _glimpsed(self, text: str) -> Iterator[bool]:
        """Whether each of its words may begin in a text, which takes a tenth of reading it."""
        folded = _folded(text).encode("ascii", "ignore")
        return (form[:_KEY].encode("ascii", "ignore") in folded for form in self._forms)

    def _cut_off(self, text: str) -> Iterator[tuple[str, ...]]:
        """Rows of at least two of its words that stand before an ellipsis: a summary that was cut in it."""
        for piece in text.split("…")[:-1]:
            forms = forms_of(piece[-1_000:])
            for length in range(min(len(forms), len(self._forms)), 1, -1):
                row = tuple(forms[-length:])
                if row in _windows(self._forms, length):
                    yield row
                    break

    def _shuffled(self, forms: list[str]) -> Iterator[tuple[str, ...]]:
        """Rows of at least half of its words in another order, as in a list of tags.

        Not those in its own: two words in a row that it has stand in what else was said, too ("on Friday").
        """
        own = set(self._forms)
        fewest = max(2, (len(own) + 1) // 2)
        for mine, group in groupby(forms, key=own.__contains__):
            row = tuple(group) if mine else ()
            if len(set(row)) >= fewest and row not in _windows(self._forms, len(row)):
                yield row

    def _is_part(self, form: str) -> bool:
        """Whether a word is a key of the text cut off, or one with something around it."""
        return any(key.startswith(form) or (len(key) >= _KEY and key in form) for key in self._keys)


def _pattern(text: str) -> re.Pattern[str]:
    parts = [_GAP if one.isspace() else _one(one[0]) for one in re.findall(r"\s+|\S", text.strip())]
    pattern = _WRAP.join(parts)
    if _is_plain(text):
        pattern = (
            rf"(?={parts[0]})(?<![^\W\d_]){pattern}(?![^\W\d_])"  # the letter first: it is rare
        )
    elif text.isdecimal():  # a number is no part of a longer one
        pattern = rf"(?={parts[0]})(?<!\d){pattern}(?!\d)"
    return re.compile(pattern, re.IGNORECASE)


def _is_plain(text: str) -> bool:
    """Whether it is words of letters alone: "Max" is no part of "Maximum", as a key is of what it stands in."""
    return _PLAIN_WORDS.fullmatch(text.strip()) is not None


def _one(letter: str) -> str:
    """One character in all its escapes."""
    ways = [re.escape(letter)]
    if letter in _ENTITIES:
        ways.append(_ENTITIES[letter])
    if not letter.isalnum() and letter.isascii():
        ways += [rf"\\+{re.escape(letter)}", f"%{ord(letter):02X}", rf"\\+u{ord(letter):04x}"]
    elif not letter.isascii():
        ways += ["".join(f"%{byte:02X}" for byte in letter.encode("utf-8", "surrogatepass"))]
        if ord(letter) <= 0xFFFF:
            ways.append(rf"\\+u{ord(letter):04x}")
    return ways[0] if len(ways) == 1 else f"(?:{'|'.join(ways)})"


KIND = "forgotten"
_KEY = 6  # letters of a key, or of a part of it, by which it is known
_ROUNDS = 4_000
"""Of PBKDF2: about a millisecond and a half a guess, for whoever got hold of the hashes and their salt."""
_SIEVE = 0xFFFF
_LONGEST_RUN = 8
_LETTERS = "\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
_WORD = re.compile(
    r"&(?:amp|lt|gt|quot|apos|nbsp|#\d+|#x[0-9a-fA-F]+);|%[0-9a-fA-F]{2}|(?<!\\)\\+(?:u00[0-7][0-9a-fA-F]|[nrtbf])"
    rf"|(?P<word>[{_LETTERS}]|(?:(?![{_LETTERS}])[^\W_]|[\u0300-\u036f]|(?<!\\)\\+u[0-9a-fA-F]{{4}})+)"
)
_PLAIN_WORDS = re.compile(rf"(?:(?![{_LETTERS}])[^\W\d_]|\s)+")
_ESCAPED = re.compile(r"\\(?<!\\\\)\\*u([0-9a-fA-F]{4})")  # the backslash first: it is rare


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


def _windows(forms: tuple[str, ...], length: int) -> list[tuple[str, ...]]:
    return [forms[at : at + length] for at in range(len(forms) - length + 1)]


def runs_of(text: str) -> list[tuple[str, ...]]:
    """The rows of words by which a text is known again, also where only a part of it was taken over.

    Up to three words are one row. Of a longer text it is every row of half its length, at least three and at most
    eight words; and each word of its own that looks like a key rather than like a word of a language.
    """
    forms = tuple(forms_of(text))
    length = min(len(forms), _LONGEST_RUN, max(3, (len(forms) + 1) // 2))
    rows = _windows(forms, length) if forms else []
    return [*rows, *((form,) for form in forms if _is_key(form))]


def tiles_of(text: str) -> list[tuple[str, ...]]:
    """As :func:`runs_of` for a line of a note that is only ever met whole: fewer rows, none of them short."""
    forms = tuple(forms_of(text))
    rows = _windows(forms, min(len(forms), _LONGEST_RUN))
    return [*rows[:: _LONGEST_RUN // 2], *rows[-1:]]


def plain_matcher(rows: Iterable[tuple[str, ...]]) -> Callable[[str], Iterator[Span]]:
    """What finds rows of words that are at hand."""
    wanted: dict[str, set[tuple[str, ...]]] = {}
    for row in rows:
        wanted.setdefault(row[0], set()).add(row)

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
        self._value, self._hash = cache(self._value_of), cache(self._hash_of)

    def phrase(self, row: Sequence[str]) -> Phrase:
        """The phrase that stands for a row of words."""
        return Phrase(len(row), self.sieve(row), self._hash(" ".join(row)))

    def sieve(self, row: Iterable[str]) -> int:
        """The quick half of :meth:`phrase`."""
        return sum(map(self._value, row)) & _SIEVE

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

    def _value_of(self, word: str) -> int:
        from hashlib import blake2b

        data = word.encode("utf-8", "surrogatepass")
        return int.from_bytes(blake2b(data, digest_size=4, key=self.salt).digest(), "big")

    def _hash_of(self, row: str) -> str:
        from hashlib import pbkdf2_hmac

        data = row.encode("utf-8", "surrogatepass")
        return pbkdf2_hmac("sha256", data, self.salt, _ROUNDS, 16).hex()


def _folded(text: str) -> str:
    if "\\" in text:
        text = _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text)
    return unicodedata.normalize("NFKD", text).casefold()


@lru_cache(maxsize=100_000)
def _form(word: str) -> str:
    folded = _folded(word)
    if folded.isascii():
        return folded
    return "".join(one for one in folded if not unicodedata.combining(one)) or folded


def _is_key(form: str) -> bool:
    digits = sum(map(str.isdigit, form))
    return len(form) >= 16 or (len(form) >= 6 and 0 < digits < len(form)) or digits >= 8
