"""The days that a query speaks of: ``2026-05-12``, ``late May``, ``since March``, ``the week before last``.

A phrase is read word by word, from the longest kind (a range) to the shortest (a day). A day, month or
weekday without a year is the latest such one not after today. Nothing is ever raised, whatever the text.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from hippocampus_cli.search.day_words import Word, may_name_days, words_in
from hippocampus_cli.search.spans import Days

_LONGEST = 4_000  # characters of a query that are looked at for dates; a question is shorter
_MOST = 16


class Reading(NamedTuple):
    """``words`` of the text and the days they were taken for; ``because``: what else that rests on."""

    words: str
    first: date
    last: date
    because: str = ""

    @property
    def days(self) -> Days:
        """The first and last day, both inclusive."""
        return self.first, self.last


class Part(NamedTuple):
    """Days that words from one index up to another name. ``open_year``: of a year nobody said.

    ``kept``: the words also tell what the text is about, so they are looked for too (``Q3``).
    """

    days: Days
    end: int
    open_year: bool = False
    kept: bool = False


def days_in(text: str, today: date) -> tuple[tuple[Reading, ...], str]:
    """What ``text`` says of days, in its order, and ``text`` without those words."""
    head, rest = text[:_LONGEST], text[_LONGEST:]
    if not may_name_days(head):
        return (), text
    words = words_in(head)
    readings: list[Reading] = []
    pieces, end = [], 0
    for first, part in _parts(words, today):
        start, stop = words[first].start, words[part.end - 1].end
        readings.append(Reading(head[start:stop], *part.days))
        if not part.kept:
            pieces += [head[end:start], " "]
            end = stop
    return tuple(dict.fromkeys(readings)), "".join(pieces) + head[end:] + rest


def _parts(words: Sequence[Word], today: date) -> list[tuple[int, Part]]:
    from hippocampus_cli.search.day_phrases import Phrases

    phrases = Phrases(words, today)
    found: list[tuple[int, Part]] = []
    at = 0
    while at < len(words) and len(found) < _MOST:
        part = phrases.read(at)
        if part is None:
            at += 1
        else:
            found.append((at, part))
            at = part.end
    return found
