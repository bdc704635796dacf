"""Dates in other languages, word by word into the English that the grammar of dates reads.

``hace tres semanas`` becomes ``3 weeks ago`` with the places of the words it was written with, so that a phrase is
found, shown and taken out of a question as in English. A text counts as of another language only where a phrase in
it can hardly be anything else: ``set`` and ``mart`` are months somewhere, and words elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from functools import cache
from pathlib import Path

from hippocampus_cli.dates.names import SEASONS, THIRDS, UNITS, WEEKDAYS, Word, words_in
from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.text.tokenizer import MONTHS

_DATA = Path(__file__).parent / "data"
_EAST_ASIAN = (
    ("\u3040", "\u30ff"),
    ("\u3400", "\u9fff"),
    ("\uac00", "\ud7af"),
    ("\uf900", "\ufaff"),
)
_BETWEEN_WORDS = str.maketrans(dict.fromkeys("'’-.,:;?!¿¡()[]\"„“”«»/…", " "))
_NUMBER = "{n}"
_WHICH = frozenset(("last", "this", "next"))
_NAMED = frozenset((*SEASONS, *WEEKDAYS, *UNITS, *(f"{unit}s" for unit in UNITS), "weekend"))
_FULL_MONTHS = frozenset(name for name in MONTHS if len(name) > 3 or name == "may")
_BEFORE = frozenset(("in", "since", "before", "after", "until", "of", *THIRDS))


class _Phrase(NamedTuple):
    """The words of a phrase, what they are in English, and whether they are a sign of their language."""

    words: tuple[str, ...]
    english: tuple[str, ...]
    strong: bool


class _Language(NamedTuple):
    phrases: Mapping[str, Sequence[_Phrase]]  # by the first word, longest first; of numbers by {n}
    numbers: Mapping[str, str]


def may_be_foreign(text: str) -> bool:
    """Whether a word of ``text`` may begin a date in another language: few texts have one."""
    if _is_east_asian(text):
        return True
    return any(map(_languages_of, text.lower().translate(_BETWEEN_WORDS).split()))


def words_of_dates(text: str, today: date) -> Sequence[Word]:
    """The words of a text, those of dates in other languages in English."""
    if not _is_east_asian(text):
        return translated(words_in(text))
    from hippocampus_cli.dates.east_asian import phrases

    words, end = [], 0
    for found in phrases(text, today):
        words += _moved(words_in(text[end : found.start]), end)
        for place, word in enumerate(found.english.split()):
            words.append(Word(word, "" if place or not words else " ", found.start, found.end))
        end = found.end
    return [*words, *_moved(words_in(text[end:]), end)]


def _is_east_asian(text: str) -> bool:
    """Whether a character of these scripts is in the text; a pattern of them takes 3 ms to compile."""
    if text.isascii():
        return False
    return any(first <= char <= last for char in set(text) for first, last in _EAST_ASIAN)


def _moved(words: Sequence[Word], by: int) -> list[Word]:
    return [word._replace(start=word.start + by, end=word.end + by) for word in words]


def translated(words: Sequence[Word]) -> Sequence[Word]:
    """The words with what names dates in another language put into English; the same ones where there is none."""
    likely: dict[str, int] = {}
    for word in words:
        for language in _languages_of(word.text):
            likely[language] = likely.get(language, 0) + 1
    best: Sequence[Word] = words
    most = (0, 0)
    for language in sorted(likely, key=likely.__getitem__, reverse=True)[:_MOST_LANGUAGES]:
        made, weight = _in_english(words, _language(language))
        if weight[0] and weight > most:
            best, most = made, weight
    return best


_MOST_LANGUAGES = 6


def _in_english(words: Sequence[Word], language: _Language) -> tuple[list[Word], tuple[int, int]]:
    """The words in English; how many of them are a sign of this language, and how many it has."""
    made: list[Word] = []
    strong, known, at = 0, 0, 0
    changed: set[int] = set()  # places in ``made``
    while at < len(words):
        phrase, number = _longest(words, at, language)
        if phrase is None:
            text = words[at].text
            if made and made[-1].text in _WHICH:
                text = language.numbers.get(text, text)
            made.append(words[at]._replace(text=text))
            at += 1
            continue
        length = len(phrase.words)
        first, last = words[at], words[at + length - 1]
        foreign = phrase.words != phrase.english
        changed |= {len(made)} if foreign else set()
        for place, text in enumerate(phrase.english):
            text = number if text == _NUMBER else text
            made.append(Word(text, " " if place else first.gap, first.start, last.end))
        strong += length if phrase.strong and foreign else 0
        known += length if foreign else 0
        at += length
    _put_in_order(made)
    return made, (strong or _pairs(made, changed), known)


def _longest(words: Sequence[Word], at: int, language: _Language) -> tuple[_Phrase | None, str]:
    first = words[at].text
    candidates = (*language.phrases.get(first, ()), *language.phrases.get(_NUMBER, ()))
    for phrase in sorted(candidates, key=lambda one: -len(one.words)):
        number = _matched(words, at, phrase.words, language.numbers)
        if number is not None:
            return phrase, number
    return None, ""


def _matched(
    words: Sequence[Word], at: int, phrase: Sequence[str], numbers: Mapping[str, str]
) -> str | None:
    """The number in the words from ``at`` on where they are the phrase (empty where it has none), else ``None``."""
    if at + len(phrase) > len(words):
        return None
    number = ""
    for ahead, wanted in enumerate(phrase):
        word = words[at + ahead]
        if ahead and word.gap.strip(" \t'’-"):
            return None
        if wanted == _NUMBER:
            number = word.text if word.text.isdecimal() else numbers.get(word.text, "")
            if not number:
                return None
        elif word.text != wanted:
            return None
    return number


def _put_in_order(words: list[Word]) -> None:
    """``semana pasada``, ``lundi prochain``: what English puts before."""
    for at in range(len(words) - 1):
        one, other = words[at], words[at + 1]
        if (
            other.text in _WHICH
            and (one.text in _NAMED or one.text in MONTHS)
            and not (at + 2 < len(words) and words[at + 2].text in _NAMED)
        ):
            words[at] = one._replace(text=other.text, end=other.end)
            words[at + 1] = other._replace(text=one.text, start=one.start, gap=" ")


def _pairs(words: Sequence[Word], changed: set[int]) -> int:
    """Of words that are no sign by themselves: how many stand beside each other as a date does."""
    found = 0
    for at in range(len(words) - 1):
        if not changed & {at, at + 1}:
            continue
        one, other = words[at].text, words[at + 1].text
        after = words[at + 2].text if at + 2 < len(words) else ""
        found += one in _WHICH and (other in _NAMED or (other.isdecimal() and after in _NAMED))
        found += one in SEASONS and other.isdecimal() and len(other) == 4
        found += one.isdecimal() and len(one) <= 2 and other in _FULL_MONTHS
        found += one in THIRDS and (after if other == "of" else other) in _FULL_MONTHS
        if one in MONTHS and other.isdecimal():
            before = words[at - 1].text if at else ""
            found += len(other) == 4 and (before[:2].isdecimal() or before in _BEFORE)
            found += len(other) <= 2 and len(after) == 4 and after.isdecimal()
    return found


def _languages_of(word: str) -> list[str]:
    """The languages in which a phrase of days may begin with this word."""
    signs = _signs()
    at = signs.find(f"\n{word} ".encode(errors="replace")) + 1
    return signs[at : signs.index(b"\n", at)].decode().split()[1:] if at else []


@cache
def _signs() -> bytes:
    """Lines of a word and its languages. Every query looks at them: they are searched as they are."""
    return (_DATA / "signs.txt").read_bytes()


@cache
def _language(name: str) -> _Language:
    phrases: dict[str, list[_Phrase]] = {}
    numbers: dict[str, str] = {}
    text = (_DATA / "languages.txt").read_text(encoding="utf-8")
    for line in text.partition(f"\n@ {name}\n")[2].partition("\n@")[0].splitlines():
        left, _, english = line.partition("=")
        if left.startswith("#"):
            numbers[left[1:]] = english
            continue
        words = tuple(left.lstrip("~").split())
        phrases.setdefault(words[0], []).append(
            _Phrase(words, tuple(english.split()), not left.startswith("~"))
        )
    return _Language(phrases, numbers)
