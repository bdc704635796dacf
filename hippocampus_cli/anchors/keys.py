"""Phrases as keys: what an anchor and a message that names it have in common. Pure, but for the stems' memo.

A key is one to eight stems. A compound gives two readings, as a whole and in its parts, so that ``follow-up``
is met by ``followup`` and by ``follow up``; a word of a script without spaces is its pairs of characters.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hippocampus_cli.search.tokens import forms, is_stop, words_of

MOST_WORDS = 4
"""Words of a phrase at most."""
_MOST_STEMS = 8
_MOST_READ = 1_000  # words of a message that are looked at


def keys_of(phrase: str) -> tuple[str, ...]:
    """The keys of an anchor, stop words around it left out; none for what can be no anchor."""
    words = trimmed(words_of(phrase))
    if not words or len(words) > MOST_WORDS:
        return ()
    readings = (_flat(reading) for reading in zip(*map(_readings, words), strict=True))
    found = (" ".join(stems) for stems in readings if 0 < len(stems) <= _MOST_STEMS)
    return tuple(dict.fromkeys(found))


def keys_in(message: str) -> list[str]:
    """Every key that could stand in ``message``, in the order of the text, the longest first at each word."""
    words = words_of(message)[:_MOST_READ]
    found: dict[str, None] = {}
    for reading in zip(*map(_readings, words), strict=True):
        found |= dict.fromkeys(_runs(reading))
    return list(found)


def trimmed(words: Sequence[str]) -> Sequence[str]:
    """``words`` without the stop words and lone signs before and behind."""
    start, end = 0, len(words)
    while start < end and _is_empty(words[start]):
        start += 1
    while end > start and _is_empty(words[end - 1]):
        end -= 1
    return words[start:end]


def _is_empty(word: str) -> bool:
    found = forms(word)
    return not found or is_stop(found[0])


def _readings(word: str) -> tuple[list[str], list[str]]:
    """The stems of a word as a whole and in its parts, mostly the same."""
    found = forms(word)
    if len(found) < 2 or (not found[0].isascii() and len(found[0]) <= 2):  # pairs of characters
        return found, found
    if found[0][:1].isdigit() and "-" in found[0]:  # a day, whose other forms are wider than it
        return found[:1], found[:1]
    return found[:1], found[1:]


def _runs(reading: Sequence[list[str]]) -> Iterator[str]:
    """Runs of one to four words; within a long word without spaces, those of its pairs."""
    stems = [(stem, number) for number, part in enumerate(reading) for stem in part]
    for at, (_, first) in enumerate(stems):
        longest = min(at + _MOST_STEMS, len(stems))
        for end in range(longest, at, -1):
            if stems[end - 1][1] - first < MOST_WORDS:
                yield " ".join(stem for stem, _ in stems[at:end])


def _flat(parts: Sequence[list[str]]) -> list[str]:
    return [stem for part in parts for stem in part]
