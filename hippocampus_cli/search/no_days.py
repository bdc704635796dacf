"""Dates that the calendar does not have: ``2026-02-30``, ``30 February``. Somebody mistyped, and should be told."""

from __future__ import annotations

from datetime import date

from hippocampus_cli.search.day_names import Names
from hippocampus_cli.search.day_words import words_in

_LONGEST = 4_000  # characters that are looked at
_MOST = 3


def no_days(text: str, today: date) -> tuple[str, ...]:
    """The words of ``text``, in its order, that are written as a day and are none."""
    head = text[:_LONGEST]
    words = words_in(head)
    names = Names(words, today)
    found: list[str] = []
    at = 0
    while at < len(words) and len(found) < _MOST:
        end = names.no_day(at)
        if end:
            found.append(head[words[at].start : words[end - 1].end])
        at = max(end, at + 1)
    return tuple(dict.fromkeys(found))
