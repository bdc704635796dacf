"""Names and their short forms, as the notes themselves explain them: ``Priyanka Raman (Pri)``, ``VPN (virtual ...)``.

Taken from the text when the cache is built, for each file on its own, and never one from another: that ``Pri`` is
Priyanka and ``Pri`` the priority does not make Priyanka a priority. An explanation counts only if the two forms
look like it: the short one is the beginning of a name, the initials, or the same in another script.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

from hippocampus_cli.text.tokenizer import is_stop, stem_text

SIMILARITY = 1.0
_MOST = 500  # pairs of one file
_FOREIGN = 12  # letters
_LONGEST = 400  # characters of a line that are read
_SMALL = frozenset(("of", "the", "and", "for", "a", "in", "on", "to", "de", "der", "und"))


def aliases_in(lines: Iterable[str]) -> list[tuple[str, str]]:
    """Pairs of forms, both in stems with spaces between, that stand for each other in these lines."""
    found: dict[tuple[str, str], None] = {}
    for line in _telling([line[:_LONGEST].replace("**", "") for line in lines]):
        for short, full in _pairs(line):
            for pair in _stemmed(short, full):
                found.setdefault(pair)
        if len(found) >= _MOST:
            break
    return list(found)[:_MOST]


class Aliases:
    """The short and full forms in a cache; the same shape as a thesaurus."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def related(self, stems: str) -> dict[str, float]:
        """What ``stems`` stands for and what stands for it, with similarities 0 to 1; empty if unknown."""
        query = "SELECT DISTINCT other FROM aliases WHERE name = ?"
        return {row[0]: SIMILARITY for row in self._db.execute(query, (stems,))}


def _telling(lines: Sequence[str]) -> Sequence[str]:
    """The lines that may hold a pair: looking for a few characters is cheaper than any pattern."""
    text = "\n".join(lines)
    if not any(map(text.__contains__, _MARKS)):
        return ()
    return [line for line in lines if any(map(line.__contains__, _MARKS))]


def _pairs(line: str) -> Iterator[tuple[str, str]]:
    """Short and full forms as they are written."""
    if " (" in line:
        for match in _bracketed().finditer(line):
            yield from _explained(match[1], match[2])
    if any(map(line.__contains__, _QUOTES)):
        for match in _nicknamed().finditer(line):
            if match[2].lower() != match[1].lower():
                yield match[2], match[1]
                yield match[2], f"{match[1]} {match[3]}"
    if any(map(line.__contains__, _KNOWN)):
        for match in _known_as().finditer(line):
            yield match[2], match[1]


def _explained(before: str, inside: str) -> Iterator[tuple[str, str]]:
    words, inner = before.split(), inside.split()
    if not words or not inner or any(char.isdigit() for char in before + inside):
        return
    if len(inner) == 1 and (full := _initialled(inside, words)):
        yield inside, full
    elif full := _initialled(words[-1], inner):
        if full == inside:
            yield words[-1], full
    else:
        name = _name_of(words)
        if name and _is_latin(name) and _is_foreign_name(inside):
            yield inside, name
        elif len(inner) == 1 and name and (first := _begun_by(inside, name.split())):
            yield inside, first
            yield inside, name


def _name_of(words: list[str]) -> str:
    """The capitalised words at the end."""
    at = len(words)
    while at and words[at - 1][:1].isupper():
        at -= 1
    return " ".join(words[at:][-3:])


def _begun_by(short: str, name: list[str]) -> str | None:
    """The word of a name of several that a short form is the beginning of, but for its last letter (Tobi, Tobias)."""
    if len(name) < 2 or len(short) < 2 or not short[0].isupper():
        return None
    same = short.lower()[: max(3, len(short) - 1)]
    return next(
        (word for word in name if word.lower().startswith(same) and len(word) > len(short)), None
    )


def _initialled(short: str, words: list[str]) -> str | None:
    """The words, at the end, whose initials ``short`` is; small words between them may be left out."""
    letters = short.lower().replace(".", "")
    if not 2 <= len(letters) <= 6 or not letters.isalpha() or not short.isupper():
        return None
    at, left = len(words), list(letters)
    while at and left:
        at -= 1
        word = words[at].lower()
        if word[:1] == left[-1]:
            left.pop()
        elif word not in _SMALL:
            return None
    return " ".join(words[at:]) if not left else None


def _is_foreign_name(text: str) -> bool:
    """Whether a text may be a name or a term in another script: short, and nothing but its letters."""
    letters = text.replace(" ", "")
    return len(letters) <= _FOREIGN and letters.isalpha() and not _is_latin(letters[0])


def _is_latin(text: str) -> bool:
    return all(not char.isalpha() or char < "\u0250" for char in text)


def _stemmed(short: str, full: str) -> Iterator[tuple[str, str]]:
    """The pair both ways, in stems; nothing for words that say nothing."""
    one, other = stem_text(short), stem_text(full)
    if one and other and one != other and not is_stop(one) and not is_stop(other):
        yield one, other
        yield other, one


def merged(*found: Mapping[str, float]) -> dict[str, float]:
    """Related words of several sources; of one that several know, the most similar."""
    best: dict[str, float] = {}
    for words in found:
        for stem, similarity in words.items():
            best[stem] = max(best.get(stem, 0.0), similarity)
    return best


_KNOWN = ("aka ", "a.k.a. ", "also known as ")
_QUOTES = (
    ' "',
    " '",
    " “",
    " ‘",
)  # the blank tells the beginning of a name in quotes from an apostrophe
_MARKS = (" (", *_QUOTES, *_KNOWN)
_WORD = r"[^\W\d_][\w’-]*"


@cache
def _bracketed() -> re.Pattern[str]:
    return re.compile(rf"(?<![\w’-])((?:{_WORD} ){{0,5}}{_WORD}) \(([^()\n]{{2,60}})\)")


@cache
def _nicknamed() -> re.Pattern[str]:
    name = r"([A-ZÀ-Þ][\w’-]+)"
    return re.compile(rf"\b{name} [\"'“‘]{name}[\"'”’] {name}")


@cache
def _known_as() -> re.Pattern[str]:
    name = r"((?:[A-ZÀ-Þ][\w’-]*)(?: [A-ZÀ-Þ][\w’-]*){0,2})"
    return re.compile(rf"\b{name},? \(?(?:aka|a\.k\.a\.|also known as) {name}")
