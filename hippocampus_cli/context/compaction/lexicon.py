"""Lists of words and phrases in a text: whole words, never parts of one."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

_WORD = re.compile(r"/?\w+(?:[./]+\w+)*")
# Scripts without blanks between words: there a word is found wherever it stands.
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def words_of(text: str) -> list[str]:
    """The words of a text, case folded."""
    return _WORD.findall(text.casefold())


class Lexicon(NamedTuple):
    """A list ready to be looked for: ``plan`` as a word, ``entschied*`` as a beginning, ``will do`` in a row."""

    words: frozenset[str]
    beginnings: tuple[str, ...]
    phrases: tuple[str, ...]
    anywhere: tuple[str, ...]

    def in_words(self, words: Iterable[str]) -> bool:
        """Whether one of ``words`` is in the list."""
        distinct = set(words)
        if self.words & distinct:
            return True
        return bool(self.beginnings) and any(word.startswith(self.beginnings) for word in distinct)

    def in_text(self, words: list[str], text: str) -> bool:
        """Whether a word or a phrase of the list is in a text, ``words`` being those of ``text``."""
        if self.in_words(words):
            return True
        if self.anywhere and any(word in text for word in self.anywhere):
            return True
        row = f" {' '.join(words)} "
        return any(f" {phrase} " in row for phrase in self.phrases)


def lexicon(listed: Iterable[str]) -> Lexicon:
    """The list of a setting."""
    words: set[str] = set()
    beginnings: list[str] = []
    phrases: list[str] = []
    anywhere: list[str] = []
    for entry in filter(None, (one.strip().casefold() for one in listed)):
        if _UNSPACED.search(entry):
            anywhere.append(entry)
        elif " " in entry:
            phrases.append(" ".join(words_of(entry)))
        elif entry.endswith("*"):
            beginnings.append(entry[:-1])
        else:
            words.add(entry)
    return Lexicon(frozenset(words), tuple(beginnings), tuple(phrases), tuple(anywhere))
